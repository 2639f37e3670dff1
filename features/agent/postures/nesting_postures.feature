Feature: Postures of the nesting of hooks and model wrappers
  Agent frameworks document different answers to what encloses what in a model call. A handler can have a before-model
  hook, a model wrapper and an after-model hook. The default answer separates the kinds: all before-model hooks, then all
  wrappers around the model, then all after-model hooks.

  @POSTURE-16 @clarified @axis:nesting=wrappers-around-hooks
  Rule: An agent with the posture nesting=wrappers-around-hooks calls the hooks of a model call inside all model wrappers

    Scenario: A handler with hooks and a wrapper, and a handler with a wrapper
      Given a handler "H1" that observes before model and around model and after model
      And a handler "H2" that observes around model
      When the agent runs
      Then the trace is
        """
        around model H1
          around model H2
            before model H1
            model
            after model H1
        """

    Scenario: Two model calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that observes before model
      And a handler "H2" that observes around model
      When the agent runs
      Then the trace is
        """
        around model H2
          before model H1
          model
        tool t1
        around model H2
          before model H1
          model
        """

    Scenario: A wrapper and an after-model hook change the answer
      Given a model that answers
        | text |
        | done |
      And a handler "H1" that, after model, changes the last message to "checked"
      And a handler "H2" that, around model, appends ", wrapped" to the answer
      And a handler "H3" that observes after agent
      When the agent runs
      Then after agent, the last message that "H3" sees is "checked, wrapped"

    Scenario: A wrapper that short-circuits the call
      Given a handler "H1" that observes before model and after model
      And a handler "H2" that, around model, short-circuits with "no need to ask"
      When the agent runs
      Then the final answer is "no need to ask"
      And "H1" is never called before model
      And "H1" is never called after model

  @POSTURE-17 @clarified @axis:nesting=onion
  Rule: Each handler of an agent with the posture nesting=onion encloses the handlers registered after it

    Scenario: Two handlers with hooks and wrappers
      Given a handler "H1" that observes before model and around model and after model
      And a handler "H2" that observes before model and around model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H1
          before model H2
          around model H2
            model
          after model H2
        after model H1
        """

    Scenario: A handler with hooks between two handlers with wrappers
      Given a handler "H1" that observes around model
      And a handler "H2" that observes before model and after model
      And a handler "H3" that observes around model
      When the agent runs
      Then the trace is
        """
        around model H1
          before model H2
          around model H3
            model
          after model H2
        """

    Scenario: Three handlers with hooks
      Given a handler "H1" that observes before model and after model
      And a handler "H2" that observes before model and after model
      And a handler "H3" that observes before model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        before model H2
        before model H3
        model
        after model H3
        after model H2
        after model H1
        """

    Scenario: The inner of two handlers short-circuits the call
      Given a handler "H1" that observes before model and after model
      And a handler "H2" that, around model, short-circuits with "no need to ask"
      And a handler "H3" that observes before model and after model
      When the agent runs
      Then the trace is
        """
        before model H1
        around model H2
        after model H1
        """
      And "H3" is never called before model
