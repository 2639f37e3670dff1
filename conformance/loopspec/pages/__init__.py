"""What all HTML pages share: the rules as data, the theme, and Gherkin in a readable form."""

from .rules import PageRule, Section, address, areas, main_document, rules
from .theme import environment, theme
from .written import Feature, Rows, Scenario, WrittenRule, WrittenStep, features

__all__ = [
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
    "main_document",
    "rules",
    "theme",
]
