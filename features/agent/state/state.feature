Feature: The messages of a run
  The state of a run holds the messages of the conversation. The state is passed from one model call to the next. Hooks
  before and after a model call can change the messages, for example to shorten a long conversation.

  @STATE-01 @documented
  Rule: The changes that a before-model hook makes to the messages apply to that model call and all later ones

    @axis:edits-last
    Scenario: A message is added before the first of three model calls
      Given the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, adds the user message "Be brief."
      When the agent runs
      Then model call 1 receives
        | role | content   |
        | user | Hello.    |
        | user | Be brief. |
      And model call 2 receives
        | role      | content   | calls |
        | user      | Hello.    |       |
        | user      | Be brief. |       |
        | assistant |           | t1    |
        | tool      | one       |       |
      And model call 3 receives
        | role      | content   | calls |
        | user      | Hello.    |       |
        | user      | Be brief. |       |
        | assistant |           | t1    |
        | tool      | one       |       |
        | assistant |           | t1    |
        | tool      | two       |       |

    Scenario Outline: A hook adds two messages, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, before model, adds the user message "Be brief."; adds the user message "Be kind."
      When the agent runs
      Then model call 1 receives
        | role | content   |
        | user | Hello.    |
        | user | Be brief. |
        | user | Be kind.  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:edits-last
    Scenario: A message is added before the second model call, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, adds the user message "b1"
      When the agent runs twice
      Then model call 3 contains the message "b1"
      And model call 5 contains the message "b1"
      And model call 6 contains the message "b1"

  @STATE-02 @documented
  Rule: Messages that a before-model hook removes are not sent in any later model call

    @axis:edits-last
    Scenario: All messages are replaced before the second of three model calls
      Given the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 2, replaces all messages with the user message "In short."
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello.  |
      And model call 2 receives
        | role | content   |
        | user | In short. |
      And model call 3 receives
        | role      | content   | calls |
        | user      | In short. |       |
        | assistant |           | t1    |
        | tool      | two       |       |

  @STATE-12 @clarified
  Rule: The messages of a run's state include the system message

    @axis:instruction-place
    Scenario: A before-model hook observes two model calls
      Given an agent with the instruction "Be brief."
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that observes before model
      When the agent runs
      Then before model call 1, "H" sees the messages
        | role   | content   |
        | system | Be brief. |
        | user   | Hello.    |
      And before model call 2, "H" sees the messages
        | role      | content   | calls |
        | system    | Be brief. |       |
        | user      | Hello.    |       |
        | assistant | asking    | t1    |
        | tool      | one       |       |

    @axis:instruction-place
    Scenario: An after-agent hook observes the end of a run
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text |
        | done |
      And a handler "H" that observes after agent
      When the agent runs
      Then after agent, "H" sees the messages
        | role      | content   |
        | system    | Be brief. |
        | user      | Hello.    |
        | assistant | done      |

    @axis:edits-last @axis:instruction-place
    Scenario: A before-model hook replaces all messages of an agent with an instruction
      Given an agent with the instruction "You help."
      And the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 2, replaces all messages with the user message "In short."
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | You help. |
        | user   | Hello.    |
      And model call 2 receives
        | role | content   |
        | user | In short. |
      And model call 3 receives
        | role      | content   | calls |
        | user      | In short. |       |
        | assistant |           | t1    |
        | tool      | two       |       |

  @STATE-11 @documented
  Rule: The changes that an after-model hook makes to the messages apply to the next model call

    Scenario: A message is added after the first model call of a run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model call 1, inserts the user message "Be brief." first
      When the agent runs
      Then model call 2 receives
        | role      | content   | calls |
        | user      | Be brief. |       |
        | user      | Hello.    |       |
        | assistant |           | t1    |
        | tool      | ok        |       |

    Scenario: The text of the answer is changed
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, after model call 1, changes the last message to "changed"
      When the agent runs
      Then model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | changed | t1    |
        | tool      | one     |       |

    Scenario: A message is added and the answer changed after the second model call, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, after model call 2, changes the last message to "Gut"; inserts the user message "a1" first
      When the agent runs twice
      Then model call 3 contains the message "a1"
      And model call 3 contains the message "Gut"
      And model call 6 contains the message "a1"
      And model call 6 contains the message "Gut"

  @STATE-10 @derived
  Rule: A change to the messages or tools of one run does not reach another run of the agent

    Scenario: Two runs in sequence, with a hook that changes the state
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a handler "H1" that, before model, adds the user message "Be brief."; offers the model the tools "t2"
      When the agent runs twice
      Then before model call 2, "H1" sees the messages
        | role | content |
        | user | Hello.  |
      And before model call 2, "H1" sees, in any order, the tools "t1", "t2"
      And model call 2 receives
        | role | content   |
        | user | Hello.    |
        | user | Be brief. |

    Scenario: Two concurrent runs
      Given the tools
        | name | returns | held until                       |
        | t1   | one     | the tool "t1" is called in run 1 |
      And a model that answers
        | text | calls | held until                   |
        |      | t1    | the model is called in run 2 |
        | done |       |                              |
      When the agent runs 2 times concurrently
      Then model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | one     |       |
      And model call 4 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | one     |       |

    Scenario: Two runs in sequence, with a tool call each
      Given a tool "search" that returns "found"
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs twice
      Then the run succeeds
      And model call 3 receives
        | role | content |
        | user | Hello.  |

    Scenario: A hook changes the state in the first of two runs only
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H" that, before model of run 1, adds the user message "Be brief."; offers the model the tools "t2"; defers the tools "t1"
      When the agent runs twice
      Then model call 2 receives
        | role | content |
        | user | Hello.  |
      And model call 2 receives the tools "t1", "t2"
      And model call 2 receives no deferred tools

    Scenario: A hook changes the state of one of two concurrent runs
      Given a tool "t1" that returns "one"
      And a handler "H" with the actions
        | hook                  | action                                                                  |
        | before model of run 1 | adds the user message "first"; waits until the model is called in run 2 |
        | before model of run 2 | adds the user message "second"                                          |
      When the agent runs 2 times concurrently
      Then every model call of run 1 contains the text "first"
      And no model call of run 1 contains the text "second"
      And every model call of run 2 contains the text "second"
      And no model call of run 2 contains the text "first"
