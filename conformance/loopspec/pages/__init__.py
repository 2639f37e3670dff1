"""What all HTML pages share: the rules as data, the theme, and Gherkin in a readable form."""
