"""What tests may use anywhere."""

pytest_plugins = ["pytester"]
