Feature: AgentsMD beside the to-do list
  The to-do list speaks in the system prompt of each request, and AgentsMD with
  a message in the conversation. So they do not meet, and their order does not
  matter.

  @PLUGIN-44 @clarified
  Rule: AgentsMD and the to-do list do not affect each other in either order

    Background:
      Given the instructions file "/p/a.md" holding "Answer in French."
      And an agent with the instruction "Be brief."
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        | done |                                                                   |

    Scenario: The to-do list before AgentsMD
      Given a to-do list with the prompt "Keep a list."
      And AgentsMD with the configured files
      When the agent runs
      Then the system message of call 1 of the model "model" begins with "Be brief." and goes on
      And call 1 of the model "model" tells, in this order
        """
        Keep a list.
        Answer in French.
        Hello.
        """
      And every call of the model "model" has the same system message
      And model call 1 of run 1 carries the instructions once
      And model call 2 of run 1 carries the instructions once
      And afterwards the state holds {"todos": [{"content": "ask", "status": "pending"}]}

    Scenario: AgentsMD before the to-do list
      Given AgentsMD with the configured files
      And a to-do list with the prompt "Keep a list."
      When the agent runs
      Then the system message of call 1 of the model "model" begins with "Be brief." and goes on
      And call 1 of the model "model" tells, in this order
        """
        Keep a list.
        Answer in French.
        Hello.
        """
      And every call of the model "model" has the same system message
      And model call 1 of run 1 carries the instructions once
      And model call 2 of run 1 carries the instructions once
      And afterwards the state holds {"todos": [{"content": "ask", "status": "pending"}]}
