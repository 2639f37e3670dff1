Feature: Sub-agents in a run
  A sub-agent runs inside the run that calls it. Its events stay with it, unless
  the agent above wants to show them while they happen. Handlers belong to one
  agent: those of the agent above stand around the call of the sub-agent, as they
  do around any tool call, and see nothing of what happens inside.

  Background:
    Given a sub-agent "helper", with
    And it takes any arguments

  @AGENTTOOL-03 @derived
  Rule: Unless they are to be shown, the events of a sub-agent are not among those of the agent above

    Scenario Outline: A sub-agent that calls a tool, and nobody has asked, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an agent above it, with
      And a model that answers
        | calls  | text     |
        | helper | I ask.   |
        |        | In Rome. |
      When the agent runs
      Then the events are
        | role      | content        |
        | assistant | I ask.         |
        | tool      | It is in Rome. |
        | assistant | In Rome.       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A custom event of a handler of the sub-agent
      Given a handler "H1" that, before model, sends the event "on my way"
      And an agent above it, with
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the events are
        | role      |
        | assistant |
        | tool      |
        | assistant |

  @AGENTTOOL-04 @documented
  Rule: The events of sub-agents that are to be shown appear while the sub-agent still runs

    Scenario Outline: Its tool waits for the event before it, in a <mode> run
      Given a <mode> run
      And the tools
        | name | held until           | returns |
        | t1   | event 2 has appeared | ok      |
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an agent above it, with
      And the events of sub-agents are shown
      And a model that answers
        | calls  | text     |
        | helper | I ask.   |
        |        | In Rome. |
      When the agent runs
      Then the events are
        | role      | content        |
        | assistant | I ask.         |
        | assistant | I look it up.  |
        | tool      | ok             |
        | assistant | It is in Rome. |
        | tool      | It is in Rome. |
        | assistant | In Rome.       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @AGENTTOOL-15 @derived
  Rule: Handlers around tool calls are around calls of sub-agents, too

    Scenario Outline: One changes the result, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text   |
        | helped |
      And an agent above it, with
      And a handler "H1" that, around tool, adds " a lot" to the answer
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the tools that "H1" is around are
        | tool   |
        | helper |
      And call 2 of the model "model" receives
        | role      | content      |
        | user      | Hello.       |
        | assistant |              |
        | tool      | helped a lot |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: One answers in the place of the sub-agent
      Given an agent above it, with
      And a handler "H1" that, around tool, answers "not now" itself
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then "model helper's" never happens
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | not now |

  @AGENTTOOL-16 @derived
  Rule: Handlers of one agent are not called in another one's run

    Scenario Outline: One handler above, and one in the sub-agent, in a <mode> run
      Given a <mode> run
      And a handler "H2" that looks on
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an agent above it, with
      And a handler "H1" that looks on
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the trace is
        """
        before agent H1
        before model H1
        around model H1
          model
        after model H1
        around tool H1
        before model H1
        around model H1
          model
        after model H1
        after agent H1
        """
      And the trace of "helper" is
        """
        before agent H2
        before model H2
        around model H2
          model helper's
        after model H2
        around tool H2
          tool t1
        before model H2
        around model H2
          model helper's
        after model H2
        after agent H2
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
