Feature: Failing over to a backup model
  An agent can have backup models for the case that its model fails. The failover predicate decides whether an error leads
  to a failover. The backup selector returns the model that makes the call instead. Failover is outside retry: a model has
  exhausted its retries before the next one is called.

  @FAILOVER-01 @documented
  Rule: If the failover predicate accepts the error of a model call, the backup model answers the call

    Scenario Outline: The model of a <mode> run fails
      Given a <mode> run
      And a failover, at most once, to the model "b1"
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      And a model "b1" that answers
        | text      |
        | from here |
      When the agent runs
      Then the final answer is "from here"
      And the trace is
        """
        model
        model b1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A model call of a sub-agent fails
      Given a sub-agent "helper"
      And an input schema without properties
      And a failover, at most once, to the model "b1"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | text   |
        | helped |
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then the final answer is "done"
      And call 2 of the model "model" contains "helped"

    Scenario: A model call of a resumed run fails
      Given a failover, at most once, to the model "b1"
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | down       |
      And a model "b1" that answers
        | text      |
        | from here |
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the final answer of run 2 is "from here"

    @axis:empty-answer
    Scenario: The fifth backup model answers with an empty text
      Given a failover, at most 6 times, to the models "b1", "b2", "b3", "b4", "b5"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down       |
      And a model "b2" that answers
        | fails with |
        | down       |
      And a model "b3" that answers
        | fails with |
        | down       |
      And a model "b4" that answers
        | fails with |
        | down       |
      And a model "b5" that answers
        | text |
        |      |
      When the agent runs
      Then the final answer is ""
      And the trace is
        """
        model
        model b1
        model b2
        model b3
        model b4
        model b5
        """

  @FAILOVER-02 @documented
  Rule: The failover predicate and the backup selector receive the error of the failed model call

    Scenario Outline: The error is <error>
      Given a failover, at most once, to the model "b1"
      And a model that answers
        | fails with |
        | <error>    |
      When the agent runs
      Then counting equal consecutive calls once, the failover callbacks are called with
        | callback           | error   |
        | failover predicate | <error> |
        | backup selector    | <error> |

      Examples:
        | error |
        | down  |
        | busy  |

    Scenario: A model and its first backup model fail with different errors
      Given a failover, at most 2 times, to the models "b1", "b2"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | busy       |
      When the agent runs
      Then counting equal consecutive calls once, the failover callbacks are called with
        | callback           | error |
        | failover predicate | down  |
        | backup selector    | down  |
        | failover predicate | busy  |
        | backup selector    | busy  |

  @FAILOVER-03 @derived
  Rule: Failover needs no configuration beyond the failover predicate and the backup selector

    Scenario: Without a failover limit
      Given a failover to the model "b1"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | text      |
        | from here |
      When the agent runs
      Then the final answer is "from here"

  @FAILOVER-16 @derived
  Rule: A successful model call calls neither the failover predicate nor the backup selector

    Scenario: Two model calls of a run succeed
      Given a failover, at most once, to the model "b1"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      When the agent runs
      Then no failover callback is called
      And the trace is
        """
        model
        tool t1
        model
        """

  @FAILOVER-04 @derived
  Rule: Whenever the failover predicate rejects the error of a model call, the run fails

    Scenario: The first model call of a run fails with a rejected error
      Given a failover, at most once, to the model "b1"
      And a failover predicate that accepts the error "down"
      And a model that answers
        | text | fails with |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails
      And the model is called once
      And counting equal consecutive calls once, the failover callbacks are called with
        | callback           | error   |
        | failover predicate | refused |

    Scenario: After a failover, the second model call fails with a rejected error
      Given a failover, at most 2 times, to the model "b1"
      And a failover predicate that accepts the error "down"
      And a tool "t1" that returns "ok"
      And a model that answers
        | fails with |
        | down       |
        | refused    |
      And a model "b1" that answers
        | calls | fails with |
        | t1    |            |
        |       | refused    |
      When the agent runs
      Then the run fails
      And counting equal consecutive calls once, the failover callbacks are called with
        | callback           | error   |
        | failover predicate | down    |
        | backup selector    | down    |
        | failover predicate | refused |

  @FAILOVER-09 @clarified
  Rule: A backup model that has answered is tried first in the later model calls of the run

    Scenario Outline: The model call after a failover, in a <mode> run
      Given a <mode> run
      And a failover, at most once, to the model "b1"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      And a model "b1" that answers
        | text      | calls |
        |           | t1    |
        | from here |       |
      When the agent runs
      Then the trace is
        """
        model
        model b1
        tool t1
        model b1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The second of three model calls fails over
      Given a failover, at most once, to the model "b1"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls | fails with |
        |      | t1    |            |
        |      |       | down       |
        | late |       |            |
      And a model "b1" that answers
        | text      | calls |
        |           | t1    |
        | from here |       |
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        model b1
        tool t1
        model b1
        """

    Scenario: The first and the second of three model calls fail over
      Given a failover, at most once, to the models "b1", "b2"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      And a model "b1" that answers
        | text | calls | fails with |
        |      | t1    |            |
        |      |       | down, too  |
        | late |       |            |
      And a model "b2" that answers
        | text      | calls |
        |           | t1    |
        | from here |       |
      When the agent runs
      Then the trace is
        """
        model
        model b1
        tool t1
        model b1
        model b2
        tool t1
        model b2
        """

  @FAILOVER-10 @clarified
  Rule: A run starts with the agent's own model even if the previous run failed over

    Scenario: The model fails at the start of two runs
      Given a failover, at most once, to the model "b1"
      And a model that answers
        | fails with |
        | down       |
      When the agent runs twice
      Then the trace of run 2 is
        """
        model
        model b1
        """

    Scenario: The first of two calls of a sub-agent fails over
      Given a sub-agent "helper"
      And an input schema without properties
      And a failover, at most once, to the model "b1"
      And a model that answers
        | text | fails with |
        |      | down       |
        | own  |            |
      And an outer agent
      And a model that calls "helper" 2 times before it answers "done"
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        model b1
        model helper's
        """

  @FAILOVER-14 @derived
  Rule: A streaming run fails over from a stream that fails before or after its first chunk

    Scenario Outline: A stream that fails after <chunks> chunks
      Given a streaming run
      And a failover, at most once, to the model "b1"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | down       | <chunks>     |
      And a model "b1" that answers
        | chunks    |
        | from/here |
      When the agent runs
      Then the final answer is "fromhere"

      Examples:
        | chunks |
        | 0      |
        | 1      |
        | 2      |

  @FAILOVER-17 @clarified
  Rule: A broken stream ends with its own error if the failover predicate rejects that error

    Scenario: A stream breaks after one chunk with a rejected error
      Given a streaming run
      And a failover, at most once, to the model "b1"
      And a failover predicate that accepts the error "down"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | refused    | 1            |
      When the agent runs
      Then the events are
        | event  | content | ends with |
        | stream | he      | refused   |
        | error  | refused |           |
