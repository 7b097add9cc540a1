"""A gallery of tables that no service plays: views made by hand, drawn by the real pages."""
