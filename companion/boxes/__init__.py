"""What is printed on the components of a box, and where every figure is from."""

from companion.boxes.box import Box, Figure, Origin, Value
from companion.boxes.files import content_of, load, restore
from companion.boxes.owners import problems_in
from companion.boxes.problems import BoxProblem, FigureProblem, Problem

__all__ = [
    "Box",
    "BoxProblem",
    "Figure",
    "FigureProblem",
    "Origin",
    "Problem",
    "Value",
    "content_of",
    "load",
    "problems_in",
    "restore",
]
