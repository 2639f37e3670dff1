Feature: What counts as a failed model call
  Retrying knows one kind of failure: that of a model call, which is the model together with the handlers around it.
  Tools and the hooks before and after the model act on the world, and are not repeated behind anybody's back. An
  interrupt is no failure at all.

  @RETRY-16 @derived
  Rule: A tool that fails is not called again

    Scenario: A tool that fails while model calls may be retried
      Given failed model calls are made again 3 times at most
      And the tools
        | name | fails with |
        | t1   | broken     |
      And a model that answers
        | text | calls |
        |      | t1    |
        | late |       |
      When the agent runs
      Then the tool "t1" runs once

  @RETRY-17 @derived
  Rule: A hook before or after the model that fails is not called again

    Scenario Outline: It would not fail a second time <hook>
      Given failed model calls are made again 3 times at most
      And a handler "H1" that, <hook> call 1, fails with "broken"
      And a model that answers
        | text |
        | done |
        | done |
      When the agent runs
      Then "H1" is called once <hook>

      Examples:
        | hook         |
        | before model |
        | after model  |

  @RETRY-25 @derived
  Rule: An interrupt is not a failure, and nothing is retried after it

    Scenario Outline: A tool that interrupts a <mode> run
      Given a <mode> run
      And failed model calls are made again 3 times at most
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      When the agent runs and is resumed
      Then the trace is
        """
        model
        tool t1
        """
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
