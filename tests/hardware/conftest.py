"""Pins that are only pretended, as gpiozero's own tests have them."""

from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    former, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.close()
    Device.pin_factory = former
