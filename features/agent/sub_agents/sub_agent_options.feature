Feature: What a sub-agent is told
  Where an agent is made a tool, it is configured what it takes: it can have an
  input schema of its own, and it can be given the conversation so far.

  Background:
    Given a sub-agent "helper", with
    And it takes any arguments

  @AGENTTOOL-06 @documented
  Rule: A sub-agent that is given the whole conversation is told all that was said before

    Scenario Outline: Two rounds of a conversation and a tool call came before, in a <mode> run
      Given a <mode> run
      And the conversation
        | role      | content     |
        | user      | I am Ada.   |
        | assistant | Hello Ada.  |
        | user      | Where am I? |
      And it is given the whole conversation
      And an agent above it, with
      And a tool "t1" that returns "in Rome"
      And a model that answers
        | calls  | text          |
        | t1     | I look it up. |
        | helper |               |
        |        | done          |
      When the agent runs
      Then call 1 of the model "helper's" tells, in this order
        """
        I am Ada.
        Hello Ada.
        Where am I?
        I look it up.
        in Rome
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The agent above has an instruction
      Given it is given the whole conversation
      And an agent above it, with
      And an agent with the instruction "Be brief."
      And a model that answers
        | calls  | text          |
        | helper | I look it up. |
        |        | done          |
      When the agent runs
      Then call 1 of the model "helper's" tells, in this order
        """
        Hello.
        """

  @AGENTTOOL-07 @documented
  Rule: An input schema of its own stands in the place of the default one

    Scenario: Two arguments
      Given it takes the arguments
        """
        {
          "type": "object",
          "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
          "required": ["city"]
        }
        """
      And an agent above it, with
      When the agent runs
      Then model call 1 is offered "helper" with the arguments
        | name | type    | required |
        | city | string  | yes      |
        | days | integer | no       |
