Feature: Well-behaved handlers
  An agent often combines handlers by different authors. These rules apply to
  every handler, whatever its purpose. A handler that follows them works
  together with other handlers. The handler under test is the one that the
  adapter provides. The handler runs in the loop of the reference, or of the
  framework that the handler is written for.

  Background:
    Given a model that answers
      | text | calls  |
      | look | search |
      | done |        |
    And a tool "search" that returns "found"

  @HANDLER-01 @clarified
  Rule: A handler does not modify in place any value that it receives

    Scenario Outline: A tool call between two model calls, in a <mode> run
      Given a <mode> run
      And the handler under test
      When the agent runs
      Then the handler under test does not modify its inputs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HANDLER-02 @clarified
  Rule: Each hook of a handler returns a valid value

    Scenario Outline: Every hook, in a <mode> run
      Given a <mode> run
      And the handler under test
      When the agent runs
      Then each hook of the handler under test returns a valid result

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HANDLER-03 @clarified
  Rule: A handler leads to the same model calls in consecutive runs with the same conversation

    Scenario: Two runs with the same conversation
      Given the handler under test
      When the agent runs twice
      Then all runs make the same model calls
      And the model is called 4 times

  @HANDLER-04 @clarified
  Rule: A handler leads to the same model calls in each of several concurrent runs

    Scenario: Three runs that take turns
      Given the handler under test
      And a handler "the last" that, before model call 2, waits until the tool "search" is called in run 3
      When the agent runs 3 times concurrently
      Then all runs make the same model calls

  @HANDLER-05 @clarified
  Rule: An idempotent handler changes nothing when it is called again with the values that it returned

    Scenario: Each hook around a model call runs twice
      Given the handler under test, which claims to be idempotent
      When the agent runs
      Then called again on its own result, the handler under test changes nothing
      And the model is called 2 times

  @HANDLER-06 @clarified
  Rule: A no-op handler makes no change that a model, a tool or the caller can observe

    @axis:after-order @axis:nesting
    Scenario Outline: Between two handlers that observe, in a <mode> run
      Given a <mode> run
      And a handler "the first" that observes
      And the handler under test, which claims to be a no-op
      And a handler "the last" that observes
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
