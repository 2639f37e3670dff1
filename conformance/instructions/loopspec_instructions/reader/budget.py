"""The budget: how many bytes of each file the model receives."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from .found import Found
from .loading import Load
from .reading import LoadedFile


def cut_to_budget(load: Load, found: Sequence[Found], groups: list[list[LoadedFile]]) -> None:
    """Cut the files, each of which has a group with its imports: "cut" on the axis `budget_cut`.

    A file of which only white space is left does not use up any bytes.
    """
    dialect, left = load.dialect, load.dialect.budget
    is_counted = [dialect.global_budget == "counted" or not each.is_global for each in found]
    counted = [number for number, group in enumerate(groups) if group and is_counted[number]]
    shares: dict[int, tuple[str, int | None]] = {}  # the text, and the number of bytes before decoding if it is cut
    from_end = (dialect.budget_order == "leaf-first") != (dialect.order == "from-working-directory")
    for number in reversed(counted) if from_end else counted:
        whole, around = _bytes_of(load, found[number], groups[number], is_last=number == counted[-1])
        left = max(left - around, 0)
        data = whole[:left]
        is_cut = len(data) < len(whole)
        text = data.decode(errors="ignore" if is_cut and dialect.budget_character == "dropped" else "replace")
        if is_cut and dialect.surrounding_space == "removed":
            text = text.strip()
        if text.strip():
            left -= len(data) if dialect.budget_counts == "contents" else len(text.encode())
            shares[number] = text, len(data) if is_cut else None
    for number in counted:
        path, (text, kept) = found[number].path, shares.get(number, ("", 0))
        if not text:
            load.note("over-budget", path)
            groups[number] = []
        elif kept is not None:
            load.note("cut", path, at=kept)
            if dialect.budget_counts != "sections":
                text = load.trimmed(load.shown(text), is_global=found[number].is_global)
            groups[number] = _shortened(groups[number], text, kept)


def _bytes_of(load: Load, found: Found, group: list[LoadedFile], *, is_last: bool) -> tuple[bytes, int]:
    """Return the bytes of a file, and the number of bytes around them that count toward the budget."""
    dialect = load.dialect
    if dialect.budget_counts == "sections":
        around = dialect.heading.format(path=found.path) + ("" if is_last else dialect.separator)
        return group[0].text.encode(), len(around.encode(errors="surrogateescape"))
    return found.content.data if dialect.imports == "none" else group[0].text.encode(), 0


def _shortened(group: list[LoadedFile], text: str, kept: int) -> list[LoadedFile]:
    """Return a file and its imports after a cut; an import after the cut is gone."""
    first, *imported = group
    short = replace(first, whole=text, end=len(text), cut=kept)
    left = [replace(each, whole=text, end=min(each.end, len(text))) for each in imported if each.start < len(text)]
    return [short, *left]
