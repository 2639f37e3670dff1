"""One run of pytest in several processes, through pytest-xdist: a controller that adds up, and workers that judge."""
