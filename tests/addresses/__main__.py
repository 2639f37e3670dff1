"""`python -m tests.addresses FOLDER`: what the documents in this folder say of the ledger's addresses."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from loopspec.specification.ledger import ledger

from .forms import FormError, check_sections, load_forms
from .sentences import normalized
from .units import Unit, read_document, units_of

_STROKES = re.compile(r"[^\x20-\x7e]+")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for."""
    asked = _arguments(arguments)
    try:
        units = read_units(asked.folder)
        for line in listing(units, asked.list):
            print(line)
    except FormError as error:
        print(f"tests.addresses: {error}", file=sys.stderr)
        return 2
    return 0


def read_units(folder: Path) -> dict[str, list[Unit]]:
    """The units of every document of the ledger."""
    forms = load_forms()
    check_sections(forms, ledger().sections)
    return {document: units_of(form, read_document(folder, form)) for document, form in forms.items()}


def listing(units: dict[str, list[Unit]], document: str) -> Iterator[str]:
    """One line for each unit of a document, or of all: its address, its digest and its text."""
    for name, found in units.items():
        if document in (name, "all"):
            yield from (f"{unit.where}\t{unit.digest}\t{_shown(unit)}" for unit in found)


def _shown(unit: Unit) -> str:
    """The text of a unit; of a figure the words alone, without the strokes of its boxes."""
    return normalized(_STROKES.sub(" ", unit.text)) if ", figure " in unit.where else unit.text


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.addresses", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the texts of the documents")
    parser.add_argument("--list", nargs="?", const="all", metavar="DOCUMENT", help="print the units of the documents")
    return parser.parse_args(arguments)


sys.exit(main())
