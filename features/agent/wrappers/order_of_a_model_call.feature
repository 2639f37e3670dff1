Feature: The order of a model call
  A model call passes through several layers. The layers are, from the
  outside in: legacy functions, the hooks of the handlers, failover, retry,
  the event of the answer, model wrappers, callbacks, and the model. Layers
  inside retry run again for each attempt. Layers outside retry run once for
  the whole model call. Legacy functions belong to legacy middlewares, the
  older form of handlers. Callbacks belong to the caller and report calls.

  @ORDER-MODEL-01 @documented
  Rule: The order of a model call is: legacy functions, before-model hooks, model wrappers, model, after-model hooks, legacy functions

    @axis:nesting
    Scenario: A legacy middleware and two handlers
      Given a legacy middleware "L1" that observes
      And a handler "H1" that observes before model and around model and after model
      And a handler "H2" that observes around model
      When the agent runs
      Then the trace is
        """
        before model L1
        before model H1
        around model H1
          around model H2
            model
        after model H1
        after model L1
        """

    Scenario: Two calls of a sub-agent with a legacy middleware
      Given a sub-agent "helper"
      And an input schema without properties
      And a legacy middleware "L1" that observes
      And a handler "H1" that observes before model and after model
      And a model that answers
        | text   |
        | first  |
        | second |
      And an outer agent
      And a model that calls "helper" 2 times before it answers "done"
      When the agent runs
      Then the trace of "helper" is
        """
        before model L1
        before model H1
        model helper's
        after model H1
        after model L1
        before model L1
        before model H1
        model helper's
        after model H1
        after model L1
        """

    @axis:nesting
    Scenario: Handlers alone
      Given a handler "H1" that observes before model and around model and after model
      And a handler "H2" that observes around model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          around model H2
            model
        after model H1
        """

    Scenario: Two legacy middlewares and two handlers
      Given a legacy middleware "L1" that observes
      And a legacy middleware "L2" that observes
      And a handler "H1" that observes before model and after model
      And a handler "H2" that observes before model and after model
      When the agent runs
      Then the trace has, in this order
        """
        before model L1
        before model H1
        before model H2
        model
        after model H1
        after model L1
        """
      And the trace has, in this order
        """
        before model L2
        before model H1
        model
        after model H2
        after model L1
        """
      And the trace has, in this order
        """
        model
        after model H1
        after model L2
        """
      And the trace has, in this order
        """
        model
        after model H2
        after model L2
        """

    @axis:nesting
    Scenario: A model call of a resumed run
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a legacy middleware "L1" that observes
      And a handler "H1" that observes before model and around model and after model
      And a handler "H2" that observes around model
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        before model L1
        before model H1
        around model H1
          around model H2
            model
        after model H1
        after model L1
        """

    Scenario: An after-model hook interrupts the run
      Given a legacy middleware "L1" that observes
      And a handler "H1" that, after model, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the trace of run 2 is
        """
        after model H1
        after model L1
        """

  @ORDER-MODEL-02 @clarified
  Rule: Legacy functions and hooks run in registration order before and after the model

    @axis:after-order @axis:nesting
    Scenario Outline: Two of each kind, in a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that observes
      And a legacy middleware "L2" that observes
      And a handler "H1" that observes before model and around model and after model
      And a handler "H2" that observes before model and after model
      When the agent runs
      Then the trace is
        """
        before model L1
        before model L2
        before model H1
        before model H2
        around model H1
          model
        after model H1
        after model H2
        after model L1
        after model L2
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @ORDER-MODEL-03 @derived
  Rule: A retry of a model call starts again at the outermost model wrapper

    @axis:nesting
    Scenario: A failed attempt and a successful one
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a handler "H1" that observes before model and around model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          model
        around model H1
          model
        after model H1
        """

    Scenario: A retried call with a legacy middleware
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a legacy middleware "L1" that observes
      When the agent runs
      Then the trace is
        """
        before model L1
        model
        model
        after model L1
        """

    @axis:nesting
    Scenario: A stream that breaks
      Given a streaming run
      And failed model calls are retried at most 3 times
      And a model that answers
        | chunks | fails with | after chunks |
        | do/ne  | busy       | 1            |
        | do/ne  |            |              |
      And a handler "H1" that observes before model and around model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          model
        around model H1
          model
        after model H1
        """
      And the events are
        | event  | content |
        | stream | do      |
        | stream | done    |

    Scenario: A retried call with two model wrappers
      Given failed model calls are retried at most 3 times
      And a model that answers
        | fails with | text |
        | overloaded |      |
        |            | done |
      And a handler "outer" that observes around model
      And a handler "inner" that observes around model
      When the agent runs
      Then the trace is
        """
        around model outer
          around model inner
            model
        around model outer
          around model inner
            model
        """

  @ORDER-MODEL-04 @derived
  Rule: Each model is retried as often as configured before failover calls the next model

    Scenario: A retry of the first model succeeds
      Given a failover, at most once, to the model "b1"
      And failed model calls are retried at most 2 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the final answer is "done"
      And "model b1" is never called
      And no failover callback is called

    Scenario: A retry of the backup model succeeds
      Given failed model calls are retried at most 2 times
      And a failover, at most once, to the model "backup"
      And a model that answers
        | fails with |
        | busy       |
        | busy       |
        | busy       |
      And a model "backup" that answers
        | text   | fails with |
        |        | busy       |
        | helped |            |
      When the agent runs
      Then the final answer is "helped"
      And the trace has, in this order
        """
        model
        model
        model backup
        model backup
        """

  @ORDER-MODEL-05 @documented
  Rule: The event of an answer is emitted after the model wrappers and before the after-model hooks

    @axis:nesting @axis:answer-event=<answer> @axis:message-events=<messages>
    Scenario Outline: A wrapper and a hook that send events, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text |
        | done |
      And a handler "H1" that, around model, appends " and checked" to the answer; sends the event "around"
      And a handler "H2" that, after model, sends the event "after"
      When the agent runs
      Then the events are
        | content          |
        | around           |
        | done and checked |
        | after            |

      Examples:
        | mode        | answer       | messages       |
        | synchronous | before-hooks | as-they-happen |
        | streaming   |              |                |
