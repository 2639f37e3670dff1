Feature: User messages during a run
  A user need not wait for the end of a run to say more. A message that arrives while the model or a tool works waits for
  the next model call: the run drops nothing, and what is under way continues. Frameworks call this steering, or a queue of
  pending messages. In the examples a tool or a handler sends the message, so that each example fixes the moment.

  @STOP-32 @clarified
  Rule: A user message that is sent to a run under way is in the next model request of the run

    Scenario Outline: A tool that is <kind> sends a message during its call, in a <mode> run
      Given a <mode> run
      And the tools
        | name | kind   | returns | actions                                 |
        | t1   | <kind> | ok      | sends the run the user message "Hurry." |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs
      Then model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | Look    | t1    |
        | tool      | ok      |       |
        | user      | Hurry.  |       |
      And the final answer is "Seen"

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | streamable | streaming   |

    Scenario Outline: A handler that, <hook>, <action>
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <place>, <action>
      When the agent runs
      Then the tool "t1" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | ok      |
        | user      | Hurry.  |

      Examples:
        | hook         | place               | action                                                          |
        | around model | around model call 1 | calls the next handler; sends the run the user message "Hurry." |
        | after model  | after model call 1  | sends the run the user message "Hurry."                         |
        | around tool  | around tool         | sends the run the user message "Hurry."; calls the next handler |
        | around tool  | around tool         | calls the next handler; sends the run the user message "Hurry." |

    Scenario: A tool sends an empty message
      Given the tools
        | name | returns | actions                           |
        | t1   | ok      | sends the run the user message "" |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | ok      |
        | user      |         |

    Scenario: A tool of a sub-agent sends a message
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And the tools
        | name  | returns | actions                                 |
        | inner | ok      | sends the run the user message "Hurry." |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      When the agent runs
      Then call 2 of the model "helper's" receives
        | role      | content |
        | user      | Help    |
        | assistant | Hm      |
        | tool      | ok      |
        | user      | Hurry.  |
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Ask     |
        | tool      | Here    |

    Scenario: A handler sends empty messages during two model calls and another one during the last call
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And a tool "t1" that returns "ok"
      And a model that answers
        | text    | calls |
        | \ü*2001 | t1    |
        | More    | t1    |
        | \ü*2001 |       |
        | Seen    |       |
      And a handler "H1" that, around model call 1, calls the next handler; sends the run the user message ""
      And a handler "H1" that, around model call 2, calls the next handler; sends the run the user message ""
      And a handler "H1" that, around model call 3, calls the next handler; sends the run the user message "Hurry."
      When the agent runs
      Then model call 4 receives
        | role      | content |
        | user      | \ü*2001 |
        | user      | \ü*2001 |
        | assistant | \ü*2001 |
        | tool      | ok      |
        | user      |         |
        | assistant | More    |
        | tool      | ok      |
        | user      |         |
        | assistant | \ü*2001 |
        | user      | Hurry.  |

  @STOP-33 @clarified
  Rule: A user message that is sent during tool calls follows the results of all calls of the answer

    Scenario Outline: The <place> of two calls sends a message
      Given the tools
        | name | returns | actions                                 |
        | t1   | one     | sends the run the user message "Hurry." |
        | t2   | two     |                                         |
      And a model that answers
        | text | calls   |
        | Look | <calls> |
        | Seen |         |
      When the agent runs
      Then model call 2 receives
        | role      | content  |
        | user      | Hello.   |
        | assistant | Look     |
        | tool      | <first>  |
        | tool      | <second> |
        | user      | Hurry.   |

      Examples:
        | place  | calls  | first | second |
        | first  | t1, t2 | one   | two    |
        | second | t2, t1 | two   | one    |

    Scenario: The first of two calls sends a message before the second one is made
      Given the tools
        | name | returns | actions                                 |
        | t1   | one     | sends the run the user message "Hurry." |
        | t2   | two     |                                         |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And tool calls run sequentially
      When the agent runs
      Then the tool "t2" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | one     |
        | tool      | two     |
        | user      | Hurry.  |

  @STOP-34 @clarified
  Rule: User messages that are sent to a run are in its requests once and in the order in which they were sent

    Scenario: Three messages during one call, and a fourth during a later one
      Given the tools
        | name | returns | actions                                                                                                                 |
        | t1   | one     | sends the run the user message "Hurry."; sends the run the user message "Hurry."; sends the run the user message "And?" |
        | t2   | two     | sends the run the user message "Hurry."                                                                                 |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs
      Then model call 3 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | one     |
        | user      | Hurry.  |
        | user      | Hurry.  |
        | user      | And?    |
        | assistant | More    |
        | tool      | two     |
        | user      | Hurry.  |

    Scenario: A second run of the agent
      Given the tools
        | name | returns | actions                                 |
        | t1   | ok      | sends the run the user message "Hurry." |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And in run 2, the model answers
        | text    |
        | welcome |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 3 receives
        | role | content |
        | user | Thanks. |

    Scenario: A run is interrupted after a message was sent and is resumed, and a further run follows
      Given the runs share a conversation
      And the tools
        | name | returns | interrupts | actions                                 |
        | t1   | one     |            | sends the run the user message "Hurry." |
        | t2   | two     | yes        |                                         |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And in run 3, the model answers
        | text    |
        | welcome |
      And in run 3, the user writes "Thanks."
      When the agent runs, is resumed, and runs once more
      Then model call 3 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | one     |
        | tool      | two     |
        | user      | Hurry.  |
        | assistant | Seen    |
        | user      | Thanks. |

  @STOP-35 @clarified
  Rule: A run that receives a user message during its last model call answers the message before it ends

    Scenario Outline: A handler of a <mode> run that, <hook>, <action>
      Given a <mode> run
      And a model that answers
        | text  |
        | Done. |
        | Yes.  |
      And a handler "H1" that, <place>, <action>
      When the agent runs
      Then the final answer is "Yes."
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Done.   |
        | user      | Hurry.  |
      And the model is called 2 times

      Examples:
        | hook         | place               | action                                                          | mode        |
        | around model | around model call 1 | calls the next handler; sends the run the user message "Hurry." | synchronous |
        | after model  | after model call 1  | sends the run the user message "Hurry."                         | synchronous |
        | after model  | after model call 1  | sends the run the user message "Hurry."                         | streaming   |

    @axis:limit-ends
    Scenario: The limit of model calls holds for the answer to a message
      Given an iteration limit of 1
      And a model that answers
        | text  |
        | Done. |
        | Yes.  |
      And a handler "H1" that, after model, sends the run the user message "Hurry."
      When the agent runs
      Then the model is called once

  @STOP-36 @clarified
  Rule: A user message that was sent before a run stopped is in the next model request of the resumed run

    Scenario: One of two calls sends a message, and the other one interrupts the run
      Given the tools
        | name | returns | interrupts | actions                                 |
        | t1   | one     |            | sends the run the user message "Hurry." |
        | t2   | two     | yes        |                                         |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      When the agent runs and is resumed
      Then run 1 is interrupted by "t2"
      And model call 2 contains the message "Hurry."
      And the tool "t1" runs once
      And the final answer of run 2 is "Seen"

    @axis:after-order
    Scenario: A hook sends a message, and the next hook interrupts the run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, after model call 1 of run 1, sends the run the user message "Hurry."
      And a handler "H2" that, after model call 1 of run 1, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H2"
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | ok      |
        | user      | Hurry.  |

    Scenario: A run is cancelled after a tool call that sent a message
      Given the tools
        | name | returns | actions                                 |
        | t1   | ok      | sends the run the user message "Hurry." |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a cancel request, which takes effect after the tool calls, is made when the tool "t1" is called
      When the agent runs and is resumed
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | ok      |
        | user      | Hurry.  |
