"""The words of the features: what each phrase says about a Scene or an Observation."""

from . import (  # noqa: F401  # importing a module enters its phrases
    given_agent,
    given_backend,
    given_configuration,
    given_files,
    then_backend,
    then_loads,
    then_runs,
    then_texts,
    then_warnings,
    when,
)
from .drafting import Check, Drafting
from .phrasebook import BOOK, Phrase, PhraseBook, PhraseError

__all__ = ["BOOK", "Check", "Drafting", "Phrase", "PhraseBook", "PhraseError"]
