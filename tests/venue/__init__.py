"""A hall on one machine: PostgreSQL, service processes, the router before them, each in a temporary folder."""
