"""Which words of a text are imports, and where they point, against the model's own reading."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from loopspec_reference.agentsmd.mentions import mentions
from loopspec_reference.agentsmd.paths import clean_path, resolve

from .model import clean, scan, target

_SIGNS = "@@@@@./~-_ \n\r\t,;:#?!()[]<>'\"*|\\%+9aZ"
_ENDINGS = [".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml", ".MD"]
_FOREIGN = ["é", "规则", "😀", "\ufeff", "\x00", "\u2028", "\ufffd", "٣", "ſ", "\N{KELVIN SIGN}"]
_PIECES = st.sampled_from([*_SIGNS, *_ENDINGS, *_FOREIGN, "bob", "/p", "..", "./"])
_NAMES = st.builds("@{}{}{}".format, _PIECES, _PIECES, st.sampled_from([*_ENDINGS, "/", ""]))
TEXTS = st.one_of(st.lists(st.one_of(_PIECES, _NAMES), max_size=12).map("".join), st.text(max_size=20))
_SEGMENTS = st.sampled_from(["", ".", "..", "...", "a", "b.md", ".hidden", "a b", "规则", "~", "..a", "a.", "-"])
SPELLINGS = st.lists(_SEGMENTS, min_size=1, max_size=8).map("/".join)


@settings(max_examples=5 * settings().max_examples)  # cheap ones
@given(TEXTS)
@example("@é.md @规则/s.md @٣.md @ſ.md @a.tom @b.toml @c.json @d.yml @e.yaml @f.mdx @g.txt")
@example("@a.md.bak @a.b.md @.md @md @.env @f.MD @/ @.. @../ bob@example.com/x @-a.md @@a.md @a.md@b.md.")
def test_imports_are_those_of_a_reader_who_goes_by_characters(text: str) -> None:
    """The names, in order and as often as written."""
    assert list(mentions(text)) == list(scan(text))


@given(st.lists(TEXTS.filter(lambda text: "@" not in text), max_size=4), st.sampled_from([" ", "\n", ",", "é"]))
def test_an_import_stands_by_itself(texts: list[str], gap: str) -> None:
    """What stands between two imports, and is none itself, neither adds nor hides any."""
    names = [f"rules/{number}.md" for number in range(len(texts))]
    text = "".join(f"{before}@{name}{gap}" for before, name in zip(texts, names, strict=True))

    assert list(mentions(text)) == names


@given(SPELLINGS)
@example("")
@example("//a")
@example("///")
def test_a_path_has_one_normal_form(path: str) -> None:
    """The normal form is the model's, and cleaning it again changes nothing."""
    cleaned = clean_path(path)

    assert cleaned == clean(path)
    assert clean_path(cleaned) == cleaned


@given(TEXTS, SPELLINGS)
def test_an_import_points_where_the_model_says(text: str, importer: str) -> None:
    """From the folder of the importing file, or from the root."""
    importer = clean_path(importer)

    assert [resolve(name, importer) for name in mentions(text)] == [target(name, importer) for name in scan(text)]
