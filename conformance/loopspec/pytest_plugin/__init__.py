"""The way in through pytest: the only package that imports pytest or pytest-bdd."""
