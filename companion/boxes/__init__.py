"""What is printed on the components of each box, and where every figure is from."""

from companion.boxes.box import Box, Figure, Origin
from companion.boxes.horus import HorusBox
from companion.boxes.jenseits import JenseitsBox
from companion.boxes.problems import BoxProblem, Problem
from companion.boxes.shelf import AnyBox, check, load, names
from companion.boxes.tomb_raiders import TombRaidersBox
from companion.boxes.tutankhamun import TutankhamunBox

__all__ = [
    "AnyBox",
    "Box",
    "BoxProblem",
    "Figure",
    "HorusBox",
    "JenseitsBox",
    "Origin",
    "Problem",
    "TombRaidersBox",
    "TutankhamunBox",
    "check",
    "load",
    "names",
]
