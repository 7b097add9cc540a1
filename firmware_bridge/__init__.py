"""The wire to the microcontroller, and its far end."""
