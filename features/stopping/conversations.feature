Feature: Conversations of several runs
  A conversation outlives a run: a framework stores what a run has done, and the next run begins with it. The caller passes
  only what is new. Frameworks call this a thread, a session or a message history.

  @STOP-06 @clarified
  Rule: A run continues the conversation of the run before it

    Scenario Outline: Two <mode> runs, the first one with a tool call
      Given a <mode> run
      And the runs share a conversation
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And in run 2, the model answers
        | text    |
        | welcome |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | ok      |       |
        | assistant | done    |       |
        | user      | Thanks. |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The first run ends with two return-directly tools
      Given the runs share a conversation
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And the tools "t1", "t2" return directly
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text    |
        | welcome |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 2 receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | t1, t2 |
        | tool      | one     |        |
        | tool      | two     |        |
        | user      | Thanks. |        |

    Scenario: The first run was interrupted and resumed
      Given the runs share a conversation
      And the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      And in run 3, the model answers
        | text    |
        | welcome |
      And in run 3, the user writes "Thanks."
      When the agent runs, is resumed, and runs once more
      Then model call 3 receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | t1, t2 |
        | tool      | one     |        |
        | tool      | two     |        |
        | assistant | done    |        |
        | user      | Thanks. |        |

    Scenario: The first run was interrupted in its second round
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And the runs share a conversation
      And the tools
        | name | returns | kind       | actions                        | interrupts |
        | t0   | früh    | streamable | reads the session value "mood" |            |
        | t1   |         | streamable | reads the session value "mood" | yes        |
      And a model that answers
        | text    | calls                     |
        |         | t0({"city": "Köln"}) as a |
        |         | t1({"city": "Bonn"}) as b |
        | Gern |                           |
      And in run 3, the model answers
        | text  |
        | Bitte |
      And in run 3, the user writes "Danke."
      And a handler "H0" that observes before model
      And a handler "H1" that observes before model
      When the agent runs, is resumed, and runs once more
      Then model call 4 receives
        | role      | content | calls   |
        | user      | Grüße.  |         |
        | assistant |         | t0 as a |
        | tool      | früh    |         |
        | assistant |         | t1 as b |
        | tool      |         |         |
        | assistant | Gern    |         |
        | user      | Danke.  |         |

    Scenario: A long message and a long answer
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And the runs share a conversation
      And a model that answers
        | text    |
        | \ü*2001 |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 2 receives
        | role      | content |
        | user      | \ü*2001 |
        | assistant | \ü*2001 |
        | user      | Thanks. |

  @STOP-05 @clarified
  Rule: In a conversation, the first model request of each run begins with the messages of the last request of the run before

    Scenario: The first of three runs was cancelled during a tool call
      Given the runs share a conversation
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | text |
        | done |
      And in run 3, the model answers
        | text      |
        | once more |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Go on."
      And in run 3, the user writes "Once more."
      When the agent runs three times
      Then model call 3 begins with the messages of model call 2
      And in model call 3, each tool call has one result

    Scenario: The first of three runs was cancelled during a tool call, and the user writes nothing in the last one
      Given the runs share a conversation
      And the tools
        | name | held until        |
        | t1   | the run has ended |
      And a model that answers
        | calls |
        | t1    |
      And in run 2, the model answers
        | text |
        | Gut  |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Danke."
      And in run 3, the user writes ""
      When the agent runs three times
      Then model call 3 begins with the messages of model call 2
      And in model call 3, each tool call has one result

    Scenario: The caller's messages begin with a system message
      Given a conversation of plain messages
        | role   | content        |
        | system | You are terse. |
        | user   | Hello.         |
      And the runs share a conversation
      And a model that answers
        | text |
        | Hi.  |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then model call 2 begins with the messages of model call 1

    Scenario: The caller's messages have a system message in the middle
      Given a conversation of plain messages
        | role      | content        |
        | system    | You are terse. |
        | user      | Hello.         |
        | assistant | Hi.            |
        | system    | It is late.    |
        | user      | How are you?   |
      And the runs share a conversation
      And a model that answers
        | text  |
        | Fine. |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then model call 2 begins with the messages of model call 1
      And model call 2 contains the message "It is late."

    @axis:edits-last
    Scenario: A before-model hook of the first run shortens the conversation
      Given the conversation
        | role      | content      |
        | user      | Hello.       |
        | assistant | Hi.          |
        | user      | How are you? |
      And the runs share a conversation
      And a model that answers
        | text  |
        | Fine. |
      And in run 2, the user writes "Go on."
      And a handler "H1" that, before model of run 1, replaces all messages with the user message "In short: hello."
      When the agent runs twice
      Then model call 2 begins with the messages of model call 1

  @STOP-03 @clarified
  Rule: A run that stopped keeps the message of its user for the next run

    Scenario: The model call fails
      Given a conversation of plain messages
        | role | content |
        | user | Grüße.  |
      And the runs share a conversation
      And a model that answers
        | fails with |
        | busy       |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then the run fails with the error "busy"
      And model call 2 contains the message "Grüße."

    Scenario: Cancelled during the model call
      Given the runs share a conversation
      And a model that answers
        | text     | held until        |
        | too late | the run has ended |
      And in run 2, the model answers
        | text |
        | done |
      And a cancel request, which takes effect immediately, is made when the model is called
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then model call 2 contains the message "Hello."

    Scenario: The model call fails that would answer a message sent to the run
      Given the runs share a conversation
      And a model that answers
        | text | fails with |
        | Look |            |
        |      | busy       |
      And in run 2, the user writes "Go on."
      And a handler "H1" that, after model call 1 of run 1, sends the run the user message "Hurry."
      When the agent runs twice
      Then model call 3 contains the message "Hurry."

    Scenario Outline: A tool sends a message to the run, and then <end>
      Given the runs share a conversation
      And the tools
        | name | actions                                 | fails with | interrupts   |
        | t1   | sends the run the user message "Hurry." |            |              |
        | t2   |                                         | <error>    | <interrupts> |
      And tool calls run sequentially
      And a model that answers
        | calls  |
        | t1, t2 |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      When the agent runs twice
      Then model call 2 contains the message "Hurry."

      Examples:
        | end                             | error | interrupts |
        | another tool fails              | busy  |            |
        | another tool interrupts the run |       | yes        |

    Scenario: A hook sends a message to the run, and its model call fails
      Given the runs share a conversation
      And a model that answers
        | fails with |
        | busy       |
      And in run 2, the model answers
        | text |
        | done |
      And in run 2, the user writes "Go on."
      And a handler "H1" that, before model call 1 of run 1, sends the run the user message "Hurry."
      When the agent runs twice
      Then model call 2 contains the message "Hurry."

  @STOP-07 @clarified
  Rule: A run receives no message of another conversation

    Scenario: Two runs of one agent, each with a conversation of its own
      Given run 1 belongs to the conversation "first"
      And run 2 belongs to the conversation "second"
      And a model that answers
        | text |
        | done |
      And in run 2, the user writes "Thanks."
      When the agent runs twice
      Then model call 2 receives
        | role | content |
        | user | Thanks. |
