"""What is printed on the components of a box, and where every figure is from."""

from companion.boxes.box import Box, Figure, Origin, Value
from companion.boxes.files import keep, load, restore
from companion.boxes.owners import check
from companion.boxes.problems import Amiss, BoxProblem, Problem

__all__ = ["Amiss", "Box", "BoxProblem", "Figure", "Origin", "Problem", "Value", "check", "keep", "load", "restore"]
