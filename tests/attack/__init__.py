"""What somebody does on purpose, or a disk by accident: each attack that once came through, and does not any more."""
