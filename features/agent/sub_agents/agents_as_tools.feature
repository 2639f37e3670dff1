Feature: Agents as tools
  An agent can be a tool of another one. To the model above it looks like any
  tool, by the name and the description of the agent. Each call of it is a run of
  that agent, and its final answer is the result, with which the loop above goes
  on.

  Background:
    Given a sub-agent "helper", with
    And it takes any arguments

  @AGENTTOOL-01 @documented
  Rule: An agent that is a tool is offered under its own name and description, and a call of it is a run of it

    Scenario: It is called
      Given it is described as "Looks things up."
      And a model that answers
        | text   |
        | helped |
      And an agent above it, with
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then model call 1 is offered
        | name   | description      |
        | helper | Looks things up. |
      And the trace of "helper" is
        """
        model helper's
        """

  @AGENTTOOL-19 @derived
  Rule: The sub-agent's final answer is the tool's result, and the loop above goes on with it

    Scenario Outline: A sub-agent that calls a tool first, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an agent above it, with
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @AGENTTOOL-21 @clarified
  Rule: The joined texts of its parts are the result of a sub-agent whose final answer has only parts

    Scenario: A tool of the sub-agent returns two parts directly
      Given the tools
        | name | kind               | parts   |
        | t1   | enhanced invokable | one/two |
      And the tools t1 return directly
      And a model that answers
        | calls |
        | t1    |
      And an agent above it, with
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

  @AGENTTOOL-20 @documented
  Rule: Agents of either message type can be tools

    Scenario Outline: Messages that are <kind>
      Given the messages are <kind>
      And a model that answers
        | text   |
        | helped |
      And an agent above it, with
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

  @AGENTTOOL-10 @documented
  Rule: An agent without a name or without a description cannot be a tool

    Scenario: Without a name
      Given it has no name
      And an agent above it, with
      When the agent runs
      Then the agent is refused, or the run fails before any model call

    Scenario: Without a description
      Given it is described as ""
      And an agent above it, with
      When the agent runs
      Then the agent is refused, or the run fails before any model call

  @AGENTTOOL-12 @derived
  Rule: A sub-agent can return directly

    Scenario Outline: Its answer is the answer, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text   |
        | helped |
      And an agent above it, with
      And the tools "helper" return directly
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the trace is
        """
        model
        """
      And the final answer is "helped"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @AGENTTOOL-17 @derived
  Rule: A sub-agent can be called several times in one answer, and each call is a run of its own

    Scenario Outline: Two calls with different arguments, in a <mode> run
      Given a <mode> run
      And it takes the arguments
        """
        {"type": "object", "properties": {"city": {"type": "string"}}}
        """
      And a handler "H" that looks on before agent and after agent
      And a model that answers
        | text   |
        | helped |
        | helped |
      And an agent above it, with
      And a model that answers
        | calls                                              | text |
        | helper({"city": "Rome"}), helper({"city": "Oslo"}) |      |
        |                                                    | done |
      When the agent runs
      Then "model helper's" happens 2 times
      And "H" is called 2 times before agent
      And "H" is called 2 times after agent
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |
        | tool      | helped  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
