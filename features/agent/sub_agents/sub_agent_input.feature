Feature: The input of a sub-agent
  A sub-agent is an agent that is a tool of another agent, the outer agent. By default, a sub-agent takes one argument with
  the request. A sub-agent can have another input schema, or receive the whole conversation of the outer agent so far. An
  agentic message consists of content blocks, a plain message of one text.

  @AGENTTOOL-02 @clarified
  Rule: By default, a sub-agent takes one argument named "request", whose text is its only user message

    Scenario: A sub-agent with the default input
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an outer agent
      And a model that answers
        | calls                              | text |
        | helper({"request": "Where am I?"}) |      |
        |                                    | done |
      When the agent runs
      Then model call 1 receives "helper" with the parameters
        | name    | type   | required |
        | request | string | yes      |
      And call 1 of the model "helper's" receives
        | role | content     |
        | user | Where am I? |
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |

    Scenario: Two calls with the default input in one answer
      Given a sub-agent "helper"
      And a model that answers
        | text   |
        | helped |
        | helped |
      And an outer agent
      And a model that answers
        | calls                                                    | text |
        | helper({"request": "Rome"}), helper({"request": "Oslo"}) |      |
        |                                                          | done |
      When the agent runs
      Then in any order, the model "helper's" receives the texts
        | text |
        | Rome |
        | Oslo |

    Scenario: An empty request
      Given a sub-agent "helper"
      And an outer agent
      And a model that answers
        | calls                   | text |
        | helper({"request": ""}) |      |
        |                         | done |
      When the agent runs
      Then call 1 of the model "helper's" receives
        | role | content |
        | user |         |

  @AGENTTOOL-07 @documented
  Rule: A custom input schema of a sub-agent replaces the default schema

    Scenario: A schema with two arguments
      Given a sub-agent "helper"
      And the input schema
        """
        {
          "type": "object",
          "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
          "required": ["city"]
        }
        """
      And an outer agent
      When the agent runs
      Then model call 1 receives "helper" with the parameters
        | name | type    | required |
        | city | string  | yes      |
        | days | integer | no       |

    Scenario Outline: A schema <kind>
      Given a sub-agent "helper"
      And the input schema
        """
        <schema>
        """
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then model call 1 receives "helper" without parameters
      And the final answer is "done"

      Examples: a schema without arguments
        | kind               | schema             |
        | that is empty      | {}                 |
        | without properties | {"type": "object"} |

  @AGENTTOOL-06 @documented
  Rule: A sub-agent with the full conversation as its input receives all that was said before its call, in order

    Scenario: After a conversation and a tool call
      Given a sub-agent "helper"
      And an input schema without properties
      And the conversation
        | role      | content     |
        | user      | I am Ada.   |
        | assistant | Hello Ada.  |
        | user      | Where am I? |
      And the whole conversation as input
      And an outer agent
      And the tools
        | name | returns  |
        | t1   | in Italy |
        | t2   | in Italy |
      And a model that answers
        | calls                                             | text          |
        | t1({"city": "Ravenna"}), t2({"city": "Siracusa"}) | I look it up. |
        | t1({"city": "Pisa"})                              |               |
        | helper                                            |               |
        |                                                   | done          |
      When the agent runs
      Then call 1 of the model "helper's" contains, in this order
        """
        I am Ada.
        Hello Ada.
        Where am I?
        I look it up.
        Ravenna
        Siracusa
        in Italy
        in Italy
        Pisa
        in Italy
        """

    Scenario: After two tool calls and an interrupt
      Given a sub-agent "helper"
      And an input schema without properties
      And the whole conversation as input
      And an outer agent
      And the tools
        | name | returns | interrupts |
        | t1   | in Rome |            |
        | t2   | in July | yes        |
      And a model that answers
        | calls  | text          |
        | t1     | I look it up. |
        | t2     | And when?     |
        | helper |               |
        |        | done          |
      When the agent runs and is resumed
      Then call 1 of the model "helper's" contains, in this order
        """
        Hello.
        I look it up.
        in Rome
        And when?
        in July
        """

    Scenario: The outer agent has an instruction
      Given an agent with the instruction "Be brief."
      And a sub-agent "helper"
      And an input schema without properties
      And the whole conversation as input
      And an outer agent
      And a model that answers
        | calls  | text          |
        | helper | I look it up. |
        |        | done          |
      When the agent runs
      Then call 1 of the model "helper's" contains "Hello."

    Scenario: Agentic messages with equal, empty and adjacent texts
      Given the messages are agentic
      And a sub-agent "helper"
      And an input schema without properties
      And the conversation
        | role      | content     |
        | user      | Yes.        |
        | user      |             |
        | assistant | Sure?       |
        | user      | Yes.        |
        | user      | Where am I? |
      And the whole conversation as input
      And an outer agent
      And a tool "t1" that returns "in Rome"
      And a model that answers
        | calls  | text          |
        | t1     | I look it up. |
        | helper |               |
        |        | done          |
      When the agent runs
      Then call 1 of the model "helper's" contains, in this order
        """
        Yes.
        Sure?
        Yes.
        Where am I?
        I look it up.
        in Rome
        """

    @axis:message-events
    Scenario: The run is cancelled before the call and resumed
      Given a sub-agent "helper"
      And an input schema without properties
      And the whole conversation as input
      And an outer agent
      And a model that answers
        | calls  | text          | held until               |
        | helper | I look it up. | a cancel request is made |
        |        | done          |                          |
      And a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs and is resumed
      Then "model helper's" is called once
      And every model call of run 2 contains the text "Hello."
