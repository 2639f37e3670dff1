Feature: The case that must fail
  It runs in every run, against a target that does nothing. If it ever passes,
  nothing that the suite says can be trusted.

  @CANARY-01 @clarified
  Rule: A target that does nothing gives a warning

    Scenario: A sentence that is not true
      Given the configured files "/p/missing.md"
      When the instructions are loaded
      Then a warning is given
