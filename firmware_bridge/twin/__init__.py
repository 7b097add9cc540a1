"""A Python twin of the board's firmware, for computers without a C compiler.

It behaves as the C core does (the same transcripts and properties hold for both), but it is not what runs on the
microcontroller; it says so in its description.
"""
