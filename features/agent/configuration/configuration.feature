Feature: How an agent is configured
  An agent needs a model, and little else. What it is given it uses at every
  model call; what it is not given it does without. A configuration that cannot
  work is refused as early as possible.

  @CFG-01 @documented
  Rule: An agent needs a model

    Scenario: No model
      Given an agent without a model
      When the agent runs
      Then the agent is refused, or the run fails before any model call

  @CFG-02 @derived
  Rule: An agent that runs on its own needs neither a name nor a description

    Scenario: Nameless and undescribed
      Given an agent
      And it has no name
      And it is described as ""
      When the agent runs
      Then the final answer is "done"

  @CFG-03 @documented
  Rule: Every model call is offered the agent's tools

    Scenario Outline: Five model calls, in a <mode> run
      Given a <mode> run
      And a tool "search" that returns "found"
      And a model that calls "search" 4 times before it answers "done"
      When the agent runs
      Then the model is called 5 times
      And the model is offered the tools search

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @CFG-14 @derived
  Rule: A model that cannot take tools serves an agent that has none

    Scenario: A model that can only answer
      Given a model that cannot take tools
      When the agent runs
      Then the final answer is "done"

  @CFG-17 @documented
  Rule: An agent with tools needs a model that can take tools

    Scenario Outline: A model that can only answer, in a <mode> run
      Given a <mode> run
      And a tool "search" that returns "found"
      And a model that cannot take tools
      When the agent runs
      Then the agent is refused, or the run fails before any model call

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @CFG-05 @documented
  Rule: A failover needs a way to choose a model

    Scenario: The choice is missing
      Given a failover without a way to choose a model
      When the agent runs
      Then the agent is refused, or the run fails before any model call

  @CFG-06 @documented
  Rule: A failover needs a way to decide whether to fail over

    Scenario: The decision is missing
      Given a failover without a way to decide
      When the agent runs
      Then the agent is refused, or the run fails before any model call

  @CFG-13 @derived
  Rule: Without an instruction there is no system message

    Scenario: A description, and no instruction
      Given an agent
      And it is described as "Finds things out."
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello.  |

  @CFG-15 @clarified
  Rule: Without configuration there is no retry, no failover, no exit tool and no event of a sub-agent

    Scenario: A model that fails once
      Given a model that answers
        | fails with | text |
        | busy       |      |
        |            | done |
      When the agent runs
      Then the run fails with the error "busy"
      And the model is called once

    Scenario: An agent that nothing was said about
      Given an agent
      When the agent runs
      Then the model is offered the tools nothing

    Scenario: A sub-agent that nothing was said about
      Given a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a sub-agent "helper", with
      And a model that answers
        | text   |
        | helped |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant |         |
        | tool      | helped  |
        | assistant | done    |
