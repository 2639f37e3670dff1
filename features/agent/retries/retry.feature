Feature: Retrying failed model calls
  Model providers time out and reject calls under load. An agent with a retry configuration repeats a failed model call,
  up to a limit, and continues with the first success. Only model calls are retried, with the wrappers around them.
  Tools and the hooks before and after the model may have side effects, so they are not repeated. The retry predicate
  decides which errors are retried, the back-off callback returns the delay before a retry, and the answer check can
  reject an answer.

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
      And model call 3 receives the tools "t1"
      And model call 3 receives the deferred tools "t9"
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

  @RETRY-26 @clarified
  Rule: A failed model call is retried at most as often as configured

    Scenario Outline: A model that always fails, retried <times> at most in a <mode> run
      Given a <mode> run
      And failed model calls are retried at most <times>
      And a model that answers
        | fails with |
        | first      |
        | second     |
        | third      |
        | fourth     |
      When the agent runs
      Then the model is called <calls>

      Examples: One retry, and several
        | mode        | times   | calls   |
        | synchronous | once    | 2 times |
        | synchronous | 2 times | 3 times |
        | streaming   | 2 times | 3 times |

      Examples: No retry
        | mode        | times   | calls  |
        | synchronous | 0 times | 1 time |
        | streaming   | 0 times | 1 time |

  @RETRY-03 @clarified
  Rule: When the retries of a model call are exhausted, the run reports the error of the last attempt

    Scenario Outline: Retried <times> at most in a <mode> run, with a different error each time
      Given a <mode> run
      And failed model calls are retried at most <times>
      And a model that answers
        | fails with |
        | first      |
        | second     |
        | third      |
        | fourth     |
      When the agent runs
      Then the retries are exhausted, with the last error "<last>"

      Examples: One retry, and several
        | mode        | times   | last   |
        | synchronous | once    | second |
        | synchronous | 2 times | third  |
        | streaming   | 2 times | third  |

  @RETRY-04 @clarified
  Rule: Without a retry predicate, every error of a model call is retried

    Scenario Outline: A model call fails with a <kind>
      Given failed model calls are retried at most once
      And a model that answers
        | text | fails with | crashes   |
        |      | busy       | <crashes> |
        | done |            |           |
      When the agent runs
      Then the final answer is "done"

      Examples:
        | kind           | crashes |
        | returned error | no      |
        | crash          | yes     |

  @RETRY-06 @clarified
  Rule: The run ends with the first error that the retry predicate rejects

    Scenario: The first attempt fails with a rejected error
      Given failed model calls are retried at most 3 times
      And a retry predicate that accepts the errors "busy"
      And a model that answers
        | text | fails with |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails with the error "refused"
      And the model is called once

    Scenario: The first retry fails with a rejected error
      Given failed model calls are retried at most 3 times
      And a retry predicate that accepts the errors "busy"
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails with the error "refused"
      And the model is called 2 times

  @RETRY-08 @clarified
  Rule: Before retry N of a model call, the run waits as long as the back-off callback returns for N

    Scenario: Two failures of one model call
      Given failed model calls are retried at most 3 times
      And a back-off of N seconds before retry N
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the back-off callbacks are called with
        | callback | number | calls before |
        | back-off | 1      | 1            |
        | wait     | 1      | 1            |
        | back-off | 2      | 2            |
        | wait     | 2      | 2            |

    Scenario: One failure in each of two model calls
      Given failed model calls are retried at most 3 times
      And a back-off of N seconds before retry N
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        |      |       | busy       |
        | done |       |            |
      When the agent runs
      Then the back-off callbacks are called with
        | callback | number | calls before |
        | back-off | 1      | 1            |
        | wait     | 1      | 1            |
        | back-off | 1      | 3            |
        | wait     | 1      | 3            |

  @RETRY-19 @clarified
  Rule: The answer check accepts or rejects each attempt by its number, input, answer and error

    Scenario: A failed attempt, a rejected answer and an accepted answer
      Given failed model calls are retried at most 3 times
      And an answer check that rejects "maybe"
      And a model that answers
        | text  | fails with |
        |       | busy       |
        | maybe |            |
        | yes   |            |
      When the agent runs
      Then the final answer is "yes"
      And the answer check callbacks are called with
        | number | input  | answer | error |
        | 1      | Hello. |        | busy  |
        | 2      | Hello. | maybe  |       |
        | 3      | Hello. | yes    |       |

    Scenario: A rejected answer in the second model call
      Given failed model calls are retried at most 3 times
      And an answer check that rejects "maybe"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text  | calls |
        |       | t1    |
        | maybe |       |
        | yes   |       |
      When the agent runs
      Then the final answer is "yes"
      And the answer check callbacks are called with
        | number | input      | answer |
        | 1      | Hello.     |        |
        | 1      | Hello.//ok | maybe  |
        | 2      | Hello.//ok | yes    |

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

  @RETRY-17 @derived
  Rule: A failed before-model or after-model hook is not retried

    Scenario Outline: A hook that fails only on its first call, <hook>
      Given failed model calls are retried at most 3 times
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

    Scenario Outline: A hook that fails only on its second call, <hook>, after an interrupt
      Given failed model calls are retried at most 3 times
      And a handler "H1" that, <hook> call 2, fails with "broken"
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
        | done |       |
      When the agent runs and is resumed
      Then "H1" is called 2 times <hook>

      Examples:
        | hook         |
        | before model |
        | after model  |

  @RETRY-25 @derived
  Rule: An interrupt does not cause a retry

    Scenario Outline: A tool that interrupts a <mode> run
      Given a <mode> run
      And failed model calls are retried at most 3 times
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      When the agent runs and is resumed
      Then the trace of run 1 is
        """
        model
        tool t1
        """
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A tool that interrupts a <mode> run in the second iteration, after a retried model call
      Given a <mode> run
      And failed model calls are retried at most 3 times
      And the tools
        | name | interrupts |
        | t1   |            |
        | t2   | yes        |
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        |      | t2    |            |
        | done |       |            |
      When the agent runs and is resumed
      Then the trace of run 1 is
        """
        model
        model
        tool t1
        model
        tool t2
        """
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A tool that interrupts the run of a sub-agent, with retries in both agents
      Given a sub-agent "helper"
      And an input schema without properties
      And failed model calls are retried at most 3 times
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text   | calls |
        |        | t1    |
        | helped |       |
      And an outer agent
      And failed model calls are retried at most 3 times
      And a model that answers
        | text | calls  |
        |      | helper |
        | done |        |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the trace of "helper" is
        """
        model helper's
        tool t1
        """
      And the final answer of run 2 is "done"
