"""The metadata of a strategy: its presentation to people, and the schema of its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from ..values.messages import Json
from .errors import OptionsError, StrategyError

C = TypeVar("C", bound=Struct)


class MiddlewareMeta(Struct, frozen=True, kw_only=True):
    """The presentation of a strategy to people, and the schema of its options (XP-META-01).

    `label` and `description` are texts by language, `en_US` or `zh_Hans` (XP-META-04). `config_schema` is a JSON
    Schema for a form (XP-META-03). Raises `StrategyError` without a name or a label (XP-META-02).
    """

    name: str
    label: Mapping[str, str]
    icon: str = ""
    description: Mapping[str, str] = {}
    config_schema: Mapping[str, Json] | None = None

    def __post_init__(self) -> None:
        """Refuse metadata that cannot be shown."""
        if not isinstance(self.name, str) or not self.name.strip():
            raise StrategyError(f"the metadata has the name {self.name!r}: give a text that is not blank")
        for part in ("label", "description"):
            texts = getattr(self, part)
            if not isinstance(texts, Mapping) or not all(isinstance(text, str) for text in texts.values()):
                raise StrategyError(f"the {part} of {self.name!r} is {texts!r:.80}: give its texts by language")
        if not self.label:
            raise StrategyError(f"the label of {self.name!r} has no text: give one for a language, such as 'en_US'")
        try:
            msgspec.json.encode(self.config_schema)
        except (TypeError, ValueError) as error:
            raise StrategyError(f"the config schema of {self.name!r} is not JSON: {error}") from error


def config_schema(config: type[Struct]) -> dict[str, Json]:
    """Return the JSON Schema of a typed configuration, with all definitions that it refers to.

    `msgspec.Meta(extra_json_schema={"x-label": {...}})` gives a field a label by language.
    """
    (schema,), parts = msgspec.json.schema_components([config], ref_template="#/$defs/{name}")
    own = parts.pop(config.__name__, schema)
    return {**own, "$defs": parts} if parts else dict(own)


def read_options(config: type[C], options: Mapping[str, Json], name: str = "") -> C:
    """Convert the options to their configuration. Raises `OptionsError` with the path of the mistake (XP-META-05).

    `name` is the owner of the options, for the error message.
    """
    try:
        return msgspec.convert(options, config)
    except msgspec.ValidationError as error:
        whose = f" of {name!r}" if name else ""
        raise OptionsError(f"the options{whose} do not fit {config.__name__}: {error}") from error
