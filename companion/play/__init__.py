"""A table in play: its entries, what follows from them, who may act, and what everybody sees."""
