"""`python -m tools.addresses FOLDER`: compare the addresses of the ledger's rules with the documents in a folder.

The documents are no part of the repository. `forms.toml` declares the structure of their texts: a document consists of
units, and each unit has one address and a digest.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from loopspec.contract.specification import features_root
from loopspec.specification.ledger import Ledger

from .checking import places, problems, with_digests
from .forms import FORMS, AddressError
from .units import Unit, normalized, read_units

_FIGURE = re.compile(r", figure \d+$")
_STROKES = re.compile(r"[^\x20-\x7e]+")


def main(arguments: Sequence[str] | None = None, forms: Path = FORMS, ledger: Path | None = None) -> int:
    """Run the command; return 1 if an address or a digest is wrong, 2 if the command cannot be performed."""
    asked = _arguments(arguments)
    path = ledger or features_root() / "ledger.toml"
    text = path.read_text(encoding="utf-8")
    try:
        units = read_units(asked.folder, _book(text).sections, forms)
        if asked.list:
            addressed = {place.where for place in places(_book(text))} if asked.unaddressed else set()
            print(*listing(units, asked.list, addressed), sep="\n")
            return 0
        if asked.write:
            text = with_digests(text, units)
            path.write_text(text, encoding="utf-8")
    except AddressError as error:
        print(f"tools.addresses: {error}", file=sys.stderr)
        return 2
    found = list(problems(units, _book(text)))
    print(*found, f"{len(found)} of the ledger's addresses are wrong", sep="\n")
    return 1 if found else 0


def _book(text: str) -> Ledger:
    return msgspec.toml.decode(text, type=Ledger)


def listing(units: dict[str, list[Unit]], document: str, but: Collection[str] = ()) -> Iterator[str]:
    """One line for each unit of a document, or of all, except some addresses: the address, the digest and the text."""
    if document not in ("all", *units):
        raise AddressError(f"there is no document {document!r}; there are {', '.join(units)}")
    for name, found in units.items():
        if document in (name, "all"):
            yield from (f"{unit.where}\t{unit.digest}\t{_shown(unit)}" for unit in found if unit.where not in but)


def _shown(unit: Unit) -> str:
    """The text of a unit; for a figure only the words, without box-drawing characters."""
    return normalized(_STROKES.sub(" ", unit.text)) if _FIGURE.search(unit.where) else unit.text


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.addresses", description="Check the addresses of the ledger.")
    parser.add_argument("folder", type=Path, help="the folder with the texts of the documents")
    parser.add_argument("--list", nargs="?", const="all", metavar="DOCUMENT", help="print the units of the documents")
    parser.add_argument("--unaddressed", action="store_true", help="with --list: only units that no row addresses")
    parser.add_argument("--write", action="store_true", help="write the digests of the documents into the ledger")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
