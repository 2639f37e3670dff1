Feature: A to-do list for the model
  A model solves complex tasks better with a plan. The to-do list middleware
  provides the tool write_todos, with which the model writes the plan, and adds
  a prompt that explains the use of the tool. The list is part of the state of
  the agent. Each item has a content and one of three statuses.

  @XP-TODO-01 @derived
  Rule: The to-do list middleware provides the documented tool and no other tool

    Scenario: An agent without tools
      Given a to-do list
      When the agent runs
      Then model call 1 receives only the tool "write_todos"

    Scenario: An agent with two tools
      Given a to-do list
      And the tools
        | name |
        | t1   |
        | t2   |
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2", "write_todos"

    Scenario Outline: An agent that is built again <when>
      Given a streaming run
      And tool calls run sequentially
      And a to-do list
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls                     |
        |      | t1({"city": "Köln"}) as a |
        | done |                           |
      And a handler "H0" that observes before model
      And a middleware "A" that observes before model
      When <runs>
      Then in any order, model call 1 receives the tools "t1", "write_todos"
      And in any order, model call 2 receives the tools "t1", "write_todos"
      And in any order, model call 3 receives the tools "t1", "write_todos"

      Examples:
        | when                  | runs                                                   |
        | after two runs        | the agent runs twice and is resumed                    |
        | while it runs as well | the agent runs, and is resumed while it runs once more |

  @XP-TODO-02 @documented
  Rule: The to-do list prompt follows the system prompt of the agent

    Scenario: One model call
      Given an agent with the instruction "Be brief."
      And a to-do list
      When the agent runs
      Then the system message of call 1 of the model "model" begins with "Be brief." and continues

    Scenario: A later model call
      Given an agent with the instruction "Be brief."
      And a to-do list
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the system message of call 2 of the model "model" begins with "Be brief." and continues

  @XP-TODO-04 @derived
  Rule: The to-do list that the model writes is stored in the state of the agent

    Scenario: A list with two items in any form
      Given a to-do list
      And a model that answers
        | text | calls                                                                                                        |
        |      | write_todos({"todos": [{"content": "ask", "status": "completed"}, {"content": "act", "status": "pending"}]}) |
        | done |                                                                                                              |
      When the agent runs
      Then the final answer is "done"
      And afterwards the state contains the texts "ask", "act"

    Scenario: A list that is written in one answer with a call of another tool
      Given a to-do list
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls                                                                 |
        |      | t1, write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        | done |                                                                       |
      When the agent runs
      Then the tool "t1" runs once
      And afterwards the state contains the text "ask"

  @XP-TODO-03 @clarified
  Rule: An agent without a system prompt has the to-do list prompt as its system prompt

    Scenario: An agent without an instruction
      Given a to-do list with the prompt "Plan well."
      When the agent runs
      Then model call 1 receives
        | role   | content    |
        | system | Plan well. |
        | user   | Hello.     |

  @XP-TODO-05 @clarified
  Rule: A to-do list is stored only if each item has a content and one of the three statuses

    Scenario Outline: An item that is <status>
      Given a to-do list
      And a model that answers
        | text | calls                                                              |
        |      | write_todos({"todos": [{"content": "ask", "status": "<status>"}]}) |
        | done |                                                                    |
      When the agent runs
      Then afterwards the state includes {"todos": [{"content": "ask", "status": "<status>"}]}

      Examples: the three statuses
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
      And afterwards the state includes {"todos": [{"content": "ask", "status": "completed"}, {"content": "act", "status": "pending"}]}

    Scenario Outline: A stored list and the new item <item>
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        |      | write_todos({"todos": [<item>]})                                  |
        | done |                                                                   |
      When the agent runs
      Then the run fails, or afterwards the state includes {"todos": [{"content": "ask", "status": "pending"}]}

      Examples: invalid statuses
        | item                                    |
        | {"content": "act", "status": "someday"} |
        | {"content": "act", "status": "PENDING"} |
        | {"content": "act", "status": ""}        |

      Examples: another type
        | item                               |
        | {"content": 7, "status": "pending"} |

      Examples: missing fields
        | item                    |
        | {"content": "act"}      |
        | {"status": "completed"} |

    Scenario Outline: A stored list and two new items, the <place> of which has an invalid status
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        |      | write_todos({"todos": [<items>]})                                 |
        | done |                                                                   |
      When the agent runs
      Then the run fails, or afterwards the state includes {"todos": [{"content": "ask", "status": "pending"}]}

      Examples:
        | place  | items                                                                              |
        | first  | {"content": "act", "status": "someday"}, {"content": "rest", "status": "pending"}   |
        | second | {"content": "act", "status": "completed"}, {"content": "rest", "status": "someday"} |

  @XP-TODO-06 @clarified
  Rule: A new to-do list replaces the whole stored list

    Scenario: The new list is shorter
      Given a to-do list
      And a model that answers
        | text | calls                                                                                                      |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}, {"content": "act", "status": "pending"}]}) |
        |      | write_todos({"todos": [{"content": "act", "status": "completed"}]})                                        |
        | done |                                                                                                            |
      When the agent runs
      Then afterwards the state includes {"todos": [{"content": "act", "status": "completed"}]}

    Scenario: The new list is empty
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        |      | write_todos({"todos": []})                                        |
        | done |                                                                   |
      When the agent runs
      Then afterwards the state includes {"todos": []}

  @XP-TODO-07 @clarified
  Rule: A configured prompt or tool description of the to-do list replaces the default text

    Scenario: A prompt
      Given an agent with the instruction "Be brief."
      And a to-do list with the prompt "Plan well."
      When the agent runs
      Then the system message of model call 1 is "Be brief.", and after it "Plan well."

    Scenario: A description of the tool
      Given a to-do list with the description "Writes the plan."
      When the agent runs
      Then model call 1 receives the tool descriptions
        | name        | description      |
        | write_todos | Writes the plan. |

  @XP-TODO-11 @clarified
  Rule: The to-do list adds only its tool and its prompt to a request

    Scenario: A run that does not use the list
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

    Scenario: A middleware before the list that chooses another model
      Given a model "big" that answers
        | text |
        | big  |
      And a middleware "chooser" that, around model, replaces the model with "big"
      And a to-do list
      When the agent runs
      Then the final answer is "big"

    Scenario: A run that ends with open items
      Given a to-do list
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        | done |                                                                   |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times
