"""Digside as a package, tried on Debian 12 and 13."""
