Feature: When the hooks of a middleware are called
  A middleware can have a hook for each step of a run: one before the agent
  and one behind it, which see a run once, and one before and one behind each
  model call, which see it turn by turn. It has those that it needs. Where it
  has none, the run takes no notice of it.

  @XP-HOOK-01 @documented
  Rule: The hook before the agent is called once in each run, before anything else happens in it

    Scenario: A run with three model calls
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that looks on before agent
      When the agent runs
      Then the run succeeds
      And the model is called 3 times
      And "A" is called once before agent

    Scenario: A middleware behind one that has another hook
      Given a middleware "A" that looks on before model
      And a middleware "B" that looks on before agent
      When the agent runs
      Then the trace has, in this order
        """
        before agent B
        before model A
        model
        """

    Scenario: Two runs of one agent
      Given a middleware "A" that looks on before agent
      When the agent runs twice
      Then the run succeeds
      And "before agent A" happens 2 times
      And the trace of run 2 has, in this order
        """
        before agent A
        model
        """

  @XP-HOOK-02 @documented
  Rule: The hook before the model is called before each model call, and at no other time

    Scenario: A model that answers at once
      Given a middleware "A" that looks on before model
      When the agent runs
      Then the trace is
        """
        before model A
        model
        """

    Scenario: A model that calls a tool three times before it answers
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 3 times before it answers "done"
      And a middleware "A" that looks on before model
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

  @XP-HOOK-03 @documented
  Rule: The hook after the model is called when the model has returned, before the tools that it asks for

    Scenario: Nothing but a final answer
      Given a middleware "A" that looks on after model
      When the agent runs
      Then the trace is
        """
        model
        after model A
        """
      And after model, the last message that "A" sees is "done"

    Scenario: An answer that asks for a tool, and a final one
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a middleware "A" that looks on after model
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
  Rule: The hook after the agent is called once in each run, when the agent has completed

    Scenario: No call of a tool
      Given a middleware "A" that looks on after agent
      When the agent runs
      Then the trace is
        """
        model
        after agent A
        """

    Scenario: Several turns before the end
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that looks on after agent
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
      Given a middleware "A" that looks on after agent
      When the agent runs twice
      Then the trace of run 2 is
        """
        model
        after agent A
        """
      And "A" is called 2 times after agent

  @XP-HOOK-08 @documented
  Rule: A middleware has the hooks it needs, and a hook that it does not have makes no difference

    Scenario: A middleware without any hook
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

    Scenario Outline: A middleware with only one hook, which is <hook>
      Given a middleware "A" that looks on <hook>
      When the agent runs
      Then the run succeeds
      And the hooks of "A" are, in this order, <hook>
      And the model is called once

      Examples: each hook that a run without tools comes to
        | hook         |
        | before agent |
        | before model |
        | around model |
        | after model  |
        | after agent  |

    Scenario: A middleware with only a wrapper around tools
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that looks on around tool
      When the agent runs
      Then the run succeeds
      And the hooks of "A" are, in this order, around tool
      And the tool "t1" runs once

    Scenario: Middlewares with different hooks, and one without any between them
      Given a middleware "A" that looks on after model
      And a middleware "B" without hooks
      And a middleware "C" that looks on before model
      When the agent runs
      Then the trace is
        """
        before model C
        model
        after model A
        """
