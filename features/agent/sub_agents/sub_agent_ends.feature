Feature: How a sub-agent ends
  A sub-agent that exits ends no more than its own run, and the agent above goes
  on. But its failures are failures of the run above.

  @AGENTTOOL-08 @clarified
  Rule: What a sub-agent fails with, the run above fails with

    Scenario Outline: The model of the sub-agent fails in a <mode> run
      Given a <mode> run
      And a sub-agent "helper", with
      And a model that answers
        | fails with |
        | no luck    |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the run fails with the error "no luck"
      And the model is called 2 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The sub-agent reaches its iteration limit
      Given a sub-agent "helper", with
      And a tool "t1" that returns "ok"
      And an iteration limit of 1
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the run fails because its iteration limit is reached

  @AGENTTOOL-11 @clarified
  Rule: The exit tool of a sub-agent ends only the sub-agent

    Scenario: The sub-agent exits
      Given a sub-agent "helper", with
      And the exit tool
      And a model that answers
        | calls                         | text   |
        | exit({"final_result": "bye"}) |        |
        |                               | helped |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        """
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | bye     |
      And the final answer is "done"
