Feature: Retrying failed model calls
  Model providers time out and reject calls under load. An agent with a retry configuration repeats a failed model call,
  up to a limit, and continues with the first success. The back-off callback returns the delay before a retry.

  @RETRY-01 @documented
  Rule: With retry configured, a successful retry replaces the failed model call

    Scenario: One failure, two retries allowed
      Given failed model calls are retried at most 2 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

    Scenario: A model call after a retried one
      Given failed model calls are retried at most 2 times
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

    Scenario: The ninth retry succeeds
      Given failed model calls are retried at most 9 times
      And a back-off of N seconds before retry N
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the final answer is "done"
      And the model is called 10 times

    Scenario: A model call of a sub-agent fails
      Given a sub-agent "helper"
      And an input schema without properties
      And failed model calls are retried at most 2 times
      And a model that answers
        | text   | fails with |
        |        | busy       |
        | helped |            |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the final answer is "done"
      And "model helper's" is called 2 times
      And "model" is called 2 times

    Scenario: A model call of a resumed run fails
      Given failed model calls are retried at most 2 times
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls | fails with |
        |      | t1    |            |
        |      |       | busy       |
        | done |       |            |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the final answer of run 2 is "done"
      And the model is called 3 times

  @RETRY-10 @derived
  Rule: Without a retry configuration, a failed model call is not retried

    Scenario Outline: The model of a <mode> run fails once
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

    Scenario: The model fails once after an interrupt
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | text | fails with |
        | t1    |      |            |
        |       |      | busy       |
        |       | late |            |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the model is called 2 times

  @RETRY-24 @derived
  Rule: A successful model call is not repeated

    Scenario: Two model calls of a run succeed
      Given failed model calls are retried at most 3 times
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

  @RETRY-02 @derived
  Rule: Each retry of a model call receives the same messages and tools

    Scenario: A conversation, an instruction and two tools
      Given an agent with the instruction "Be brief."
      And failed model calls are retried at most 2 times
      And the tools
        | name |
        | t1   |
        | t2   |
      And a model that answers
        | text | fails with |
        |      | busy       |
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
      And in any order, model call 2 receives the tools "t1", "t2"
      And model call 3 receives
        | role      | content   |
        | system    | Be brief. |
        | user      | One?      |
        | assistant | Two.      |
        | user      | Three?    |
      And in any order, model call 3 receives the tools "t1", "t2"

    Scenario: A stream that breaks after a chunk
      Given a streaming run
      And failed model calls are retried at most 2 times
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |

    @axis:edits-last
    Scenario: A stream that breaks after a tool call
      Given a streaming run
      And failed model calls are retried at most 2 times
      And a tool "t1" that returns "found"
      And a handler "H" with the actions
        | hook         | action                                                                                         |
        | before agent | sets the tool search to "search"                                                               |
        | before model | defers the tools "t9"; inserts the user message "Here." first; offers the model the tools "t1" |
      And a model that answers
        | chunks  | calls | fails with | after chunks |
        | I/ look | t1    |            |              |
        | he/llo  |       | busy       | 1            |
        | do/ne   |       |            |              |
      When the agent runs
      Then model call 3 receives
        | role      | content | calls |
        | user      | Here.   |       |
        | user      | Here.   |       |
        | user      | Hello.  |       |
        | assistant | I look  | t1    |
        | tool      | found   |       |
      And model call 3 receives only the tool "t1"
      And model call 3 receives only the deferred tool "t9"
      And model call 3 receives the tool search "search"

  @RETRY-05 @derived
  Rule: In a synchronous run, a failed attempt of a model call emits no event

    Scenario: Two failures before the first answer
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the events are
        | event   | role      | content |
        | message | assistant | done    |

    Scenario: Two failures after a tool call
      Given failed model calls are retried at most 3 times
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
  Rule: Each model call of a run has its full number of retries

    Scenario: Three model calls of a run fail once each
      Given failed model calls are retried at most 2 times
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

    Scenario: A run after a run whose retries are exhausted
      Given failed model calls are retried at most 2 times
      And a model that answers
        | fails with |
        | first      |
        | second     |
        | third      |
      When the agent runs twice
      Then the model is called 6 times

    Scenario: Two concurrent runs that fail once each
      Given failed model calls are retried at most once
      And the tools
        | name | returns | held until                       |
        | t1   | one     | the tool "t1" is called in run 2 |
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        |      |       | busy       |
        | done |       |            |
      When the agent runs 2 times concurrently
      Then the final answer is "done"
      And the final answer of run 2 is "done"

  @RETRY-16 @derived
  Rule: A failed tool call is not retried

    Scenario: A tool fails while model calls may be retried
      Given failed model calls are retried at most 3 times
      And the tools
        | name | fails with |
        | t1   | broken     |
      And a model that answers
        | text | calls |
        |      | t1    |
        | late |       |
      When the agent runs
      Then the tool "t1" runs once

    Scenario Outline: A tool <fails> in the second iteration of a <mode> run, in which a model call is retried
      Given a <mode> run
      And failed model calls are retried at most 3 times
      And the tools
        | name | fails with | crashes |
        | t1   |            |         |
        | t2   | <error>    | <crash> |
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        |      | t2    |            |
        | late |       |            |
      When the agent runs
      Then the tool "t1" runs once
      And the tool "t2" runs once

      Examples:
        | fails   | mode        | error  | crash |
        | fails   | synchronous | broken |       |
        | fails   | streaming   | broken |       |
        | crashes | synchronous |        | yes   |
