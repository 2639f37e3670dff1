Feature: When hooks are called
  A middleware can have hooks for the steps of a run. The before-agent and
  after-agent hooks are called once in a run, the before-model and after-model
  hooks at each model call. With several middlewares, the hooks before a step
  run in the order of attachment and the hooks after a step in reverse order.
  Handlers of the plain loop have another order after a step, because their
  documents describe another system.

  @XP-HOOK-01 @documented
  Rule: The before-agent hook of a middleware is called once in each run, as the first step

    Scenario: A run with three model calls
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that observes before agent
      When the agent runs
      Then the run succeeds
      And the model is called 3 times
      And "A" is called once before agent

    Scenario: A middleware after one with a different hook
      Given a middleware "A" that observes before model
      And a middleware "B" that observes before agent
      When the agent runs
      Then the trace has, in this order
        """
        before agent B
        before model A
        model
        """

    Scenario: Two runs of one agent
      Given a middleware "A" that observes before agent
      When the agent runs twice
      Then the run succeeds
      And "before agent A" is called 2 times
      And the trace of run 2 has, in this order
        """
        before agent A
        model
        """

  @XP-HOOK-02 @documented
  Rule: The before-model hook of a middleware is called once before each model call

    Scenario: Four model calls with tool calls between them
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 3 times before it answers "done"
      And a middleware "A" that observes before model
      When the agent runs
      Then the trace is
        """
        before model A
        model
        tool t1
        before model A
        model
        tool t1
        before model A
        model
        tool t1
        before model A
        model
        """

    Scenario: One model call
      Given a middleware "A" that observes before model
      When the agent runs
      Then the trace is
        """
        before model A
        model
        """

    Scenario: Two model calls with a jump to the model between them
      Given a model that answers
        | text  |
        | draft |
        | done  |
      And a middleware "A" that observes before model
      And a middleware "B" that, after model call 1, jumps to "model"
      When the agent runs
      Then the trace has, in this order
        """
        before model A
        model
        before model A
        model
        """
      And "A" is called 2 times before model

  @XP-HOOK-03 @documented
  Rule: The after-model hook of a middleware is called between a model call and the tool calls of its answer

    Scenario: Only a final answer
      Given a middleware "A" that observes after model
      When the agent runs
      Then the trace is
        """
        model
        after model A
        """
      And after model, the last message that "A" sees is "done"

    Scenario: An answer with a tool call, then a final answer
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a middleware "A" that observes after model
      When the agent runs
      Then the trace is
        """
        model
        after model A
        tool t1
        model
        after model A
        """
      And after model call 1, the last message that "A" sees is "asking"
      And after model call 2, the last message that "A" sees is "done"

  @XP-HOOK-04 @documented
  Rule: The after-agent hook of a middleware is called once in each run, when the agent has completed

    Scenario: A run without tool calls
      Given a middleware "A" that observes after agent
      When the agent runs
      Then the trace is
        """
        model
        after agent A
        """

    Scenario: A run with two tool calls
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that observes after agent
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        tool t1
        model
        after agent A
        """

    Scenario: A second run
      Given a middleware "A" that observes after agent
      When the agent runs twice
      Then the trace of run 2 is
        """
        model
        after agent A
        """
      And "A" is called 2 times after agent

    Scenario: A run that a before-model hook ends
      Given a middleware "A" that observes after agent
      And a middleware "B" that, before model, jumps to "end"
      When the agent runs
      Then the run succeeds
      And "A" is called once after agent

  @XP-HOOK-08 @derived
  Rule: A middleware works with any subset of the hooks

    Scenario: A middleware without hooks
      Given a middleware "A" without hooks
      When the agent runs
      Then the run succeeds
      And the trace is
        """
        model
        """
      And the model receives
        | role | content |
        | user | Hello.  |

    Scenario Outline: A middleware with one hook: <hook>
      Given a middleware "A" that observes <hook>
      When the agent runs
      Then the run succeeds
      And the hooks of "A" are, in this order, <hook>
      And the model is called once

      Examples: hooks in a run without tool calls
        | hook         |
        | before agent |
        | before model |
        | around model |
        | after model  |
        | after agent  |

    Scenario: A middleware with only a tool wrapper
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that observes around tool
      When the agent runs
      Then the run succeeds
      And the hooks of "A" are, in this order, around tool
      And the tool "t1" runs once

    Scenario: Three middlewares with different hooks, one of them without hooks
      Given a middleware "A" that observes after model
      And a middleware "B" without hooks
      And a middleware "C" that observes before model
      When the agent runs
      Then the trace is
        """
        before model C
        model
        after model A
        """

  @XP-HOOK-06 @clarified
  Rule: After-model and after-agent hooks of middlewares are called in reverse order of attachment

    Scenario: Three middlewares
      Given a middleware "B" that observes after model and after agent
      And a middleware "C" that observes after model and after agent
      And a middleware "A" that observes after model and after agent
      When the agent runs
      Then after model, the middlewares are called in the order "A", "C", "B"
      And after agent, the middlewares are called in the order "A", "C", "B"

    Scenario: Two middlewares that change the answer
      Given a middleware "A" with the actions
        | hook        | action                            |
        | after model | changes the last message to "A's" |
        | after agent | observes                          |
      And a middleware "B" that, after model, changes the last message to "B's"
      When the agent runs
      Then after model, the last message that "B" sees is "done"
      And after model, the last message that "A" sees is "B's"
      And after agent, the last message that "A" sees is "A's"

  @XP-HOOK-07 @clarified
  Rule: All model wrappers of middlewares run between the before-model hooks and the after-model hooks

    Scenario: Hooks and wrappers of two middlewares
      Given a middleware "A" with the actions
        | hook         | action                     |
        | before model | adds the user message "B4" |
        | around model | observes                   |
      And a middleware "B" with the actions
        | hook         | action                    |
        | around model | appends "!" to the answer |
        | after model  | observes                  |
      When the agent runs
      Then the trace is
        """
        before model A
        around model A
          around model B
            model
        after model B
        """
      And around model, the last message that "A" sees is "B4"
      And after model, the last message that "B" sees is "done!"

    Scenario: A wrapper that retries the model call
      Given a model that answers
        | text | fails with |
        |      | overload   |
        | done |            |
      And a middleware "A" with the actions
        | hook         | action   |
        | before model | observes |
        | after model  | observes |
      And a middleware "B" that, around model, calls the next handler up to 2 times while it fails
      When the agent runs
      Then the trace is
        """
        before model A
        around model B
          model
          model
        after model A
        """

    Scenario: A wrapper that short-circuits the model call
      Given a middleware "A" with the actions
        | hook         | action                     |
        | before model | observes                   |
        | around model | short-circuits with "mine" |
        | after model  | observes                   |
      When the agent runs
      Then the trace is
        """
        before model A
        around model A
        after model A
        """
      And after model, the last message that "A" sees is "mine"
