"""What is printed on the components of a box, and where every figure is from."""

from companion.boxes.box import Box, Figure, Origin, Value
from companion.boxes.files import check, keep, load, restore
from companion.boxes.problems import BoxProblem, Problem

__all__ = ["Box", "BoxProblem", "Figure", "Origin", "Problem", "Value", "check", "keep", "load", "restore"]
