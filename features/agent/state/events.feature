Feature: What a run tells while it goes on
  Whoever starts a run listens to its events: one for each answer of the model,
  one for each result of a tool, in the order in which they come about. What an
  event shows is what came out of everything around the call, and not what the
  model or the tool itself said. A run that fails says so in its last event.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And a tool "t1" that returns "found"

  @EVENT-01 @derived
  Rule: There is one event for each answer of the model and one for each result of a tool, in order

    Scenario Outline: Two tool calls, one after the other, in a <mode> run
      Given a <mode> run
      And a model that answers
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @EVENT-06 @documented
  Rule: The event of a model's answer shows what has come out of all the wrappers around the model

    Scenario Outline: Two handlers that change the answer, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text  |
        | plain |
      And a handler "H1" that, around model, adds " and outer" to the answer
      And a handler "H2" that, around model, adds " and inner" to the answer
      When the agent runs
      Then the events are
        | content                   |
        | plain and inner and outer |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @EVENT-15 @clarified
  Rule: The result that ends a run is told after those of the other calls of the same answer

    Scenario: The tool that returns directly is done before the other one
      Given the tools
        | name | returns | held until                 |
        | t2   | late    | the tool "t1" has returned |
      And the tools "t1" return directly
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | late    |
        | found   |

  @EVENT-16 @clarified
  Rule: The last event of a run that fails is the error, and no other event is one

    Scenario Outline: A handler fails <hook>, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <hook>, fails with "boom"
      And a handler "H2" that looks on
      When the agent runs
      Then the run fails with the error "boom"
      And the stream ends with one error

      Examples: Before and after everything
        | hook         | mode        |
        | before agent | synchronous |
        | after agent  | streaming   |

      Examples: At a model call
        | hook               | mode        |
        | before model       | streaming   |
        | around model       | synchronous |
        | after model call 2 | synchronous |

      Examples: At a tool call
        | hook        | mode      |
        | around tool | streaming |

    Scenario: One of two tools called together fails before the other one is done
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
  Rule: Each event names the agent it comes from, and the agents above that one

    Scenario Outline: A sub-agent whose events are shown, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls  |
        | Look | helper |
        | Seen |        |
      And the events of sub-agents are shown
      And a handler "H1" that, after agent, fails with "boom"
      And a sub-agent "helper", with
      And it takes any arguments
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
        | mode        |
        | synchronous |
        | streaming   |
