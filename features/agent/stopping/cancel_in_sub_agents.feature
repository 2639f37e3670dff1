Feature: Cancelling a run with sub-agents
  A sub-agent is an agent that is a tool of another agent, the outer agent. A cancel request can name safe points: after
  the model call, and after the tool calls. A request can include the safe points of sub-agents.

  @CANCEL-16 @clarified
  Rule: A cancel request applies to the safe points of sub-agents only if the request includes them

    Scenario: For the outer agent only, during a model call of the sub-agent
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   | held until               |
        | t1    |        | a cancel request is made |
        |       | helped |                          |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect after the tool calls, is made when the model "helper's" is called
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        model helper's
        """
      And the trace is
        """
        model
        """

    Scenario: For the outer agent and its sub-agents, during a model call of the sub-agent
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   | held until               |
        | t1    |        | a cancel request is made |
        |       | helped |                          |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect after the tool calls, also in sub-agents, is made when the model "helper's" is called
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        """
      And the trace is
        """
        model
        """

    Scenario: After the tool calls, also in sub-agents, and then a request that leaves sub-agents out
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   | held until                 |
        | t1    |        | 2 cancel requests are made |
        |       | helped |                            |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a cancel request, which takes effect after the tool calls, also in sub-agents, is made when the model "helper's" is called
      And a cancel request, which takes effect after the tool calls, is made when a cancel request is made
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        """
      And the trace is
        """
        model
        """
