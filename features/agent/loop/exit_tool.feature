Feature: The exit tool
  An agent can have an exit tool. A model calls the exit tool to end the run and
  passes the final answer as an argument. The document shows the setting and
  advises against it. Most rules about the exit tool are advisory, because the
  document says no more. A return-directly tool is a tool whose result ends the
  run. An agentic message consists of content blocks.

  @EXIT-03 @documented
  Rule: A before-agent hook receives the exit tool among the tools of the agent

    Scenario: An agent with two other tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And the exit tool
      And a handler "H" that observes before agent
      When the agent runs
      Then before agent, "H" sees one additional tool next to "t1", "t2"

    Scenario: An agent without other tools
      Given the exit tool
      And a handler "H" that observes before agent
      When the agent runs
      Then before agent, "H" sees one additional tool

    Scenario: An agent with a legacy middleware that adds a tool
      Given the exit tool
      And a legacy middleware "L" that adds the tools
        | name |
        | t2   |
      And a handler "H" that observes before agent
      When the agent runs
      Then before agent, "H" sees one additional tool next to "t2"

    Scenario: A sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And the tools
        | name |
        | t1   |
        | t2   |
      And the exit tool
      And a handler "H" that observes before agent
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then before agent call 1 of run 2, "H" sees one additional tool next to "t1", "t2"
      And before agent call 2 of run 2, "H" sees one additional tool next to "t1", "t2"

  @EXIT-06 @clarified
  Rule: The exit tool of an agent is a return-directly tool that follows the configured tools

    Scenario: With another tool
      Given a tool "t1" that returns "one"
      And the exit tool
      And a handler "H" that observes before agent
      When the agent runs
      Then before agent, "H" sees the tools "t1", "exit"
      And before agent, "H" sees only the return-directly tool "exit"
      And the model receives the tools "t1", "exit"

  @EXIT-01 @clarified
  Rule: A call of the exit tool ends the run with its argument as the final answer

    Scenario Outline: The model calls the exit tool, in a <mode> run
      Given a <mode> run
      And the exit tool
      And a model that answers
        | calls                        | text |
        | exit({"final_result":"bye"}) |      |
        |                              | done |
      When the agent runs
      Then the final answer is "bye"
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: An answer that calls the exit tool <place> another tool
      Given a tool "t1" that returns "one"
      And the exit tool
      And a model that answers
        | calls   | text |
        | <calls> |      |
        |         | done |
      When the agent runs
      Then the final answer is "bye"
      And the model is called once
      And the tool "t1" runs once

      Examples:
        | place  | calls                            |
        | after  | t1, exit({"final_result":"bye"}) |
        | before | exit({"final_result":"bye"}), t1 |

    Scenario: An empty argument
      Given the exit tool
      And a model that answers
        | text   | calls                     |
        | I end. | exit({"final_result":""}) |
        | done   |                           |
      When the agent runs
      Then the final answer is ""
      And the model is called once

  @EXIT-02 @clarified
  Rule: The event of the exit tool's result is marked as the end of the run

    Scenario: After a call of another tool
      Given a tool "t1" that returns "one"
      And the exit tool
      And a model that answers
        | calls                        |
        | t1                           |
        | exit({"final_result":"bye"}) |
      When the agent runs
      Then the events are
        | role      | content | exits |
        | assistant |         |       |
        | tool      | one     |       |
        | assistant |         |       |
        | tool      | bye     | yes   |

    Scenario: A hook puts another tool after the exit tool
      Given the exit tool
      And the additional tools
        | name |
        | t2   |
      And a handler "H" that, before agent, sets the tools of the run to "exit", "t2"
      And a model that answers
        | calls                        |
        | exit({"final_result":"bye"}) |
      When the agent runs
      Then the events are
        | role      | content | exits |
        | assistant |         |       |
        | tool      | bye     | yes   |

    Scenario: A streaming run
      Given a streaming run
      And the exit tool
      And a model that answers
        | calls                        |
        | exit({"final_result":"bye"}) |
      When the agent runs
      Then the events are
        | role      | content | exits |
        | assistant |         |       |
        | tool      | bye     | yes   |

  @EXIT-04 @clarified
  Rule: A call of the exit tool fails the run if the arguments do not contain the final answer

    @axis:tool-failure
    Scenario Outline: The arguments <args>
      Given the exit tool
      And a model that answers
        | calls        | text |
        | exit(<args>) |      |
        |              | done |
      When the agent runs
      Then the run fails
      And the model is called once

      Examples: invalid JSON
        | args |
        | {bad |

      Examples: an object without "final_result"
        | args           |
        | {"result":"x"} |

  @EXIT-05 @clarified
  Rule: The exit tool works with agentic messages

    Scenario: A run with agentic messages
      Given the messages are agentic
      And the exit tool
      And a model that answers
        | calls                        | text |
        | exit({"final_result":"bye"}) |      |
        |                              | done |
      When the agent runs
      Then the final answer is "bye"
      And the model is called once
