"""Each box as a game for researchers: in OpenSpiel, and as a PettingZoo environment. Needs `digside[research]`."""
