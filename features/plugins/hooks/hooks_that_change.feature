Feature: What hooks receive and change
  A hook receives the current conversation and returns the changes that it
  wants. A before-agent hook prepares the run, a before-model hook prepares
  one model call, and an after-model hook can correct the answer. The
  after-agent hook receives the finished conversation. A hook that fails ends
  the run.

  @XP-HOOK-18 @documented
  Rule: Changes of the before-agent hook to the conversation and the state are in effect at the first model call

    Scenario: A system prompt
      Given a middleware "A" that, before agent, puts the system message "Be kind." first
      When the agent runs
      Then the run succeeds
      And model call 1 holds a message that says "Be kind."
      And model call 1 holds a message that says "Hello."

    Scenario: External context
      Given a middleware "A" that, before agent, adds the user message "It rains."
      When the agent runs
      Then the model receives
        | role | content   |
        | user | Hello.    |
        | user | It rains. |

    Scenario: An initial state
      Given a middleware "A" that does
        | hook         | deed                    |
        | before agent | sets the state "k" to 7 |
        | before model | looks on                |
        | around model | looks on                |
      And the state of "A" has the fields
        | field | type   |
        | k     | number |
      When the agent runs
      Then before model, "A" sees the state {"k": 7}
      And around model, "A" sees the state {"k": 7}

  @XP-HOOK-19 @documented
  Rule: The before-model hook can change the messages and the tools of the model call

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
      And a middleware "A" that, before model, replaces all messages by the user message "They counted to three."
      When the agent runs
      Then the model receives
        | role | content                |
        | user | They counted to three. |

    Scenario: One of two tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a middleware "A" that, before model, offers the tools t2
      When the agent runs
      Then model call 1 is offered the tools t2

    Scenario: A change at the second model call only
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that does
        | hook                | deed                              |
        | before model call 2 | adds the user message "Hurry up." |
        | before model call 2 | offers the tools t2               |
      When the agent runs
      Then in any order, model call 1 is offered the tools t1, t2
      And model call 2 is offered the tools t2
      And model call 2 holds a message that says "Hurry up."

  @XP-HOOK-12 @documented
  Rule: A tool receives the arguments that the after-model hook leaves in the answer

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
      And call 1 of the tool "t1" gets the arguments "{"a": 2}"

    Scenario: Unchanged arguments
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls        |
        |      | t1({"a": 1}) |
        | done |              |
      And a middleware "A" that looks on after model
      When the agent runs
      Then call 1 of the tool "t1" gets the arguments "{"a": 1}"

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
      Then call 1 of the tool "t1" gets the arguments "{"a": 1}"
      And call 1 of the tool "t2" gets the arguments "{"b": 2}"

  @XP-HOOK-20 @derived
  Rule: The after-agent hook receives the conversation with the final answer as its last message

    Scenario: An answer without tool calls
      Given a middleware "A" that looks on after agent
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
      And a middleware "A" that looks on after agent
      When the agent runs
      Then after agent, "A" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
        | assistant | done    |       |
