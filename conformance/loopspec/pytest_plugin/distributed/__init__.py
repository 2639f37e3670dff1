"""A distributed pytest run through pytest-xdist: a controller that adds up, and workers that judge."""
