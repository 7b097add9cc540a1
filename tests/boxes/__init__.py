"""Tests of the boxes: what is shipped, what is refused, and what an owner may change."""
