Feature: Tools that cannot be used
  A tool says what it is called and how it can be called. One that does neither
  is found out before anything else happens in a run, and two of one name when
  the agent is built: which of them a model means nobody could tell.

  @CFG-07 @clarified
  Rule: A tool that does not tell what it is lets the agent be built, and each run fail before its first hook

    Scenario: No information about one of two tools
      Given the tools
        | name | nameless |
        | t1   |          |
        | t2   | yes      |
      And a handler "H" that looks on
      When the agent runs
      Then the run fails
      And the stream ends with one error
      And "H" is never called before agent
      And the model is called 0 times

    Scenario: No information about the only tool
      Given the tools
        | name | nameless |
        | t1   | yes      |
      When the agent runs
      Then the run fails
      And the model is called 0 times

  @CFG-08 @clarified
  Rule: A tool that can be called in none of the four ways lets the run fail before the model is called

    Scenario: One of two tools cannot be called
      Given the tools
        | name | kind      |
        | t1   | invokable |
        | t2   | none      |
      When the agent runs
      Then the run fails, and "t2" is named
      And the model is called 0 times

  @CFG-09 @clarified
  Rule: Two tools of one name are refused when the agent is built

    Scenario: The first and the last of three tools
      Given the tools
        | name   | returns |
        | search | found   |
        | read   | text    |
        | search | nothing |
      When the agent runs
      Then the agent is refused, and "search" is named
