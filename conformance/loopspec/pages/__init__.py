"""What all pages that people open have in common: the rules as data, the colours, the Gherkin made readable."""

from .rules import PageRule, Section, address, areas, rules
from .theme import environment, theme
from .topics import TOPICS, topic
from .written import Feature, Rows, Scenario, WrittenRule, WrittenStep, features

__all__ = [
    "TOPICS",
    "Feature",
    "PageRule",
    "Rows",
    "Scenario",
    "Section",
    "WrittenRule",
    "WrittenStep",
    "address",
    "areas",
    "environment",
    "features",
    "rules",
    "theme",
    "topic",
]
