"""The keepsake: a picture of the final table, to print, save and share."""
