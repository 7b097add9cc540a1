"""What stands beside the table: the suction shovel, the panel and the small display. Knows no game."""
