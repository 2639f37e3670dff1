Feature: The exit tool
  An agent can be given a tool to end its run with: what the model gives it is
  the final answer. The document shows the setting, advises against it, and says
  no more, so nearly all of this is our choice.

  @EXIT-03 @documented
  Rule: The hooks before the agent see the exit tool among the tools

    Scenario: An agent that has no other tool
      Given the exit tool
      And a handler "H" that looks on before agent
      When the agent runs
      Then before agent, "H" sees one tool that nobody named

    Scenario: An agent that has two other tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And the exit tool
      And a handler "H" that looks on before agent
      When the agent runs
      Then before agent, "H" sees one tool that nobody named, besides t1, t2

  @EXIT-01 @clarified
  Rule: The exit tool stands last, is offered, and ends the run with its argument as the final answer

    Scenario: Another tool beside it
      Given a tool "t1" that returns "one"
      And the exit tool
      And a handler "H" that looks on before agent
      When the agent runs
      Then before agent, "H" sees the tools t1, exit
      And before agent, "H" sees that exit return directly
      And the model is offered the tools t1, exit

    Scenario Outline: The model calls it, in a <mode> run
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

  @EXIT-02 @clarified
  Rule: The event of the exit tool's result says that it ends the run

    Scenario: Another tool before it
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

  @EXIT-04 @clarified
  Rule: The exit tool refuses arguments in which the final answer is missing

    Scenario Outline: The arguments <args>
      Given the exit tool
      And a model that answers
        | calls        | text |
        | exit(<args>) |      |
        |              | done |
      When the agent runs
      Then the run fails
      And the model is called once

      Examples: no JSON
        | args |
        | {bad |

      Examples: something else
        | args           |
        | {"result":"x"} |

  @EXIT-05 @clarified
  Rule: The exit tool serves agentic messages, too

    Scenario: An agentic conversation
      Given the messages are agentic
      And the exit tool
      And a model that answers
        | calls                        | text |
        | exit({"final_result":"bye"}) |      |
        |                              | done |
      When the agent runs
      Then the final answer is "bye"
      And the model is called once
