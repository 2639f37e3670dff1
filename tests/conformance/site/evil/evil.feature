Feature: T @evil@
  P @evil@

  Background:
    Given the instruction file "/p/b.md" containing "B @evil@"

  @EVIL-01 @EVIL-03 @documented
  Rule: S @evil@

    Scenario Outline: O @evil@ <word>
      Given the instruction file "/p/a.md"
        """
        D @evil@
        """
      And the conversation
        | role | content |
        | user | C @evil@ |
      When the agent runs
      Then no warning is given

      Examples: E @evil@
        | word     |
        | W @evil@ |
