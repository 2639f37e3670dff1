"""The features by their folders, in reading order."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from loopspec.pages import Feature, features
from loopspec.specification.cases import area_of
from loopspec.specification.order import Folder, order

from .links import slug


class Listed(Struct, frozen=True):
    """A feature with the areas of its rules; the first has the most of them."""

    feature: Feature
    areas: tuple[str, ...]

    @property
    def address(self) -> str:
        """Its address in the site: on the page of its first area."""
        return f"rules/{self.areas[0]}.html#{slug(self.feature.file)}"


class Topic(Struct, frozen=True):
    """A folder with its features."""

    folder: Folder
    features: tuple[Listed, ...]


def topics() -> tuple[Topic, ...]:
    """Every folder, in reading order."""
    by_file = {feature.file: feature for feature in features()}
    return tuple(
        Topic(folder, tuple(_listed(by_file[file]) for file in folder.files if file in by_file))
        for folder in order().folders
    )


def _listed(feature: Feature) -> Listed:
    count = Counter(area_of(rule) for written in feature.rules for rule in written.ids)
    return Listed(feature, tuple(area for area, _ in count.most_common()))
