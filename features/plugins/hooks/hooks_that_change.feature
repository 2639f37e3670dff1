Feature: What a hook can change
  A hook is shown the conversation as it is, and what it changes holds from
  there on. A hook before the agent prepares a run, one before the model
  prepares a model call, one after the model sees to what the model wants to
  have done. A hook after the agent comes when the answer is final: it is
  shown all that the run has come to.

  @XP-HOOK-18 @documented
  Rule: What the hook before the agent puts into the conversation and into its state is there at the first model call

    Scenario: A system prompt
      Given a middleware "A" that, before agent, puts the system message "Be kind." first
      When the agent runs
      Then the run succeeds
      And model call 1 holds a message that says "Be kind."
      And model call 1 holds a message that says "Hello."

    Scenario: Something fetched from outside
      Given a middleware "A" that, before agent, adds the user message "It rains."
      When the agent runs
      Then the model receives
        | role | content   |
        | user | Hello.    |
        | user | It rains. |

    Scenario: The state to begin with
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
  Rule: The hook before the model decides on the messages and the tools that the model call is made with

    Scenario: A message more
      Given a middleware "A" that, before model, adds the user message "Today is Monday."
      When the agent runs
      Then the model receives
        | role | content          |
        | user | Hello.           |
        | user | Today is Monday. |

    Scenario: A short text in the place of a long conversation
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

    Scenario: Only one of two tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a middleware "A" that, before model, offers the tools t2
      When the agent runs
      Then model call 1 is offered the tools t2

    Scenario: Another decision at the second call
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
  Rule: A tool gets the arguments that the hook after the model has left in the answer

    Scenario: Arguments that are changed
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

    Scenario: Arguments that are only looked at
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls        |
        |      | t1({"a": 1}) |
        | done |              |
      And a middleware "A" that looks on after model
      When the agent runs
      Then call 1 of the tool "t1" gets the arguments "{"a": 1}"

    Scenario: One of two calls
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
  Rule: The hook after the agent is shown the conversation with the final answer at its end

    Scenario: An answer at once
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
