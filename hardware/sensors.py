"""From volts to a vacuum, for the sensors people fit."""

from msgspec import Struct

RAIL = 0.01
LOWEST_KPA = -5.0
HIGHEST_KPA = 105.0


class Transducer(Struct, frozen=True):
    """
    A sensor whose voltage is a straight line over the vacuum.

    :ivar zero_v: volts at no vacuum
    :ivar v_per_kpa: volts for each kPa of vacuum; negative where more vacuum means less volts
    :ivar reference_v: the converter's full scale

    >>> round(SENSORS["mpx5100dp"].kpa(0.148), 2)
    12.0
    >>> SENSORS["mpx5100dp"].kpa(0.0) is None
    True
    """

    zero_v: float
    v_per_kpa: float
    reference_v: float = 5.0

    @property
    def highest_kpa(self) -> float:
        """The most it can show, at whichever rail more vacuum leads to."""
        rail = 1 - RAIL if self.v_per_kpa > 0 else RAIL
        return min(HIGHEST_KPA, (rail * self.reference_v - self.zero_v) / self.v_per_kpa)

    def kpa(self, fraction: float) -> float | None:
        """
        The vacuum at *fraction* of full scale; ``None`` where no working sensor would read.

        At either rail the wire is broken or shorted, not the vacuum remarkable.
        """
        if not RAIL <= fraction <= 1 - RAIL:
            return None
        kpa = (fraction * self.reference_v - self.zero_v) / self.v_per_kpa
        return kpa if LOWEST_KPA <= kpa <= HIGHEST_KPA else None


SENSORS = {
    "mpx5100dp": Transducer(zero_v=0.2, v_per_kpa=0.045),
    "mpxv7025dp": Transducer(zero_v=2.5, v_per_kpa=0.09),
    "mpxv6115v": Transducer(zero_v=4.6, v_per_kpa=-0.03826),
}
