"""Tests of the pieces: the examples of the rulebooks, and laws that hold for every hand."""
