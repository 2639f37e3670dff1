Feature: A custom input generation
  What a run begins with is the instruction as a system message, and the
  caller's messages after it. An agent can be given a function that makes
  something else of the two.

  @CFG-04 @derived
  Rule: A custom input generation replaces the conversation that an agent would begin with

    Scenario: An instruction beside a custom input generation
      Given an agent with the instruction "Be brief."
      And an input generation that puts before the conversation
        | role   | content   |
        | system | Be funny. |
        | user   | Hi there. |
      And a tool "search" that returns "found"
      And a model that answers
        | calls  |
        | search |
        |        |
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | Be funny. |
        | user   | Hi there. |
        | user   | Hello.    |
      And model call 2 receives
        | role      | content   |
        | system    | Be funny. |
        | user      | Hi there. |
        | user      | Hello.    |
        | assistant |           |
        | tool      | found     |

  @CFG-16 @clarified
  Rule: A custom input generation is given the instruction, as the handlers leave it, and the caller's messages

    Scenario: A handler that adds to the instruction
      Given an agent with the instruction "Be brief."
      And a handler "H" that, before agent, adds " And kind." to the instruction
      And an input generation that puts before the conversation
        | role   | content   |
        | system | Be funny. |
      When the agent runs
      Then the input generation is given the instruction "Be brief. And kind."
      And the input generation is given
        | role | content |
        | user | Hello.  |

  @CFG-10 @clarified
  Rule: The error of a custom input generation ends the run, after the hooks before the agent and before all others

    Scenario: A handler in every hook
      Given a handler "H" that looks on
      And an input generation that fails with "no input"
      When the agent runs
      Then the run fails with the error "no input"
      And the stream ends with one error
      And "H" is called once before agent
      And "H" is never called before model
      And the model is called 0 times
