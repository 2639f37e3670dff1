"""Puts features, what they compile to, examples and kits into a wheel; an editable install has the checkout."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FeaturesAsPackageData(BuildHookInterface[Any]):
    """Adds `features/`, `compiled.json`, `examples/` and the kits to a standard wheel only.

    `force-include` in pyproject.toml would also copy them into an editable install, where an edited feature would go
    unseen.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"]["features"] = "loopspec/features"
            build_data["force_include"]["examples"] = "loopspec/examples"
            build_data["force_include"]["conformance/kits"] = "loopspec/kits"
            self._folder = tempfile.TemporaryDirectory()
            compiled = Path(self._folder.name) / "compiled.json"
            compiled.write_bytes(self._compiled())
            build_data["force_include"][str(compiled)] = "loopspec/compiled.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self._folder.cleanup()

    def _compiled(self) -> bytes:
        """Compile the features with the code of this checkout, whatever is installed."""
        root = Path(self.root)
        sys.path[:0] = [str(root / "conformance"), str(root / "steps")]
        from loopspec.contract.specification import features_root
        from loopspec.specification.features import sources
        from loopspec.specification.store import make

        return make(*sources(features_root()))
