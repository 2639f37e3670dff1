Feature: What hooks receive and change
  A hook is a function, or an object that contains the function and declares
  the targets of its jumps. A hook receives the current conversation and
  returns the changes that it wants. A before-agent hook prepares the run, a before-model hook prepares
  one model call, and an after-model hook can correct the answer. The
  after-agent hook receives the finished conversation. A hook that fails ends
  the run.

  @XP-HOOK-10 @clarified
  Rule: A middleware hook changes only what its return value contains

    Scenario: A hook that returns nothing
      Given a tool "t1" that returns "one"
      And a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "k" to 7       |
        | before model | adds the user message "added" |
      And the state of "A" has the fields
        | field | type   | default |
        | k     | number | 0       |
      And a middleware "B" that, before model, returns nothing
      When the agent runs
      Then the model receives
        | role | content |
        | user | Hello.  |
        | user | added   |
      And model call 1 receives only the tool "t1"
      And afterwards the state includes {"k": 7}

    Scenario: A hook that returns messages
      Given a tool "t1" that returns "one"
      And a middleware "A" with the actions
        | hook         | action                        |
        | before agent | sets the state "k" to 7       |
        | before model | adds the user message "added" |
      And the state of "A" has the fields
        | field | type   | default |
        | k     | number | 0       |
      When the agent runs
      Then model call 1 receives only the tool "t1"
      And afterwards the state includes {"k": 7}

    Scenario: A hook that returns messages, after a handler that defers a tool
      Given a tool "t1" that returns "one"
      And a handler "H" that, before model, defers the tools "archive"
      And a middleware "A" that, before model, adds the user message "added"
      When the agent runs
      Then model call 1 receives only the deferred tool "archive"

    Scenario: A hook that returns one field of its state
      Given a tool "t1" that returns "one"
      And a middleware "A" with the actions
        | hook         | action                  |
        | before agent | sets the state "k" to 7 |
        | before model | sets the state "l" to 8 |
      And the state of "A" has the fields
        | field | type   | default |
        | k     | number | 0       |
        | l     | number | 0       |
      When the agent runs
      Then the model receives
        | role | content |
        | user | Hello.  |
      And model call 1 receives only the tool "t1"
      And afterwards the state includes {"k": 7, "l": 8}

  @XP-HOOK-18 @derived
  Rule: A middleware's before-agent hook can prepare the conversation and the state for the first model call

    Scenario: A system prompt
      Given a middleware "A" that, before agent, inserts the system message "Be kind." first
      When the agent runs
      Then the run succeeds
      And model call 1 contains the message "Be kind."
      And model call 1 contains the message "Hello."

    Scenario: External context
      Given a middleware "A" that, before agent, adds the user message "It rains."
      When the agent runs
      Then the model receives
        | role | content   |
        | user | Hello.    |
        | user | It rains. |

    Scenario: An initial state
      Given a middleware "A" with the actions
        | hook         | action                  |
        | before agent | sets the state "k" to 7 |
        | before model | observes                |
        | around model | observes                |
      And the state of "A" has the fields
        | field | type   |
        | k     | number |
      When the agent runs
      Then before model, "A" sees the state {"k": 7}
      And around model, "A" sees the state {"k": 7}

  @XP-HOOK-19 @documented
  Rule: A middleware's before-model hook can change the messages and the tools of the model call

    Scenario: An additional message
      Given a middleware "A" that, before model, adds the user message "Today is Monday."
      When the agent runs
      Then the model receives
        | role | content          |
        | user | Hello.           |
        | user | Today is Monday. |

    Scenario: A short text instead of a long conversation
      Given the conversation
        | role      | content |
        | user      | One.    |
        | assistant | Two.    |
        | user      | Three.  |
      And a middleware "A" that, before model, replaces all messages with the user message "They counted to three."
      When the agent runs
      Then the model receives
        | role | content                |
        | user | They counted to three. |

    Scenario: One of two tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a middleware "A" that, before model, offers the model the tools "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"

    Scenario: A change at the second model call only
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook                | action                            |
        | before model call 2 | adds the user message "Hurry up." |
        | before model call 2 | offers the model the tools "t2"   |
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2"
      And model call 2 receives only the tool "t2"
      And model call 2 contains the message "Hurry up."

    Scenario: No tools from the second model call on
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And a middleware "A" that, before model call 2, offers the model no tools
      When the agent runs
      Then model call 1 receives only the tool "t1"
      And model call 2 receives no tools
      And model call 3 receives no tools

  @XP-HOOK-12 @derived
  Rule: A tool receives the arguments that a middleware's after-model hook leaves in the answer

    Scenario: Changed arguments
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls        |
        |      | t1({"a": 1}) |
        | done |              |
      And a middleware "A" that, after model call 1, makes the last message call t1({"a": 2})
      When the agent runs
      Then the run succeeds
      And the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"a": 2}"

    Scenario: Unchanged arguments
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls        |
        |      | t1({"a": 1}) |
        | done |              |
      And a middleware "A" that observes after model
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments "{"a": 1}"

    Scenario: Changed arguments of one of two calls
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a model that answers
        | text | calls                      |
        |      | t1({"a": 1}), t2({"b": 1}) |
        | done |                            |
      And a middleware "A" that, after model call 1, makes the last message call t1({"a": 1}), t2({"b": 2})
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments "{"a": 1}"
      And call 1 of the tool "t2" receives the arguments "{"b": 2}"

    Scenario: Equal answers in two rounds of each of two runs, with other arguments
      Given the tools
        | name | returns |
        | t1   |         |
      And a model that answers
        | text | calls                                                |
        |      | t1({"city": "Köln"}) as a, t1({"city": "Bonn"}) as b |
        |      | t1({"city": "Köln"}) as a, t1({"city": "Bonn"}) as b |
        |      | t1({"city": "Köln"}) as a                            |
        | done |                                                      |
      And a middleware "A" with the actions
        | hook               | action                                                                       |
        | after model call 1 | makes the last message call t1({"city": "Kiel"}) as a, t1({"city": ""}) as b |
        | after model call 2 | makes the last message call t1({"city": ""}) as a, t1({"city": "Kiel"}) as b |
        | after model call 3 | makes the last message call t1({"city": "Kiel"}) as a                        |
      When the agent runs twice
      Then call 1 of the tool "t1" receives the arguments "{"city": "Kiel"}"
      And call 2 of the tool "t1" receives the arguments "{"city": ""}"
      And call 3 of the tool "t1" receives the arguments "{"city": ""}"
      And call 4 of the tool "t1" receives the arguments "{"city": "Kiel"}"
      And call 5 of the tool "t1" receives the arguments "{"city": "Kiel"}"
      And call 10 of the tool "t1" receives the arguments "{"city": "Kiel"}"

  @XP-HOOK-20 @derived
  Rule: A middleware's after-agent hook receives the conversation with the final answer as its last message

    Scenario: An answer without tool calls
      Given a middleware "A" that observes after agent
      When the agent runs
      Then after agent, "A" sees the messages
        | role      | content |
        | user      | Hello.  |
        | assistant | done    |

    Scenario: An answer after a tool call
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a middleware "A" that observes after agent
      When the agent runs
      Then after agent, "A" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
        | assistant | done    |       |

  @XP-HOOK-11 @clarified
  Rule: A middleware hook receives the conversation and its middleware's own state with the changes of earlier hooks

    Scenario: A message from the before-model hook of an earlier middleware
      Given a middleware "A" that, before model, adds the user message "from A"
      And a middleware "B" that observes before model
      When the agent runs
      Then before model, "A" sees the messages
        | role | content |
        | user | Hello.  |
      And before model, "B" sees the messages
        | role | content |
        | user | Hello.  |
        | user | from A  |

    Scenario: A message from a before-agent hook
      Given a middleware "A" that observes before model
      And a middleware "B" that, before agent, adds the user message "from B"
      When the agent runs
      Then before model, the last message that "A" sees is "from B"

    Scenario: State values from earlier hooks of the same middleware
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" with the actions
        | hook         | action                         |
        | before agent | increments "seen" in the state |
        | before model | increments "seen" in the state |
        | after model  | increments "seen" in the state |
        | after agent  | observes                       |
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs
      Then before model call 1, "A" sees the state {"seen": 1}
      And after model call 1, "A" sees the state {"seen": 2}
      And before model call 2, "A" sees the state {"seen": 3}
      And after agent, "A" sees the state {"seen": 5}

    Scenario: Changes of hooks that also jump
      Given a model that answers
        | text   |
        | draft  |
        | done   |
        | unused |
      And a middleware "A" with the actions
        | hook               | action                                                                       |
        | before agent       | sets the state "k" to 7; jumps to "model"                                    |
        | after model call 1 | adds the user message "Again."; sets the state "seen" to 1; jumps to "model" |
        | after model call 2 | sets the state "seen" to 2; jumps to "end"                                   |
        | after agent        | observes                                                                     |
      And the state of "A" has the fields
        | field | type   |
        | k     | number |
        | seen  | number |
      When the agent runs
      Then model call 2 contains the message "Again."
      And after model call 2, "A" sees the state {"k": 7, "seen": 1}
      And after agent, "A" sees the state {"k": 7, "seen": 2}

  @XP-HOOK-13 @clarified
  Rule: A middleware hook that fails ends the run immediately with its error

    Scenario Outline: A failing <hook> hook, with a middleware after it
      Given a middleware "A" that, <hook>, fails with "broken"
      And a middleware "B" that observes
      When the agent runs
      Then the run fails with the error "broken"
      And "A" is called once <hook>
      And "B" is never called <hook>
      And the model is called 0 times
      And "B" is never called after agent

      Examples:
        | hook         |
        | before agent |
        | before model |

    Scenario: A failing after-model hook, with a middleware before it
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that observes
      And a middleware "B" that, after model, fails with "broken"
      When the agent runs
      Then the run fails with the error "broken"
      And "A" is never called after model
      And the tool "t1" never runs
      And the model is called once
      And "A" is never called after agent

    Scenario: A failing after-agent hook, with a middleware before it
      Given a middleware "A" that observes after agent
      And a middleware "B" that, after agent, fails with "broken"
      When the agent runs
      Then the run fails with the error "broken"
      And "A" is never called after agent

    Scenario: No hook fails
      Given a middleware "A" that observes
      When the agent runs
      Then the run succeeds
      And "A" is called once after agent
