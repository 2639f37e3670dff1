Feature: An agent without tools
  Without a tool there is nothing to go round for: the model is called once, and
  whatever it answers is the answer. This holds for an answer that calls tools
  all the same, as models do that were once told of some.

  @LOOP-09 @documented
  Rule: Without tools, the model is called once

    Scenario Outline: An agent that has nothing but a model, in a <mode> run
      Given a <mode> run
      And an agent
      And a model that answers
        | text  |
        | done  |
        | again |
      When the agent runs
      Then the final answer is "done"
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A conversation from a time when there was a tool
      Given an agent
      And the conversation
        | role      | content      | calls  |
        | user      | Who was Ada? |        |
        | assistant | I look.      | search |
        | tool      | found        |        |
      And a model that answers
        | text             |
        | A mathematician. |
        | again            |
      When the agent runs
      Then the final answer is "A mathematician."
      And the model is called once

  @LOOP-10 @derived
  Rule: Without tools, an answer that calls some is the final answer, and no error

    Scenario Outline: A call of a tool that is not there, in a <mode> run
      Given a <mode> run
      And an agent
      And a model that answers
        | text    | calls  |
        | I look. | search |
        | again   |        |
      When the agent runs
      Then the final answer is "I look."
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
