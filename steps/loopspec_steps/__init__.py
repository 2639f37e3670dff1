"""The words of the features: what each phrase says about a Scene or an Observation."""

from . import (  # noqa: F401  # importing a module enters its phrases
    given_agent,
    given_backend,
    given_configuration,
    given_files,
    given_handlers,
    given_loop,
    given_runs,
    then_backend,
    then_ends,
    then_events,
    then_hooks,
    then_loads,
    then_runs,
    then_texts,
    then_trace,
    then_warnings,
    when,
    when_loop,
)
from .drafting import Check, Drafting
from .phrasebook import BOOK, Phrase, PhraseBook, PhraseError

__all__ = ["BOOK", "Check", "Drafting", "Phrase", "PhraseBook", "PhraseError"]
