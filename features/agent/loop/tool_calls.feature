Feature: Tool calls of one answer
  A model can call several tools in one answer. The agent runs all of them
  before it calls the model again. By default, the calls run concurrently. Each
  tool receives its arguments as the model wrote them and checks them itself.

  @LOOP-06 @derived
  Rule: All tool calls of an answer run before the next model call

    Scenario: Three tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
        | t3   | three   |
      And a model that answers
        | calls      | text |
        | t1, t2, t3 |      |
        |            | done |
      When the agent runs
      Then the model is called 2 times
      And model call 2 contains the message "one"
      And model call 2 contains the message "two"
      And model call 2 contains the message "three"

    Scenario: Two calls of one tool
      Given the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | calls                    | text |
        | t1({"n":1}), t1({"n":2}) |      |
        |                          | done |
      When the agent runs
      Then the model is called 2 times
      And the tool "t1" runs 2 times
      And model call 2 contains the message "one"
      And model call 2 contains the message "two"

    Scenario: Two equal calls of one tool
      Given the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | calls                    | text |
        | t1({"n":1}), t1({"n":1}) |      |
        |                          | done |
      When the agent runs
      Then the tool "t1" runs 2 times
      And model call 2 contains the message "one"
      And model call 2 contains the message "two"

  @LOOP-07 @clarified
  Rule: The event of a tool result appears while other tool calls of the same answer still run

    @axis:message-events=<messages>
    Scenario Outline: The first of two tools ends last, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns | held until                        |
        | t1   | one     | the result of "call 2" is emitted |
        | t2   | two     |                                   |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | two     |
        | one     |
        | done    |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    @axis:message-events
    Scenario: The first of two tools ends last next to a handler that observes every hook
      Given the tools
        | name | returns | held until                        |
        | t1   | one     | the result of "call 2" is emitted |
        | t2   | two     |                                   |
      And a handler "H" that observes
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | two     |
        | one     |
        | done    |

    @axis:message-events
    Scenario: The first of two tools of a sub-agent ends last
      Given a sub-agent "helper"
      And the tools
        | name | returns | held until                        |
        | t1   | one     | the result of "call 2" is emitted |
        | t2   | two     |                                   |
      And a model that answers
        | calls                      | text   |
        | t1 as call 1, t2 as call 2 |        |
        |                            | helped |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls                               | text |
        | helper({"request": "Help."}) as ask |      |
        |                                     | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        |         |
        | two     |
        | one     |
        | helped  |
        | helped  |
        | done    |

    @axis:message-events
    Scenario: The first of two tools ends last with agentic messages
      Given the messages are agentic
      And the tools
        | name | returns | held until                        |
        | t1   | one     | the result of "call 2" is emitted |
        | t2   | two     |                                   |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | two     |
        | one     |
        | done    |

    Scenario: The first of two tools of a resumed run waits for the second one
      Given the tools
        | name | returns | interrupts | held until                       |
        | t1   | one     |            | the tool "t2" is called in run 2 |
        | t2   | two     |            |                                  |
        | t3   | three   | yes        |                                  |
      And a model that answers
        | calls  | text |
        | t3     |      |
        | t1, t2 |      |
        |        | done |
      When the agent runs and is resumed
      Then the final answer of run 2 is "done"
      And model call 3 contains the message "one"
      And model call 3 contains the message "two"

    @axis:message-events
    Scenario: The first of two tools ends last, next to a return-directly tool
      Given the tools
        | name | returns | held until                        |
        | t1   | one     | the result of "call 2" is emitted |
        | t2   | two     |                                   |
        | t3   | three   |                                   |
      And the tool "t3" returns directly
      And a model that answers
        | calls      |
        | t1, t2, t3 |
      When the agent runs
      Then in any order, the events are
        | content |
        |         |
        | two     |
        | one     |
        | three   |

  @LOOP-29 @clarified
  Rule: The results of the tool calls of one answer are appended to the conversation in the order of the calls

    Scenario Outline: The first tool waits for the second one, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns | held until                 |
        | t1   | one     | the tool "t2" has returned |
        | t2   | two     |                            |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | one     |
        | tool      | two     |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Tools of all four kinds
      Given the tools
        | name   | kind                | returns | parts           |
        | rich   | enhanced invokable  |         | sunny/image:sun |
        | plain  | invokable           | one     |                 |
        | film   | enhanced streamable |         | rain            |
        | stream | streamable          | two     |                 |
      And a model that answers
        | calls                     | text |
        | rich, plain, film, stream |      |
        |                           | done |
      When the agent runs
      Then model call 2 receives
        | role      | call id | parts           |
        | user      |         |                 |
        | assistant |         |                 |
        | tool      | call 1  | sunny/image:sun |
        | tool      | call 2  |                 |
        | tool      | call 3  | rain            |
        | tool      | call 4  |                 |

    Scenario: Three tools that wait for nothing
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
        | t3   | three   |
      And a model that answers
        | calls      | text |
        | t1, t2, t3 |      |
        |            | done |
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | one     |
        | tool      | two     |
        | tool      | three   |

    Scenario: The first of two calls waits until the second has returned
      Given a tool "t1" that returns "one"
      And a tool "t2" that returns "two"
      And call 1 of "tool t1" in run 1 waits until call 1 of "tool t2" in run 1 is made
      And call 1 of "tool t1" in run 1 waits until "tool t2" has returned 1 times in run 1
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | one     |
        | tool      | two     |

  @LOOP-08 @clarified
  Rule: With sequential tool calls configured, the calls of an answer run one at a time in the order of the answer

    @axis:message-events
    Scenario: The first of two tools waits for an event
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And tool calls run sequentially
      And a handler "H" that, around tool "t1", sends the event "soon"; waits until event 2 is emitted; calls the next handler
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | soon    |
        | one     |
        | two     |
        | done    |

    @axis:message-events
    Scenario: A before-agent hook sets the tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And the additional tools
        | name | returns |
        | t3   | three   |
      And tool calls run sequentially
      And a handler "H" that, before agent, sets the tools of the run to "t1", "t2", "t3"
      And a handler "W" that, around tool "t1", sends the event "soon"; waits until event 4 is emitted; calls the next handler
      And a model that answers
        | calls  | text |
        | t2     |      |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | two     |
        |         |
        | soon    |
        | one     |
        | two     |
        | done    |

    Scenario: Only the calls of a sub-agent are sequential
      Given a session in which "user" is "Bob"
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | returns | actions                                | held until                 |
        | t1   | one     | reads the session value "user"         | the tool "t4" has returned |
        | t2   | two     | sets the session value "user" to "Ann" |                            |
        | t3   | three   |                                        |                            |
      And tool calls run sequentially
      And a model that answers
        | calls      | text   |
        | t3, t1, t2 |        |
        |            | helped |
      And an outer agent
      And the tools
        | name | returns | held until                 |
        | t4   | four    | the tool "t3" has returned |
      And a model that answers
        | calls      | text |
        | helper, t4 |      |
        |            | done |
      When the agent runs
      Then the tool "t1" finds "Bob" under "user"
      And the tool "t2" runs once
