Feature: Retrying failed model calls
  Models are far away, and calls of them fail. An agent that is configured to retry makes a failed call again, a
  limited number of times, and goes on with the first success as if nothing had been. What becomes of streams that
  break in the middle is told in another feature.

  @RETRY-01 @documented
  Rule: A model call that fails is made again, and a later success is used

    Scenario Outline: One failure and room for two retries, in a <mode> run
      Given a <mode> run
      And failed model calls are made again 2 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The answer that came in the end is all that is left of the call
      Given failed model calls are made again 2 times at most
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        | done |       |            |
      When the agent runs
      Then model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | ok      |       |

  @RETRY-02 @derived
  Rule: Every attempt is sent the same messages and tools

    Scenario: A conversation, an instruction and two tools
      Given an agent with the instruction "Be brief."
      And failed model calls are made again 2 times at most
      And the tools
        | name |
        | t1   |
        | t2   |
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then model call 2 receives
        | role      | content   |
        | system    | Be brief. |
        | user      | One?      |
        | assistant | Two.      |
        | user      | Three?    |
      And in any order, model call 2 is offered the tools t1, t2

  @RETRY-05 @derived
  Rule: In a synchronous run, an attempt that failed shows nothing

    Scenario: Two failures before the answer
      Given failed model calls are made again 3 times at most
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the events are
        | event   | role      | content |
        | message | assistant | done    |

    Scenario: The model fails two times when it has called a tool
      Given failed model calls are made again 3 times at most
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls | fails with |
        | asking | t1    |            |
        |        |       | busy       |
        |        |       | busy       |
        | done   |       |            |
      When the agent runs
      Then the events are
        | content |
        | asking  |
        | one     |
        | done    |

  @RETRY-09 @derived
  Rule: Each model call of a run has all of its retries

    Scenario Outline: Three calls of a <mode> run that fail once each
      Given a <mode> run
      And failed model calls are made again 2 times at most
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        |      |       | busy       |
        |      | t1    |            |
        |      |       | busy       |
        | done |       |            |
      When the agent runs
      Then the final answer is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETRY-24 @derived
  Rule: A model call that succeeds is not made again

    Scenario Outline: Nothing fails in a <mode> run
      Given a <mode> run
      And failed model calls are made again 3 times at most
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETRY-10 @derived
  Rule: Without a retry configuration, a failed model call is not made again

    Scenario Outline: A model that would have answered in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | fails with |
        |      | busy       |
        | late |            |
      When the agent runs
      Then the run fails
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
