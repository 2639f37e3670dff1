"""Strategies and options for the tests of panels."""

from __future__ import annotations

import datetime
import enum
import uuid
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from loopspec.contract.plugins import StrategyMeta


def said(english: str, chinese: str) -> dict[str, Any]:
    """A label in both languages."""
    return {"x-label": {"en_US": english, "zh_Hans": chinese}}


class Level(enum.Enum):
    """Values by name."""

    LOW = "low"
    HIGH = "high"


class Place(Struct, forbid_unknown_fields=True):
    """The address of a store."""

    host: Annotated[str, Meta(min_length=1, extra_json_schema=said("Host", "主机"))]
    port: Annotated[int, Meta(ge=1, le=65535, extra_json_schema=said("Port", "端口"))] = 6379


class CacheOptions(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Options as a user would configure them."""

    seconds: Annotated[int, Meta(ge=1, le=86400, extra_json_schema=said("Seconds kept", "保留秒数"))]
    level: Annotated[Level, Meta(extra_json_schema=said("Level", "级别"))] = Level.LOW
    share: Annotated[float, Meta(gt=0, lt=1, extra_json_schema=said("Share", "比例"))] | None = None
    shared: Annotated[bool, Meta(extra_json_schema=said("Shared between runs", "在运行之间共享"))] = False
    name: Annotated[str, Meta(pattern="^[a-z]+$", extra_json_schema=said("Name", "名称"))] | UnsetType = UNSET
    tags: Annotated[list[str], Meta(max_length=2, extra_json_schema=said("Tags", "标签"))] = []
    store: Annotated[Place | None, Meta(extra_json_schema=said("Store", "存储"))] = None
    limits: Annotated[dict[str, int], Meta(extra_json_schema=said("Limits by tool", "各工具的限制"))] = {}


class First(Struct, tag="first"):
    """The first type of a union."""

    v: int


class Second(Struct, tag="second"):
    """The second type of a union."""

    w: str


class Tree(Struct):
    """A recursive type."""

    children: list[Tree] = []


class Number(enum.IntEnum):
    """Values by number."""

    ONE = 1
    TWO = 2


class Everything(Struct, forbid_unknown_fields=True):
    """Every form of schema that msgspec generates. No field has a default, so every field is required."""

    text: str
    short: Annotated[str, Meta(min_length=2, max_length=4, pattern="^a")]
    whole: int
    limited: Annotated[int, Meta(ge=2, lt=9, multiple_of=3)]
    real: Annotated[float, Meta(gt=0, le=1)]
    flag: bool
    maybe_flag: bool | None
    level: Level
    number: Number
    one_of: Literal["q", 3, None]
    maybe: int | None
    either: int | str
    pair: tuple[int, str]
    words: Annotated[list[str], Meta(min_length=1)]
    unique: set[int]
    levels: list[Level]
    rows: list[list[int]]
    mapped: dict[str, int]
    anything: Any
    tagged: First | Second
    place: Place
    places: list[Place]
    maybe_place: Place | None
    tree: Tree
    when: Annotated[datetime.datetime, Meta(tz=True)]
    day: datetime.date
    which: uuid.UUID
    data: bytes


CACHE = StrategyMeta(
    name="answer-cache",
    label={"en_US": "Answer cache", "zh_Hans": "答案缓存"},
    icon="🗂",
    description={"en_US": "The same call is made once.", "zh_Hans": "相同的调用只执行一次。"},
    config_schema=msgspec.json.schema(CacheOptions),
)


def of_schema(schema: Any, **more: Any) -> list[tuple[str, StrategyMeta | None]]:
    """One strategy with this schema."""
    return [("one", StrategyMeta(name="one", **{"label": {"en_US": "One"}, **more}, config_schema=schema))]
