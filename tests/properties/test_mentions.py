"""The imports of a text and their targets, compared with the model."""

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


@settings(max_examples=5 * settings().max_examples)  # fast examples
@given(TEXTS)
@example("@é.md @规则/s.md @٣.md @ſ.md @a.tom @b.toml @c.json @d.yml @e.yaml @f.mdx @g.txt")
@example("@a.md.bak @a.b.md @.md @md @.env @f.MD @/ @.. @../ bob@example.com/x @-a.md @@a.md @a.md@b.md.")
def test_imports_equal_those_of_the_model(text: str) -> None:
    """The imports are equal, in order and with repetitions."""
    assert list(mentions(text)) == list(scan(text))


@given(st.lists(TEXTS.filter(lambda text: "@" not in text), max_size=4), st.sampled_from([" ", "\n", ",", "é"]))
def test_imports_are_independent_of_the_text_between(texts: list[str], gap: str) -> None:
    """A text between two imports neither adds nor hides an import."""
    names = [f"rules/{number}.md" for number in range(len(texts))]
    text = "".join(f"{before}@{name}{gap}" for before, name in zip(texts, names, strict=True))

    assert list(mentions(text)) == names


@given(SPELLINGS)
@example("")
@example("//a")
@example("///")
def test_a_path_is_normalized(path: str) -> None:
    """The normalized path is the model's, and normalizing is idempotent."""
    cleaned = clean_path(path)

    assert cleaned == clean(path)
    assert clean_path(cleaned) == cleaned


@given(TEXTS, SPELLINGS)
def test_an_import_has_the_target_of_the_model(text: str, importer: str) -> None:
    """A path is relative to the importing file's folder, or absolute."""
    importer = clean_path(importer)

    assert [resolve(name, importer) for name in mentions(text)] == [target(name, importer) for name in scan(text)]
