"""From a Scene to a scenario: the steps that build the Scene, and the text of the steps in Gherkin."""
