Feature: The iteration limit
  A model that always calls tools keeps a run going forever. The iteration limit
  is the largest number of model calls in a run. Only the calls of the loop
  count, not the retries within a call or the tool calls between two calls. A
  return-directly tool is a tool whose result ends the run.

  @MAXITER-01 @derived
  Rule: An iteration limit of N allows N model calls

    Scenario: The last allowed model call gives the final answer
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 3
      When the agent runs
      Then the final answer is "done"
      And the model is called 3 times

    @axis:calls-without-tools=<presupposed>
    Scenario Outline: A limit of one without tools, with an answer that calls <calls>
      Given an agent
      And an iteration limit of 1
      And a model that answers
        | text | calls   |
        | done | <calls> |
      When the agent runs
      Then the final answer is "done"

      Examples: an answer without tool calls
        | calls   | presupposed |
        | nothing |             |

      Examples: an answer that calls an unknown tool
        | calls | presupposed |
        | t1    | final       |

    Scenario: A limit above the default
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 29 times before it answers "done"
      And an iteration limit of 30
      When the agent runs
      Then the final answer is "done"
      And the model is called 30 times

    Scenario: A sub-agent and its outer agent that use all their calls, after an interrupt
      Given a streaming run
      And a sub-agent "helper"
      And a tool "t1" that returns "one"
      And an iteration limit of 3
      And a model that answers
        | calls   | text   |
        | t1 as p |        |
        | t1 as q |        |
        |         | helped |
      And an outer agent
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant |         |
        | user      | Grüße.  |
      And tool calls run sequentially
      And an iteration limit of 4
      And the tools
        | name | interrupts |
        | t0   | yes        |
        | t2   |            |
      And a model that answers
        | calls                             | text |
        | t0 as b                           |      |
        | helper({"request": "Bonn?"}) as a |      |
        | t2 as c                           |      |
        |                                   | done |
      And a handler "H1" that observes before model
      And a handler "H2" that observes after model
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And run 3 is interrupted by "t0"
      And "model helper's" is called 3 times

  @MAXITER-02 @derived
  Rule: Tool calls do not count toward the iteration limit

    Scenario: More tool calls than model calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
        | t3   | three   |
      And a model that answers
        | calls      | text |
        | t1, t2, t3 |      |
        |            | done |
      And an iteration limit of 3
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

  @MAXITER-11 @derived
  Rule: The tool calls of the last allowed model call still run

    Scenario: The last allowed model call calls a tool
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the tool "t1" runs 2 times

    @axis:limit-ends @axis:message-events=<messages>
    Scenario Outline: The events at the limit, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      And an iteration limit of 1
      When the agent runs
      Then the events are
        | role      |
        | assistant |
        | tool      |
        |           |
      And the stream ends with one error

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    Scenario: Two calls of the last allowed model call, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And an iteration limit of 2
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that observes before model
      When the agent runs twice
      Then the tool "t0" runs 4 times
      And the tool "t1" runs 4 times

  @MAXITER-03 @documented
  Rule: A run that needs more model calls than the iteration limit allows fails

    @axis:limit-ends
    Scenario: One model call more than the limit
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the run fails
      And the model is called 2 times

  @MAXITER-04 @documented
  Rule: The default iteration limit is 20

    @axis:limit-default
    Scenario: The twentieth model call gives the final answer
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 19 times before it answers "done"
      When the agent runs
      Then the final answer is "done"
      And the model is called 20 times

    @axis:limit-ends @axis:limit-default
    Scenario: A twenty-first model call is needed
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 20 times before it answers "done"
      When the agent runs
      Then the run fails
      And the model is called 20 times

  @MAXITER-05 @clarified
  Rule: An iteration limit of zero or less stands for the default limit

    @axis:limit-ends @axis:limit-zero @axis:limit-default
    Scenario Outline: A limit of <limit>
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 20 times before it answers "done"
      And an iteration limit of <limit>
      When the agent runs
      Then the run fails
      And the model is called 20 times

      Examples: zero
        | limit |
        | 0     |

      Examples: below zero
        | limit |
        | -1    |

  @MAXITER-07 @derived
  Rule: Retries and failovers within a model call do not count toward the iteration limit

    Scenario: A model call that is retried
      Given a tool "t1" that returns "one"
      And failed model calls are retried at most 3 times
      And a model that answers
        | fails with | calls | text |
        | busy       |       |      |
        | busy       |       |      |
        |            | t1    |      |
        |            |       | done |
      And an iteration limit of 2
      When the agent runs
      Then the final answer is "done"

    Scenario: Two broken streams in each of two model calls
      Given a streaming run
      And a tool "t1" that returns "one"
      And failed model calls are retried at most 3 times
      And a model that answers
        | chunks | fails with | after chunks | calls |
        | he/llo | busy       | 1            |       |
        | he/llo | busy       | 1            |       |
        | asking |            |              | t1    |
        | he/llo | busy       | 1            |       |
        | he/llo | busy       | 1            |       |
        | do/ne  |            |              |       |
      And an iteration limit of 2
      When the agent runs
      Then the final answer is "done"

    Scenario: A model call that fails over to another model
      Given a tool "t1" that returns "one"
      And a failover, at most once, to the model "b1"
      And a model that answers
        | fails with | text |
        | down       |      |
        |            | done |
      And a model "b1" that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And an iteration limit of 2
      When the agent runs
      Then the final answer is "done"

  @MAXITER-09 @derived
  Rule: The iteration limit applies to each run separately

    Scenario: Two runs that together exceed the limit
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 3
      When the agent runs twice
      Then the run succeeds
      And the model is called 4 times

    @axis:limit-ends
    Scenario: The first of two runs reaches the limit
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs twice
      Then the model is called 4 times

    Scenario: A sub-agent that makes more model calls than the limit of the outer agent allows
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "one"
      And a model that answers
        | calls | text   |
        | t1    |        |
        | t1    |        |
        | t1    |        |
        |       | helped |
      And an outer agent
      And an iteration limit of 2
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 6 times

    Scenario: Two calls of a sub-agent that together exceed the limit of the sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "one"
      And an iteration limit of 3
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
        | t1    |        |
        |       | helped |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        | helper |      |
        |        | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 7 times

    Scenario: Two concurrent runs that together exceed the limit
      Given the tools
        | name | returns | held until                       |
        | t1   | one     | the tool "t1" is called in run 2 |
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 3
      When the agent runs 2 times concurrently
      Then the final answer is "done"
      And the final answer of run 2 is "done"
      And the model is called 6 times

  @MAXITER-10 @clarified
  Rule: The error of a run that exceeds its iteration limit identifies the limit as the cause

    @axis:limit-ends
    Scenario: A tool call at a limit of one
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the run fails because the iteration limit is reached

    Scenario: A tool call at a limit of two
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the final answer is "done"

  @MAXITER-12 @clarified
  Rule: A run that exceeds its iteration limit calls no further hook

    @axis:limit-ends
    Scenario: A handler that observes every hook
      Given a tool "t1" that returns "one"
      And a handler "H" that observes
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the run fails
      And "H" is called once before model
      And "H" is never called after agent
