Feature: What is retried, and how often
  Only model calls are retried, with the wrappers around them. Tools and the hooks before and after the model may have side
  effects, so they are not repeated. The retry predicate decides which errors are retried, the back-off callback returns
  the delay before a retry, and the answer check can reject an answer. A sub-agent is an agent that is a tool of another
  agent, the outer agent.

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
  Rule: When the retries of a model call are exhausted, the run fails with an error that says so and contains the error of the last attempt

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
      And a retry predicate that accepts the error "busy"
      And a model that answers
        | text | fails with |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails with the error "refused"
      And the model is called once

    Scenario: The first retry fails with a rejected error
      Given failed model calls are retried at most 3 times
      And a retry predicate that accepts the error "busy"
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails with the error "refused"
      And the model is called 2 times

    Scenario: The last allowed retry fails with a rejected error
      Given failed model calls are retried at most once
      And a retry predicate that accepts the error "busy"
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
  Rule: The caller's answer check decides by number, input, answer and error whether an attempt of a model call is accepted

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

    Scenario: An error that the check accepts, after one that the check rejects
      Given failed model calls are retried at most 3 times
      And an answer check that rejects "maybe"
      And the answer check accepts the error "refused"
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails
      And the model is called 2 times

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

    Scenario: A wrapper interrupts the run after an answer that is rejected later
      Given failed model calls are retried at most 3 times
      And an answer check that rejects "maybe"
      And a model that answers
        | text  |
        | maybe |
        | yes   |
      And a handler "H1" that, around model, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times

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

    Scenario Outline: A hook that fails only on its first call after an interrupt, <hook>
      Given failed model calls are retried at most 3 times
      And a handler "H1" that, <hook> call 1 of run 2, fails with "broken"
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
