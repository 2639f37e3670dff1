Feature: Postures of answers and instructions
  Agent frameworks document different answers to what an empty model answer means, and to what braces in an instruction
  mean. An empty answer has neither text nor tool calls.

  @POSTURE-05 @clarified @axis:empty-answer=asked-again
  Rule: An agent with the posture empty-answer: asked-again calls its model again after an empty answer

    Scenario Outline: The first answer is empty, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text |
        |      |
        | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

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
  Rule: An agent with the posture instruction-template: literal sends its model the instruction as the caller wrote it

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
