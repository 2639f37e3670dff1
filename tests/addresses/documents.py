"""The documents in a folder are read as units."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .forms import FORMS, AddressError, Form, check_sections, load_forms
from .units import Unit, units_of


def read_units(folder: Path, sections: Mapping[str, Mapping[str, str]], forms: Path = FORMS) -> dict[str, list[Unit]]:
    """The units of every document. `sections` are those of the ledger.

    Raises `AddressError` if the forms fit neither the ledger nor the files.
    """
    declared = load_forms(forms)
    check_sections(declared, sections)
    return {document: units_of(form, _read(folder, form)) for document, form in declared.items()}


def _read(folder: Path, form: Form) -> str:
    files = sorted(folder.glob(f"{form.file}*"))
    if len(files) != 1:
        raise AddressError(f"{folder}: {len(files)} files begin with {form.file!r}; one is expected")
    return files[0].read_text(encoding="utf-8")
