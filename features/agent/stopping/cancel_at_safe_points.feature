Feature: Cancelling at safe points
  Whoever starts a run can have a way to cancel it. A request names safe points:
  after the model call, where the answer is known and none of its tools has
  begun, or after the tool calls, where all results are known. The run goes on to
  the next such point and stops there, so nothing is broken off half-way.

  @CANCEL-01 @derived
  Rule: A run cancelled after the model call lets that call end and makes none of the tool calls it asks for

    Scenario Outline: Asked for during a model call of a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until                    |
        | t1    |      | the cancellation is asked for |
        |       | done |                               |
      And the run is to be cancelled after the model call, which is asked for when the model is called
      When the agent runs
      Then the trace is
        """
        model
        """
      And everything that was called has returned

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Asked for in the middle of a streamed answer
      Given a streaming run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | chunks | text | second chunk held until       |
        | t1    | a/b    |      | the cancellation is asked for |
        |       |        | done |                               |
      And the run is to be cancelled after the model call, which is asked for when chunk 1 has appeared
      When the agent runs
      Then the trace is
        """
        model
        """
      And everything that was called has returned

  @CANCEL-03 @derived
  Rule: A run cancelled after the tool calls makes all tool calls of the answer and then no model call

    Scenario Outline: Asked for during the model call of a <mode> run that asks for two tools
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | calls  | text | held until                    |
        | t1, t2 |      | the cancellation is asked for |
        |        | done |                               |
      And the run is to be cancelled after the tool calls, which is asked for when the model is called
      When the agent runs
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And the model is called once
      And everything that was called has returned

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Asked for during a tool call
      Given the tools
        | name | held until                    |
        | t1   | the cancellation is asked for |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the tool calls, which is asked for when the tool "t1" is called
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """
      And everything that was called has returned

  @CANCEL-21 @documented
  Rule: One request can name both safe points

    Scenario: Both points are named during a model call that asks for a tool
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until                    |
        | t1    |      | the cancellation is asked for |
        |       | done |                               |
      And the run is to be cancelled at either point, which is asked for when the model is called
      When the agent runs
      Then the model is called once

  @CANCEL-05 @derived
  Rule: A request that names both safe points stops the run at the first one that is reached

    Scenario: Asked for during a model call that asks for a tool
      Given a tool "t1" that returns "ok"
      And a model that answers
        | calls | text | held until                    |
        | t1    |      | the cancellation is asked for |
        |       | done |                               |
      And the run is to be cancelled at either point, which is asked for when the model is called
      When the agent runs
      Then the trace is
        """
        model
        """

    Scenario: Asked for during the tool call of an answer
      Given the tools
        | name | held until                    |
        | t1   | the cancellation is asked for |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t1    |      |
        |       | done |
      And the run is to be cancelled at either point, which is asked for when the tool "t1" is called
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        """

  @CANCEL-06 @clarified
  Rule: A safe point that has passed is waited for until it comes again

    Scenario: After the model call, asked for during the tool call that follows it
      Given the tools
        | name | held until                    |
        | t1   | the cancellation is asked for |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t1    |      |
        |       | done |
      And the run is to be cancelled after the model call, which is asked for when the tool "t1" is called
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        """
