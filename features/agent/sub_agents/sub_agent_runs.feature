Feature: Runs of sub-agents
  A sub-agent runs inside the run of the outer agent. Each agent has its own
  handlers. The handlers of the outer agent treat the call of a sub-agent as an
  ordinary tool call. By default, a sub-agent takes one argument with the request.
  The normative rules give the sub-agent an input schema without properties, so
  that a call needs no arguments. The exit tool is a tool with which a model
  ends the run. A return-directly tool is a tool whose result ends the run.

  @AGENTTOOL-05 @clarified
  Rule: A sub-agent runs in the mode of the outer run

    Scenario Outline: A call of a sub-agent, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper"
      And a model that answers
        | chunks |
        | a/b    |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then model call 2 is <mode>

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A call that is repeated after an interrupt, in a streaming run
      Given a streaming run
      And a sub-agent "helper"
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | chunks |
        | t1    |        |
        |       | a/b    |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs and is resumed
      Then model call 3 is streaming

  @AGENTTOOL-22 @clarified
  Rule: A sub-agent's answer in chunks becomes one complete tool result

    Scenario Outline: A sub-agent that answers in two chunks, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper"
      And a model that answers
        | chunks |
        | a/b    |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the events are
        | event   | content |
        | <kind>  |         |
        | message | ab      |
        | <kind>  | done    |

      Examples:
        | mode        | kind    |
        | synchronous | message |
        | streaming   | stream  |

  @AGENTTOOL-15 @derived
  Rule: The tool wrappers of an outer agent wrap the calls of its sub-agents

    Scenario: A tool wrapper changes the result
      Given a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And a handler "H1" that, around tool, appends " a lot" to the answer
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then the tool calls that "H1" wraps are
        | tool   |
        | helper |
      And call 2 of the model "model" receives
        | role      | content      |
        | user      | Hello.       |
        | assistant |              |
        | tool      | helped a lot |

    Scenario: A tool wrapper short-circuits the call
      Given a sub-agent "helper"
      And an input schema without properties
      And an outer agent
      And a handler "H1" that, around tool, short-circuits with "not now"
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then "model helper's" is never called
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | not now |

    Scenario Outline: A tool of the sub-agent has interrupted the first of two calls, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
        |       | more   |
      And an outer agent
      And a handler "H1" that, around tool, appends " a lot" to the answer
      And a model that answers
        | calls       | text |
        | helper as a |      |
        | helper as b |      |
        |             | done |
      When the agent runs and is resumed
      Then the tool calls that "H1" wraps are
        | tool   | call id |
        | helper | a       |
        | helper | a       |
        | helper | b       |
      And call 3 of the model "model" receives
        | role      | content      |
        | user      | Hello.       |
        | assistant |              |
        | tool      | helped a lot |
        | assistant |              |
        | tool      | more a lot   |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Calls in two rounds of two concurrent runs and a third one
      Given a sub-agent "helper"
      And a model that answers
        | text   |
        | helped |
        | more   |
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
        | calls                                      | text    |
        | t0 as a                                    |         |
        | t0 as d, helper({"request": "Kiel?"}) as b | \ü*2001 |
        | t0 as e, helper({"request": "Bonn?"}) as c | \ü*2001 |
        |                                            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      And a handler "H1" that, around tool "helper", appends " a lot" to the answer
      When the agent runs 2 times concurrently, and then once
      Then the run succeeds
      And call 12 of the model "model" contains "helped a lot"
      And call 12 of the model "model" contains "more a lot"

  @AGENTTOOL-16 @derived
  Rule: A handler of one agent is not called in the run of another agent

    @axis:nesting
    Scenario: One handler in each agent
      Given a sub-agent "helper"
      And an input schema without properties
      And a handler "H2" that observes
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an outer agent
      And a handler "H1" that observes
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

  @AGENTTOOL-12 @derived
  Rule: A return-directly sub-agent ends the outer run with its answer

    Scenario: The outer model calls the sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And a model that answers
        | text   |
        | helped |
      And an outer agent
      And the tool "helper" returns directly
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

  @AGENTTOOL-11 @clarified
  Rule: The exit tool of a sub-agent ends only the run of the sub-agent

    Scenario: The sub-agent calls its exit tool
      Given a sub-agent "helper"
      And a tool "t1" that returns "one"
      And the exit tool
      And a model that answers
        | calls                             | text   |
        | exit({"final_result": "bye"}), t1 |        |
        |                                   | helped |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the trace of "helper" is
        """
        model helper's
        tool t1
        """
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | bye     |
      And the final answer is "done"

  @AGENTTOOL-08 @clarified
  Rule: An outer run fails with the error of its sub-agent

    @axis:tool-failure
    Scenario: The model of the sub-agent fails
      Given a sub-agent "helper"
      And a model that answers
        | fails with |
        | no luck    |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the run fails with the error "no luck"
      And the model is called 2 times

    @axis:tool-failure @axis:limit-ends
    Scenario: The sub-agent reaches its iteration limit
      Given a sub-agent "helper"
      And a tool "t1" that returns "ok"
      And an iteration limit of 1
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then the run fails because the iteration limit is reached
