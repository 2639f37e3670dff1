"""Puts the features into a wheel; an editable install reads them from the checkout."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FeaturesAsPackageData(BuildHookInterface[Any]):
    """Adds `features/` to a standard wheel only: `force-include` in pyproject.toml would also copy them into
    an editable install, where an edited feature would then go unseen."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"]["features"] = "loopspec/features"
