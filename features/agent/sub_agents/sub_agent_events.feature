Feature: Events of sub-agents
  A sub-agent is an agent that is a tool of another agent, the outer agent. By default, the caller receives the events of
  the outer agent only. The outer agent can forward the events of its sub-agents to the caller. The examples give the
  sub-agent an input schema without properties, so that a call needs no arguments. A return-directly tool is a tool whose
  result ends the run.

  @AGENTTOOL-03 @derived
  Rule: By default, the events of a sub-agent do not appear among the outer agent's events

    Scenario: A sub-agent that calls a tool
      Given a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an outer agent
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

    Scenario: A custom event of the sub-agent's handler
      Given a sub-agent "helper"
      And an input schema without properties
      And a handler "H1" that, before model, sends the event "on my way"
      And an outer agent
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

    Scenario: A sub-agent that forwards the events of its own sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And the events of sub-agents are forwarded
      And a model that answers
        | calls | text           |
        | guide | I look it up.  |
        |       | It is in Rome. |
      And a sub-agent "guide"
      And an input schema without properties
      And a model that answers
        | text  |
        | Rome. |
      And an outer agent
      And an outer agent
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

  @AGENTTOOL-04 @documented
  Rule: Forwarded events of a sub-agent appear among the outer agent's events while the sub-agent still runs

    @axis:message-events=<messages>
    Scenario Outline: A tool of the sub-agent waits for an earlier event, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | held until         | returns |
        | t1   | event 2 is emitted | ok      |
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an outer agent
      And the events of sub-agents are forwarded
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
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    Scenario: A streaming run, in which the second chunk of each answer waits for the first
      Given a streaming run
      And a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | chunks          | second chunk held until |
        | t1    | I/ look it up.  | chunk 2 is emitted      |
        |       | It/ is in Rome. | chunk 4 is emitted      |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls  | chunks  |
        | helper | I ask.  |
        |        | In/Rome. |
      When the agent runs
      Then the events are
        | role      | content        |
        | assistant | I ask.         |
        | assistant | I look it up.  |
        | tool      | ok             |
        | assistant | It is in Rome. |
        | tool      | It is in Rome. |
        | assistant | InRome.        |

    @axis:message-events
    Scenario: A resumed run, in which a later tool of the sub-agent waits for an event
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   |            |
      And a model that answers
        | calls | text   |
        | t1    |        |
        | t2    |        |
        |       | helped |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      And call 1 of "tool t2" in run 2 waits until event 1 is emitted
      When the agent runs and is resumed
      Then the tool "t2" runs once
      And the final answer of run 2 is "done"

    Scenario: A sub-agent with agentic messages
      Given a sub-agent "helper"
      And an input schema without properties
      And the messages are agentic
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an outer agent
      And the events of sub-agents are forwarded
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

    @axis:message-events @axis:answer-event
    Scenario: A handler of the sub-agent sends custom events
      Given a sub-agent "helper"
      And an input schema without properties
      And a handler "H2" with the actions
        | hook         | action                   |
        | before model | sends the event "begins" |
        | after model  | sends the event "ends"   |
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then the events are
        | event   | content |
        | message |         |
        | custom  | begins  |
        | message | helped  |
        | custom  | ends    |
        | message | helped  |
        | message | done    |

    @axis:message-events
    Scenario: A sub-agent of a sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And the events of sub-agents are forwarded
      And a model that answers
        | calls | text           |
        | guide | I look it up.  |
        |       | It is in Rome. |
      And a sub-agent "guide"
      And an input schema without properties
      And the tools
        | name | held until         | returns |
        | t1   | event 3 is emitted | a city  |
      And a model that answers
        | calls | text   |
        | t1    | Where? |
        |       | Rome.  |
      And an outer agent
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls  | text     |
        | helper | I ask.   |
        |        | In Rome. |
      When the agent runs
      Then the events are
        | role      | content        |
        | assistant | I ask.         |
        | assistant | I look it up.  |
        | assistant | Where?         |
        | tool      | a city         |
        | assistant | Rome.          |
        | tool      | Rome.          |
        | assistant | It is in Rome. |
        | tool      | It is in Rome. |
        | assistant | In Rome.       |

    @axis:message-events
    Scenario: Agentic messages
      Given the messages are agentic
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | held until         | returns |
        | t1   | event 2 is emitted | ok      |
      And a model that answers
        | calls | text           |
        | t1    | I look it up.  |
        |       | It is in Rome. |
      And an outer agent
      And the events of sub-agents are forwarded
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

    @axis:empty-answer @axis:message-events
    Scenario: A sub-agent with an empty result and an empty answer
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | held until         | returns |
        | t1   | event 2 is emitted |         |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       |      |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant |         |
        | assistant |         |
        | tool      |         |
        | assistant |         |
        | tool      |         |
        | assistant | done    |

    @axis:message-events
    Scenario: A sub-agent that ends with a return-directly tool
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | held until         | returns |
        | t1   | event 2 is emitted | ok      |
      And the tool "t1" returns directly
      And a model that answers
        | calls | text    |
        | t1    | I look. |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls  | text   |
        | helper | I ask. |
        |        | done   |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | I ask.  |
        | assistant | I look. |
        | tool      | ok      |
        | tool      | ok      |
        | assistant | done    |
