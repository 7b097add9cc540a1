"""A few lines on a small display."""

from pathlib import Path

import pytest
from PIL import Image

from hardware.display import HEIGHT, WIDTH, OledDisplay, PngDisplay, frame


def ink(image: Image.Image) -> int:
    return sum(image.convert("L").histogram()[128:])


@pytest.mark.parametrize("lines", [[], [""], ["   "]])
def test_nothing_to_show_is_dark(lines: list[str]) -> None:
    assert ink(frame(lines)) == 0


@pytest.mark.parametrize(
    "lines", [["Ada"], ["Ada", "week 12 of 52"], ["Ägypten", "Tokens: 5", "Zeit: 3", "Übrig: 12"], ["x" * 60]]
)
def test_lines_are_drawn_within_the_frame(lines: list[str]) -> None:
    image = frame(lines)
    assert image.size == (WIDTH, HEIGHT)
    assert image.mode == "1"
    box = image.getbbox()
    assert box is not None
    assert box[0] >= 1
    assert ink(image) > 20


def test_fewer_lines_are_drawn_larger() -> None:
    def height(lines: list[str]) -> int:
        box = frame(lines).getbbox()
        assert box is not None
        return box[3] - box[1]

    assert height(["Ada"]) > height(["Ada", "", "", ""])


def test_a_file_is_a_display(tmp_path: Path) -> None:
    display = PngDisplay(tmp_path / "table.png")
    display.show(["Ada", "digs"])
    with Image.open(tmp_path / "table.png") as shown:
        assert shown.tobytes() == frame(["Ada", "digs"]).tobytes()
    display.close()
    assert [file.name for file in tmp_path.iterdir()] == ["table.png"]


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_an_oled_is_sent_the_frame(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = pytest.importorskip("luma.core.interface.serial")
    sent: list[int] = []

    class Wire(wire.noop):  # type: ignore[misc, name-defined]
        def data(self, data: list[int]) -> None:
            sent.extend(data)

    monkeypatch.setattr(wire, "i2c", lambda **_: Wire())
    display = OledDisplay(driver)
    sent.clear()
    display.show(["Ada", "digs"])
    assert len(sent) == WIDTH * HEIGHT // 8
    assert sum(byte.bit_count() for byte in sent) == ink(frame(["Ada", "digs"]))
    display.close()
