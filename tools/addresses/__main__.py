"""`python -m tools.addresses FOLDER`: compare the addresses of the ledger's rules with the documents in a folder.

The documents are no part of the repository. `forms.toml` declares the structure of their texts: a document consists of
units, and each unit has one address and a digest. `covered.toml` lists the units, each with its rule or its reason.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from loopspec.contract.specification import features_root
from loopspec.specification.ledger import Ledger

from .checking import copies
from .covering import COVERED, changes, load_covered, with_units
from .forms import FORMS, AddressError
from .units import Unit, normalized, read_units

_FIGURE = re.compile(r", figure \d+$")
_STROKES = re.compile(r"[^\x20-\x7e]+")


def main(
    arguments: Sequence[str] | None = None, forms: Path = FORMS, ledger: Path | None = None, covered: Path = COVERED
) -> int:
    """Run the command; return 1 if an address, a digest or a unit is wrong, 2 if the command cannot be performed."""
    asked = _arguments(arguments)
    book = msgspec.toml.decode((ledger or features_root() / "ledger.toml").read_bytes(), type=Ledger)
    try:
        units = read_units(asked.folder, book.sections, forms)
        if asked.list:
            print(*listing(units), sep="\n")
            return 0
    except AddressError as error:
        print(f"tools.addresses: {error}", file=sys.stderr)
        return 2
    if asked.write:
        text = with_units(covered.read_text(encoding="utf-8"), load_covered(covered), units)
        covered.write_text(text, encoding="utf-8")
    listed = load_covered(covered)
    found = [*changes(listed, units), *copies(units, book)]
    print(*found, f"{len(found)} differences in {sum(map(len, units.values()))} units", sep="\n")
    return 1 if found else 0


def listing(units: dict[str, list[Unit]]) -> Iterator[str]:
    """One line for each unit: the address, the digest and the text."""
    for unit in (unit for found in units.values() for unit in found):
        yield f"{unit.where}\t{unit.digest}\t{_shown(unit)}"


def _shown(unit: Unit) -> str:
    """The text of a unit; for a figure only the words, without box-drawing characters."""
    return normalized(_STROKES.sub(" ", unit.text)) if _FIGURE.search(unit.where) else unit.text


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.addresses", description="Check the addresses of the ledger.")
    parser.add_argument("folder", type=Path, help="the folder with the texts of the documents")
    parser.add_argument("--list", action="store_true", help="print the units of the documents")
    parser.add_argument("--write", action="store_true", help="write the units of the documents into the list")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
