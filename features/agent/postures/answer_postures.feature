Feature: Postures of answers and instructions
  Agent frameworks document different answers to what an empty model answer means, to what braces in an instruction mean,
  and to whether the instruction is a message of the state. An empty answer has neither text nor tool calls.

  @POSTURE-05 @clarified @axis:empty-answer=asked-again
  Rule: An agent with the posture empty-answer=asked-again calls its model again after an empty answer

    Scenario: The first answer is empty
      Given a model that answers
        | text |
        |      |
        | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

    Scenario: An answer with a text
      Given a model that answers
        | text  |
        | done  |
        | again |
      When the agent runs
      Then the model is called once
      And the final answer is "done"

    Scenario: An empty answer after a tool call
      Given a tool "search" that returns "found"
      And a model that answers
        | text | calls  |
        |      | search |
        |      |        |
        | done |        |
      When the agent runs
      Then the tool "search" runs once
      And the model is called 3 times
      And the final answer is "done"

  @POSTURE-06 @clarified @axis:instruction-template=literal
  Rule: An agent with the posture instruction-template=literal sends its model the instruction as the caller wrote it

    Scenario: The instruction contains a key of the session
      Given an agent with the instruction "You serve {User}."
      And a session in which "User" is "Ann"
      When the agent runs
      Then model call 1 receives
        | role   | content           |
        | system | You serve {User}. |
        | user   | Hello.            |

    Scenario Outline: The instruction contains <words>
      Given an agent with the instruction "<text>"
      When the agent runs
      Then model call 1 receives
        | role   | content |
        | system | <text>  |
        | user   | Hello.  |

      Examples:
        | words             | text               |
        | an unknown key    | You serve {Other}. |
        | doubled braces    | {{}} is an object. |
        | an unpaired brace | Begin with {.      |

  @POSTURE-22 @clarified @axis:instruction-place=request
  Rule: An agent with the posture instruction-place=request adds the instruction to each request and hides it from hooks

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
        | role | content |
        | user | Hello.  |
      And before model call 2, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |
      And model call 1 receives
        | role   | content   |
        | system | Be brief. |
        | user   | Hello.    |
      And model call 2 receives
        | role      | content   | calls |
        | system    | Be brief. |       |
        | user      | Hello.    |       |
        | assistant | asking    | t1    |
        | tool      | one       |       |

    Scenario: A before-model hook replaces all messages
      Given an agent with the instruction "Be brief."
      And a handler "H1" that, before model, replaces all messages with the user message "In short."
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | Be brief. |
        | user   | In short. |

    Scenario: An after-agent hook observes the end of a run
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text |
        | done |
      And a handler "H" that observes after agent
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | Be brief. |
        | user   | Hello.    |
      And after agent, "H" sees the messages
        | role      | content |
        | user      | Hello.  |
        | assistant | done    |
