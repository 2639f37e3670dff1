Feature: Model callbacks
  Callbacks belong to the caller and report model calls and tool calls. The callbacks of a model call run directly around
  the model, inside all model wrappers. A model can report its own calls to the callbacks. A sub-agent is an agent that is
  a tool of another agent, the outer agent.

  @ORDER-MODEL-07 @documented
  Rule: Model callbacks run directly around the model, inside all model wrappers

    Scenario: Callbacks inside two wrappers
      Given callbacks for model and tool calls
      And a handler "H1" that observes around model
      And a handler "H2" that observes around model
      When the agent runs
      Then the trace is
        """
        around model H1
          around model H2
            callback model start
            model
            callback model end
        """

    Scenario: Callbacks of two attempts
      Given callbacks for model and tool calls
      And failed model calls are retried at most 3 times
      And a model that answers
        | text | fails with |
        |      | busy       |
        | done |            |
      And a handler "H1" that observes around model
      When the agent runs
      Then the trace has, in this order
        """
        around model H1
        callback model start
        model
        around model H1
        callback model start
        model
        callback model end
        """
      And "callback model start" is called 2 times

    Scenario: Callbacks of a backup model
      Given callbacks for model and tool calls
      And a failover, at most once, to the model "b1"
      And a model that answers
        | fails with |
        | down       |
      And a handler "H1" that observes around model
      When the agent runs
      Then the trace has, in this order
        """
        around model H1
        callback model start
        model b1
        callback model end
        """
      And "callback model start" is called 2 times
      And "callback model end" is called once

    Scenario: A sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And callbacks for model and tool calls
      And a handler "H1" that observes around model
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then the trace of "helper" is
        """
        around model H1
          callback model start
          model helper's
          callback model end
        """

    Scenario: A wrapper that calls the model twice
      Given callbacks for model and tool calls
      And a model that answers
        | text   |
        | first  |
        | second |
      And a handler "H1" that, around model, calls the next handler; calls the next handler
      When the agent runs
      Then the trace is
        """
        around model H1
          callback model start
          model
          callback model end
          callback model start
          model
          callback model end
        """

    Scenario: A wrapper that short-circuits the call
      Given callbacks for model and tool calls
      And a handler "H1" that observes before model
      And a handler "H2" that, around model, short-circuits with "no need to ask"
      When the agent runs
      Then the final answer is "no need to ask"
      And "callback model start" is never called
      And "callback model end" is never called

  @ORDER-MODEL-08 @documented
  Rule: A model that reports its own calls to callbacks is reported once per call

    Scenario: One model call
      Given a model that calls the callbacks itself
      When the agent runs
      Then "callback model start" is called once
      And "callback model end" is called once
