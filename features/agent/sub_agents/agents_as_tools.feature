Feature: Agents as tools
  An agent can be a tool of another agent. The agent that is the tool is called
  the sub-agent, and the agent that has the tool is called the outer agent. The
  outer model calls a sub-agent like any other tool. Each call is a run of the
  sub-agent. By default, a sub-agent takes one argument with the request. The
  normative rules give the sub-agent another input schema, mostly one without
  properties, so that a call needs no arguments. An agentic message consists of
  content blocks, a plain message of one text.

  @AGENTTOOL-01 @derived
  Rule: The outer model receives a sub-agent as a tool with the sub-agent's name and description

    Scenario: The outer model calls the sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And the description "Looks things up."
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then model call 1 receives the tool descriptions
        | name   | description      |
        | helper | Looks things up. |
      And the trace of "helper" is
        """
        model helper's
        """

  @AGENTTOOL-19 @derived
  Rule: A sub-agent's final answer is the result of its tool call

    Scenario: A sub-agent that calls a tool first
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content        | calls  |
        | user      | Hello.         |        |
        | assistant |                | helper |
        | tool      | It is in Rome. |        |
      And the final answer is "done"

    @axis:empty-answer
    Scenario: An empty answer
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text    |
        | t1    | I look. |
        |       |         |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | helper |
        | tool      |         |        |

    Scenario: The result of a return-directly tool
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And the tool "t1" returns directly
      And a model that answers
        | calls | text    |
        | t1    | I look. |
        |       | late    |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | helper |
        | tool      | ok      |        |
      And the final answer is "done"

  @AGENTTOOL-18 @clarified
  Rule: The result of a sub-agent's call is its last message, even if a custom event follows that message

    Scenario: A custom event after the sub-agent's answer
      Given a sub-agent "helper"
      And a handler "H2" that, after agent, sends the event "that was all"
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |

  @AGENTTOOL-21 @clarified
  Rule: If a sub-agent's final answer consists of parts without a text, the tool result is the joined texts of the parts

    Scenario: A return-directly tool of the sub-agent returns two parts
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | kind               | parts             |
        | t1   | enhanced invokable | one/image:sun/two |
      And the tool "t1" returns directly
      And a model that answers
        | calls |
        | t1    |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | onetwo  |

    Scenario: A streaming run with agentic messages
      Given a streaming run
      And the messages are agentic
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | kind                | parts         |
        | t1   | enhanced streamable | one/two/three |
      And the tool "t1" returns directly
      And a model that answers
        | calls |
        | t1    |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then in any order, model call 3 receives the results
        | content     |
        | onetwothree |

  @AGENTTOOL-20 @documented
  Rule: A sub-agent works with plain messages and with agentic messages

    Scenario Outline: Messages that are <kind>
      Given a sub-agent "helper"
      And an input schema without properties
      And the messages are <kind>
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        """
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |
      And the final answer is "done"

      Examples:
        | kind    |
        | plain   |
        | agentic |

  @AGENTTOOL-10 @derived
  Rule: An outer agent fails before its first model call if a sub-agent has no name or no description

    Scenario: A sub-agent without a name
      Given a sub-agent "helper"
      And an input schema without properties
      And no name
      And an outer agent
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: A sub-agent without a description
      Given a sub-agent "helper"
      And an input schema without properties
      And the description ""
      And an outer agent
      When the agent runs
      Then building the agent fails, or the run fails before any model call

    Scenario: A sub-agent with a name and a description
      Given a sub-agent "helper"
      And an input schema without properties
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then the final answer is "done"

    Scenario Outline: Two runs of an agent with a sub-agent without a <part>
      Given the conversation
        | role | content |
        | user | Grüße.  |
        | user |         |
      And a sub-agent "helper"
      And an input schema without properties
      And <setting>
      And an outer agent
      And tool calls run sequentially
      When the agent runs twice
      Then building the agent fails, or the run fails before any model call

      Examples:
        | part        | setting            |
        | name        | no name            |
        | description | the description "" |

  @AGENTTOOL-17 @derived
  Rule: Several calls of a sub-agent in one answer are separate runs of the sub-agent

    Scenario: Two calls with different arguments
      Given a sub-agent "helper"
      And the input schema
        """
        {"type": "object", "properties": {"city": {"type": "string"}}}
        """
      And a handler "H" that observes before agent and after agent
      And a model that answers
        | text   |
        | helped |
        | helped |
      And an outer agent
      And a model that answers
        | calls                                              | text |
        | helper({"city": "Rome"}), helper({"city": "Oslo"}) |      |
        |                                                    | done |
      When the agent runs
      Then "model helper's" is called 2 times
      And "H" is called 2 times before agent
      And "H" is called 2 times after agent
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |
        | tool      | helped  |

    Scenario: Two calls with equal arguments, one after the other
      Given a sub-agent "helper"
      And a handler "H" with the actions
        | hook         | action                                                                |
        | before model | reads the run-local value "k"; sets the run-local value "k" to "used" |
      And a model that answers
        | text   |
        | first  |
        | second |
      And an outer agent
      And tool calls run sequentially
      And a model that answers
        | calls                                                      | text |
        | helper({"request": "Help."}), helper({"request": "Help."}) |      |
        |                                                            | done |
      When the agent runs
      Then before model call 1, "H" finds nothing under "k"
      And before model call 2, "H" finds nothing under "k"
      And "model helper's" is called 2 times

    Scenario: Two calls in the second round of two concurrent runs and a third one
      Given a sub-agent "helper"
      And a model that answers
        | text   |
        | helped |
        | more   |
      And a handler "H" that observes before agent
      And an outer agent
      And the conversation
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       |
        | t0   | \ü*2001 | streamable |
      And a model that answers
        | calls                                                                | text    |
        | t0 as a                                                              |         |
        | helper({"request": "Kiel?"}) as b, helper({"request": "Bonn?"}) as c | \ü*2001 |
        |                                                                      | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      And a handler "H1" that observes after model
      When the agent runs 2 times concurrently, and then once
      Then the run succeeds
      And "model helper's" is called 6 times
      And "H" is called 6 times before agent
