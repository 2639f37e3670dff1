"""The words of the features: what each phrase says about a Scene or an Observation."""

from . import (  # noqa: F401  # importing a module enters its phrases
    given_agent,
    given_backend,
    given_configuration,
    given_files,
    given_handlers,
    given_loop,
    given_plugins,
    given_runs,
    given_workflow,
    then_backend,
    then_built_ins,
    then_cancel,
    then_context,
    then_ends,
    then_events,
    then_handled,
    then_hooks,
    then_input,
    then_loads,
    then_plugins,
    then_recovery,
    then_runs,
    then_sub_agents,
    then_texts,
    then_trace,
    then_warnings,
    when,
    when_loop,
    when_plugins,
)
from .drafting import Check, Drafting
from .phrasebook import BOOK, Phrase, PhraseBook, PhraseError

__all__ = ["BOOK", "Check", "Drafting", "Phrase", "PhraseBook", "PhraseError"]
