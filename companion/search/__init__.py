"""A search that plays every game: it imagines what a seat cannot see, plays on many times, and weighs the moves."""
