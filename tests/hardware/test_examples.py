"""What the guide shows for scripts of one's own runs as it stands there."""

import re
import threading
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from tests.hardware.test_guide import GUIDE

EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL)
PUMP, SWITCH, BUTTON = 17, 24, 5


@pytest.fixture
def beside(pins: MockFactory) -> Iterator[None]:
    """Somebody who presses and lets go of the button, and a cup on a card whose switch closes when the pump runs."""
    over = threading.Event()

    def watch() -> None:
        pump, switch, button = (pins.pin(number) for number in (PUMP, SWITCH, BUTTON))
        assert isinstance(switch, MockPin)
        assert isinstance(button, MockPin)
        held_for = 0
        while not over.wait(0.01):
            ready = button.pull == "up" and pump.function == "output"
            held_for = held_for + 1 if ready else 0
            for driven, low in ((switch, pump.state), (button, 5 < held_for < 60)):
                if driven.pull == "up" and bool(driven.state) is bool(low):
                    driven.drive_low() if low else driven.drive_high()

    watching = threading.Thread(target=watch)
    watching.start()
    yield
    over.set()
    watching.join()


def test_there_are_examples_of_all_that_a_script_may_use() -> None:
    shown = "\n".join(EXAMPLES)
    assert all(name in shown for name in ("VacuumShovel(", "SerialVacuumShovel(", "Panel(", ".source", ".when_lost"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.split("\n")[-2].strip())
def test_an_example_runs(example: str, beside: None, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(compile(example, "the guide", "exec"), names)
    shovel = names.get("shovel")
    if shovel is not None:
        assert getattr(shovel, "closed")  # noqa: B009 -- its class is the example's choice
    if "print(shovel" in example:
        assert "is_active=True" in capsys.readouterr().out


def test_the_first_example_is_a_script_of_five_lines() -> None:
    assert len([line for line in EXAMPLES[0].splitlines() if line]) <= 5
