Feature: A to-do list for the model
  For work of several steps a model does well to plan. The to-do list middleware gives it a tool to write its plan down
  with, and tells it in the system prompt how to use it. The list is part of the agent's state.

  @XP-TODO-01 @documented
  Rule: The middleware brings one tool, with which the list is written

    Scenario: An agent without tools of its own
      Given a to-do list
      When the agent runs
      Then model call 1 is offered the tools write_todos

    Scenario: An agent with tools of its own
      Given a to-do list
      And the tools
        | name |
        | t1   |
        | t2   |
      When the agent runs
      Then in any order, model call 1 is offered the tools t1, t2, write_todos

  @XP-TODO-02 @documented
  Rule: The model is told of it behind the agent's own system prompt

    Scenario: One model call
      Given an agent with the instruction "Be brief."
      And a to-do list
      When the agent runs
      Then the system message of call 1 of the model "model" begins with "Be brief." and goes on

    Scenario: A later model call
      Given an agent with the instruction "Be brief."
      And a to-do list
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the system message of call 2 of the model "model" begins with "Be brief." and goes on

  @XP-TODO-04 @documented
  Rule: What the model writes becomes the list in the agent's state

    Scenario: A list of two items
      Given a to-do list
      And a model that answers
        | text | calls                                                                                                        |
        |      | write_todos({"todos": [{"content": "ask", "status": "completed"}, {"content": "act", "status": "pending"}]}) |
        | done |                                                                                                              |
      When the agent runs
      Then the final answer is "done"
      And afterwards the state contains the texts ask, act

  @XP-TODO-03 @clarified
  Rule: Without a system prompt of the agent's, the model is told of it all the same

    Scenario: An agent without an instruction
      Given a to-do list with the prompt "Plan well."
      When the agent runs
      Then model call 1 receives
        | role   | content    |
        | system | Plan well. |
        | user   | Hello.     |

  @XP-TODO-05 @clarified
  Rule: An item has a content and one of three statuses, or the list is not taken

    Scenario Outline: An item that is <status>
      Given a to-do list
      And a model that answers
        | text | calls                                                              |
        |      | write_todos({"todos": [{"content": "ask", "status": "<status>"}]}) |
        | done |                                                                    |
      When the agent runs
      Then afterwards the state holds {"todos": [{"content": "ask", "status": "<status>"}]}

      Examples: the three
        | status      |
        | pending     |
        | in_progress |
        | completed   |

    Scenario: Two items with different statuses
      Given a to-do list
      And a model that answers
        | text | calls                                                                                                        |
        |      | write_todos({"todos": [{"content": "ask", "status": "completed"}, {"content": "act", "status": "pending"}]}) |
        | done |                                                                                                              |
      When the agent runs
      Then the final answer is "done"
      And afterwards the state holds {"todos": [{"content": "ask", "status": "completed"}, {"content": "act", "status": "pending"}]}

    Scenario Outline: The item <item>, where there is a list
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        |      | write_todos({"todos": [<item>]})                                  |
        | done |                                                                   |
      When the agent runs
      Then the run fails, or afterwards the state holds {"todos": [{"content": "ask", "status": "pending"}]}

      Examples: no such status
        | item                                    |
        | {"content": "act", "status": "someday"} |
        | {"content": "act", "status": "PENDING"} |
        | {"content": "act", "status": ""}        |

      Examples: something is missing
        | item                    |
        | {"content": "act"}      |
        | {"status": "completed"} |

  @XP-TODO-06 @clarified
  Rule: A new list replaces the old one whole

    Scenario: The new list is shorter
      Given a to-do list
      And a model that answers
        | text | calls                                                                                                      |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}, {"content": "act", "status": "pending"}]}) |
        |      | write_todos({"todos": [{"content": "act", "status": "completed"}]})                                        |
        | done |                                                                                                            |
      When the agent runs
      Then afterwards the state holds {"todos": [{"content": "act", "status": "completed"}]}

    Scenario: The new list is empty
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        |      | write_todos({"todos": []})                                        |
        | done |                                                                   |
      When the agent runs
      Then afterwards the state holds {"todos": []}

  @XP-TODO-07 @clarified
  Rule: Texts of one's own stand in the place of the usual ones

    Scenario: A prompt
      Given an agent with the instruction "Be brief."
      And a to-do list with the prompt "Plan well."
      When the agent runs
      Then the system message of model call 1 is "Be brief.", and after it, in any order, "Plan well."

    Scenario: A description of the tool
      Given a to-do list with the description "Writes the plan."
      When the agent runs
      Then model call 1 is offered
        | name        | description      |
        | write_todos | Writes the plan. |

  @XP-TODO-11 @clarified
  Rule: Beside the tool and the system prompt, the model is sent what it would be sent without the list

    Scenario: A run that does not use it
      Given a to-do list with the prompt "Plan well."
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then model call 2 receives
        | role      | content    | calls | arguments |
        | system    | Plan well. |       |           |
        | user      | Hello.     |       |           |
        | assistant |            | t1    | {}        |
        | tool      | ok         |       |           |
      And the final answer is "done"

    Scenario: A run that ends with open items
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        | done |                                                                   |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times
