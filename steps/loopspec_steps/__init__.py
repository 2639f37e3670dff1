"""The words of the features: what each phrase says about a Scene or an Observation."""

from .builders.scenario import Check, ScenarioBuilder
from .declarations import PhraseError
from .phrasebook import BOOK, Phrase, PhraseBook

__all__ = ["BOOK", "Check", "Phrase", "PhraseBook", "PhraseError", "ScenarioBuilder"]
