Feature: The events of a run
  The caller receives the events of a run while the run is active. Each answer of the model and each result of a tool is
  an event. The events show these messages after all handlers have processed them. A failed run ends with an error
  event. A return-directly tool is a tool whose result ends the run.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And a tool "t1" that returns "found"

  @EVENT-01 @derived
  Rule: A run emits one event per model answer and tool result, in the order of the model calls

    Scenario: Two successive tool calls
      Given a model that answers
        | text      | calls |
        | Look once | t1    |
        | And again | t1    |
        | That's it |       |
      When the agent runs
      Then the events are
        | content   |
        | Look once |
        | found     |
        | And again |
        | found     |
        | That's it |

    Scenario: An enhanced tool
      Given the tools
        | name | kind               | returns |
        | t2   | enhanced invokable | found   |
      And a model that answers
        | text      | calls |
        | Look      | t2    |
        | That's it |       |
      When the agent runs
      Then the events are
        | role      |
        | assistant |
        | tool      |
        | assistant |

    Scenario: Two equal results of one answer
      Given a tool "t2" that returns "found"
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Look |        |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | Look    |
        | tool      | found   |
        | tool      | found   |
        | assistant | Look    |

    @axis:empty-answer
    Scenario: Empty answers and an empty result
      Given a tool "t2" that returns ""
      And a model that answers
        | text | calls |
        |      | t2    |
        |      |       |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant |         |
        | tool      |         |
        | assistant |         |

    Scenario: Three tool calls of one answer
      Given a tool "t2" that returns "two"
      And a tool "t3" that returns "three"
      And a model that answers
        | text      | calls      |
        | Look      | t1, t2, t3 |
        | That's it |            |
      When the agent runs
      Then in any order, the events are
        | content   |
        | Look      |
        | found     |
        | two       |
        | three     |
        | That's it |

  @EVENT-06 @derived
  Rule: The event of a model answer contains the answer that the outermost model wrapper returns

    Scenario Outline: Two handlers change the answer, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text  |
        | plain |
      And a handler "H1" that, around model, appends " and outer" to the answer
      And a handler "H2" that, around model, appends " and inner" to the answer
      When the agent runs
      Then the events are
        | content                   |
        | plain and inner and outer |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @EVENT-15 @clarified
  Rule: The result of a return-directly tool is reported after the results of the other calls in the same answer

    Scenario: The return-directly tool returns before the other tool
      Given the tools
        | name | returns | held until                 |
        | t2   | late    | the tool "t1" has returned |
      And the tool "t1" returns directly
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | late    |
        | found   |

    Scenario: The return-directly tool is streamable, and ends before the other tool
      Given the tools
        | name | kind       | chunks | returns | held until                 |
        | t3   | streamable | fo/und |         |                            |
        | t2   |            |        | late    | the tool "t3" has returned |
      And the tool "t3" returns directly
      And a model that answers
        | text | calls  |
        | Look | t3, t2 |
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | late    |
        | found   |

    @axis:tool-failure @axis:message-events
    Scenario: Another tool fails
      Given the tools
        | name | fails with | held until                 |
        | t2   | broken     | the tool "t1" has returned |
      And the tool "t1" returns directly
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
      When the agent runs
      Then the events are
        | event   | content |
        | message | Look    |
        | message | found   |
        | error   | broken  |

    Scenario: The return-directly tool is the first of two sequential calls
      Given a tool "t2" that returns "late"
      And the tool "t1" returns directly
      And tool calls run sequentially
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | late    |
        | found   |

    Scenario: The call of the return-directly tool is repeated after an interrupt
      Given the tools
        | name | returns | interrupts |
        | t2   | found   | yes        |
        | t3   | late    | yes        |
      And the tool "t2" returns directly
      And tool calls run sequentially
      And a model that answers
        | text | calls  |
        | Look | t2, t3 |
      When the agent runs and is resumed
      Then the events of run 2 are
        | content |
        | late    |
        | found   |

  @EVENT-16 @clarified
  Rule: A failed run emits exactly one error event, as its last event

    @axis:tool-failure=<failure> @axis:nesting=<nesting>
    Scenario Outline: A handler fails <hook>, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <hook>, fails with "boom"
      And a handler "H2" that observes
      When the agent runs
      Then the run fails with the error "boom"
      And the stream ends with one error

      Examples: At the start and the end of the run
        | hook         | mode        | failure | nesting |
        | before agent | synchronous |         |         |
        | after agent  | streaming   |         |         |

      Examples: At a model call
        | hook               | mode        | failure | nesting             |
        | before model       | streaming   |         |                     |
        | around model       | synchronous |         |                     |
        | after model call 2 | synchronous |         | hooks-then-wrappers |

      Examples: At a tool call
        | hook        | mode      | failure | nesting |
        | around tool | streaming | ends    |         |

    @axis:tool-failure @axis:failed-sibling
    Scenario: One of two concurrent tool calls fails first
      Given the tools
        | name | returns | fails with | held until                  |
        | bad  |         | boom       |                             |
        | slow | late    |            | the tool "bad" has returned |
      And a model that answers
        | text | calls     |
        | Look | bad, slow |
      When the agent runs
      Then the run fails with the error "boom"
      And the stream ends with one error

  @EVENT-19 @clarified
  Rule: Each event names the agent that emits it and the path of agents that leads to that agent

    @axis:message-events=<messages>
    Scenario Outline: The events of a sub-agent are forwarded, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls  |
        | Look | helper |
        | Seen |        |
      And the events of sub-agents are forwarded
      And a handler "H1" that, after agent, fails with "boom"
      And a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text |
        | Help |
      When the agent runs
      Then the events are
        | content | agent  | path         |
        | Look    | agent  | agent        |
        | Help    | helper | agent/helper |
        | Help    | agent  | agent        |
        | Seen    | agent  | agent        |
        | boom    | agent  | agent        |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    @axis:message-events
    Scenario: Custom events of a sub-agent of a sub-agent are forwarded
      Given a model that answers
        | text | calls  |
        | Look | helper |
        | Seen |        |
      And the events of sub-agents are forwarded
      And a sub-agent "helper"
      And an input schema without properties
      And the events of sub-agents are forwarded
      And a handler "H1" that, before model call 1, sends the event "here"
      And a model that answers
        | text | calls |
        | Ask  | guide |
        | Help |       |
      And a sub-agent "guide"
      And an input schema without properties
      And a handler "H2" that, before model, sends the event "there"
      And a model that answers
        | text |
        | Rome |
      When the agent runs
      Then the events are
        | content | agent  | path               |
        | Look    | agent  | agent              |
        | here    | helper | agent/helper       |
        | Ask     | helper | agent/helper       |
        | there   | guide  | agent/helper/guide |
        | Rome    | guide  | agent/helper/guide |
        | Rome    | helper | agent/helper       |
        | Help    | helper | agent/helper       |
        | Help    | agent  | agent              |
        | Seen    | agent  | agent              |

    Scenario: A streamable tool of a sub-agent
      Given a model that calls "helper" once before it answers "Seen"
      And the events of sub-agents are forwarded
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | kind       | chunks |
        | t1   | streamable | fo/und |
      And a model that answers
        | text | calls |
        | Ask  | t1    |
        | Help |       |
      When the agent runs
      Then the events are
        | content | agent  | path         |
        |         | agent  | agent        |
        | Ask     | helper | agent/helper |
        | found   | helper | agent/helper |
        | Help    | helper | agent/helper |
        | Help    | agent  | agent        |
        | Seen    | agent  | agent        |
