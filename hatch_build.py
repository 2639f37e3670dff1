"""Puts the features, what they compile to, the examples, the kits and the adapters into a wheel.

An editable install has the checkout.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What is not shipped of an adapter: checksums, which name more than the pinned packages; records, which tests judge;
# tests, which witnesses in Go are not; what a build leaves.
_NOT_SHIPPED = ("go.sum", "package-lock.json", "recorded.jsonl", "workspaces.jsonl", "_test.go", ".pyc")
_WITNESSES = "witnesses"
_FOLDERS_NOT_SHIPPED = {"build", "node_modules", "__pycache__"}


def adapter_files(root: Path) -> Iterator[Path]:
    """The files of the adapters that ship, relative to their folder."""
    for path in sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file()):
        if path.parts[0] == "reference":  # a package of the wheel
            continue
        is_shipped = path.parent.name == _WITNESSES or not path.name.endswith(_NOT_SHIPPED)
        if is_shipped and not _FOLDERS_NOT_SHIPPED & set(path.parts):
            yield path


class FeaturesAsPackageData(BuildHookInterface[Any]):
    """Adds `features/`, `compiled.json`, `examples/`, the kits and the adapters to a standard wheel only.

    `force-include` in pyproject.toml would also copy them into an editable install, where an edited feature would go
    unseen.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"]["features"] = "loopspec/features"
            build_data["force_include"]["examples"] = "loopspec/examples"
            for kit in ("go", "node", "templates"):  # the kit for Python is a package of the wheel
                build_data["force_include"][f"conformance/kits/{kit}"] = f"loopspec/kits/{kit}"
            adapters = Path(self.root) / "conformance" / "adapters"
            for path in adapter_files(adapters):
                build_data["force_include"][str(adapters / path)] = f"loopspec/adapters/{path.as_posix()}"
            self._folder = tempfile.TemporaryDirectory()
            compiled = Path(self._folder.name) / "compiled.json"
            compiled.write_bytes(self._compiled())
            build_data["force_include"][str(compiled)] = "loopspec/compiled.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self._folder.cleanup()

    def _compiled(self) -> bytes:
        """Compile the features with the code of this checkout, whatever is installed.

        The products add their roles as entry points, which only an installation has: a folder stands for one.
        """
        installed = Path(self._folder.name) / "loopspec-0.dist-info"
        installed.mkdir()
        roles = self.metadata.core.entry_points["loopspec.roles"]
        lines = "".join(f"{name} = {place}\n" for name, place in roles.items())
        (installed / "entry_points.txt").write_text(f"[loopspec.roles]\n{lines}")
        packages = {str(Path(self.root, package).parent) for package in self.build_config.packages}
        sys.path[:0] = [self._folder.name, *sorted(packages)]
        from loopspec.contract.specification import features_root
        from loopspec.specification.features import sources
        from loopspec.specification.store import make

        return make(*sources(features_root()))
