Feature: A well-behaved handler
  A handler can do almost anything to a run, and agents are built of handlers by
  different authors. These rules hold for all of them, whatever they are for:
  they are what lets one handler be put beside another. They are judged with the
  reference's loop around the handler.

  Background:
    Given a model that answers
      | text | calls  |
      | look | search |
      | done |        |
    And a tool "search" that returns "found"

  @HANDLER-01 @clarified
  Rule: A handler changes nothing in place that it is given

    Scenario Outline: A tool call between two model calls, in a <mode> run
      Given a <mode> run
      And the handler under test
      When the agent runs
      Then the handler under test leaves what it is given as it was

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HANDLER-02 @clarified
  Rule: Each hook of a handler returns what it is to return

    Scenario Outline: Every hook is called in a <mode> run
      Given a <mode> run
      And the handler under test
      When the agent runs
      Then each hook of the handler under test returns what it is to return

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HANDLER-03 @clarified
  Rule: A handler does not tell one run of an agent from the next

    Scenario: Two runs with the same conversation
      Given the handler under test
      When the agent runs twice
      Then all runs send their models the same

  @HANDLER-04 @clarified
  Rule: A handler serves several runs at the same time as it serves one

    Scenario: Three runs, one step of each at a time
      Given the handler under test
      And a handler "the last" that, before model call 2, waits until the tool "search" is called in run 3
      When the agent runs 3 times at once
      Then all runs send their models the same

  @HANDLER-05 @clarified
  Rule: An idempotent handler changes nothing more when it is called again on what it returned

    Scenario: Each hook around a model call, twice
      Given the handler under test, which claims to be idempotent
      When the agent runs
      Then called again on what it returned, the handler under test changes nothing more

  @HANDLER-06 @clarified
  Rule: A handler that claims to be a no-op changes nothing that models, tools or callers can see

    Scenario Outline: Between two that look on, in a <mode> run
      Given a <mode> run
      And a handler "the first" that looks on
      And the handler under test, which claims to be a no-op
      And a handler "the last" that looks on
      When the agent runs
      Then the trace is
        """
        before agent the first
        before agent the last
        before model the first
        before model the last
        around model the first
          around model the last
            model
        after model the first
        after model the last
        around tool the first
          around tool the last
            tool search
        before model the first
        before model the last
        around model the first
          around model the last
            model
        after model the first
        after model the last
        after agent the first
        after agent the last
        """
      And model call 2 receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant | look    | search |
        | tool      | found   |        |
      And the events of the agent are
        | role      | content |
        | assistant | look    |
        | tool      | found   |
        | assistant | done    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
