"""Reports of several implementations as one HTML page that loads nothing."""
