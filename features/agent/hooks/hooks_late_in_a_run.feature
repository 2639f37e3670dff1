Feature: Hooks late in a run
  A before-agent hook runs once, at the start of a run, and an after-agent hook once, at the end. A before-model hook runs
  before each model call, and an after-model hook after each. A sub-agent is an agent that is a tool of another agent, the
  outer agent: the hooks of a sub-agent run in the middle of a run of the outer agent, maybe more than once, and after an
  interrupt.

  @HOOK-BA-04 @documented
  Rule: A change by a before-agent hook lasts until the end of the run

    Scenario: A tool added for three model calls
      Given a tool "t1" that returns "one"
      And the additional tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls |
        |      | t2    |
        |      | t2    |
        | done |       |
      And a handler "H" that, before agent, sets the tools of the run to "t1", "t2"
      When the agent runs
      Then the final answer is "done"
      And in any order, model call 2 receives the tools "t1", "t2"
      And in any order, model call 3 receives the tools "t1", "t2"
      And the tool "t2" runs 2 times

    Scenario: A run that is interrupted and resumed
      Given the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
        | t2   | two     |            |
      And the tool "t2" returns directly
      And the additional tools
        | name | returns |
        | t3   | three   |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        |      | t3    |
        | late |       |
      And a handler "H" with the actions
        | hook         | action                                        |
        | before agent | sets the tools of the run to "t1", "t2", "t3" |
        | before agent | sets the return-directly tools to "t3"        |
      When the agent runs and is resumed
      Then in any order, model call 2 receives the tools "t1", "t2", "t3"
      And the model is called 3 times
      And the final answer of run 2 is "three"

    Scenario: A second run
      Given an agent with the instruction "I"
      And a tool "t1" that returns "one"
      And the additional tools
        | name |
        | t2   |
      And a handler "H" with the actions
        | hook         | action                                  |
        | before agent | adds "+1" to the instruction            |
        | before agent | sets the tools of the run to "t1", "t2" |
      When the agent runs twice
      Then the run succeeds
      And before agent call 2, "H" sees the instruction "I"
      And before agent call 2, "H" sees only the tool "t1"
      And model call 2 receives
        | role   | content |
        | system | I+1     |
        | user   | Hello.  |

    Scenario: The hook adds another text in each of two concurrent runs
      Given an agent with the instruction "I am"
      And a handler "H" with the actions
        | hook                  | action                                                                          |
        | before agent of run 1 | adds " one" to the instruction; waits until "H" is called before agent in run 2 |
        | before agent of run 2 | adds " two" to the instruction                                                  |
      When the agent runs 2 times concurrently
      Then every model call of run 1 contains the text "I am one"
      And no model call of run 1 contains the text "two"
      And every model call of run 2 contains the text "I am two"
      And no model call of run 2 contains the text "one"

    Scenario: The next hook of run 1 waits until run 2 calls the model
      Given an agent with the instruction "I am"
      And a handler "H1" with the actions
        | hook                  | action                         |
        | before agent of run 1 | adds " one" to the instruction |
        | before agent of run 2 | adds " two" to the instruction |
      And a handler "H2" with the actions
        | hook                  | action                                   |
        | before agent of run 1 | waits until the model is called in run 2 |
      When the agent runs 2 times concurrently
      Then every model call of run 1 contains the text "I am one"
      And no model call of run 1 contains the text "two"
      And every model call of run 2 contains the text "I am two"

    Scenario: The hook makes another tool return directly in each of two concurrent runs
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | calls | held until                   |
        | t1    | the model is called in run 2 |
        | t2    |                              |
      And a handler "H" with the actions
        | hook                  | action                                 |
        | before agent of run 1 | sets the return-directly tools to "t1" |
        | before agent of run 2 | sets the return-directly tools to "t2" |
      When the agent runs 2 times concurrently
      Then the final answer of run 1 is "one"
      And the final answer of run 2 is "two"

    Scenario: The hook replaces the tools in the first of two runs
      Given a tool "t1" that returns "one"
      And the additional tools
        | name |
        | t2   |
      And a handler "H" that, before agent of run 1, sets the tools of the run to "t2"
      When the agent runs twice
      Then model call 1 receives only the tool "t2"
      And model call 2 receives only the tool "t1"

    Scenario: The hook makes a tool return directly in the first of two runs
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a handler "H" that, before agent of run 1, sets the return-directly tools to "t1"
      When the agent runs twice
      Then the final answer of run 1 is "one"
      And the final answer of run 2 is "done"

    Scenario: A sub-agent that a resumed run calls twice
      Given a sub-agent "helper"
      And an agent with the instruction "I"
      And a handler "H1" that, before agent, adds "+1" to the instruction
      And a handler "H2" that observes before agent
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
        | t0 as c                                                              |            |         |
        | helper({"request": "Bonn?"}) as a, helper({"request": "Kiel?"}) as b |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Kiel?"}) as d, helper({"request": "Bonn?"}) as e |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And before agent call 1 of run 2, "H1" sees the instruction "I"
      And before agent call 2 of run 2, "H1" sees the instruction "I"
      And before agent call 2 of run 2, "H2" sees the instruction "I+1"

  @HOOK-BM-07 @derived
  Rule: An agent without tools calls the before-model hook

    Scenario Outline: A longer conversation, in a <mode> run
      Given a <mode> run
      And the conversation
        | role      | content         |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      And a handler "H" that, before model, adds the user message "b1"
      When the agent runs
      Then model call 1 receives
        | role      | content         |
        | user      | Hi.             |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
        | user      | b1              |
      And model call 1 receives no tools

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: One user message
      Given a handler "H" that, before model, adds the user message "b1"
      When the agent runs
      Then the trace is
        """
        before model H
        model
        """
      And model call 1 receives
        | role | content |
        | user | Hello.  |
        | user | b1      |
      And model call 1 receives no tools

    Scenario: A sub-agent without tools that receives the conversation, after an interrupt
      Given a streaming run
      And a sub-agent "helper"
      And the whole conversation as input
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And a handler "H" that, before model, adds the user message "b1"
      And an outer agent
      And the conversation
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Gut     |
        | user      | \ü*2001 |
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   | früh    | streamable | yes        |
      And a model that answers
        | text | calls                                                                                                   | fails with |
        |      | t0 as b                                                                                                 |            |
        |      | helper({"request": "Bonn?"}) as a                                                                       |            |
        |      |                                                                                                         | busy       |
        |      | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d, helper({"request": "Bonn?"}) as e |            |
        | done |                                                                                                         |            |
      And a handler "H0" that observes before model
      When the agent runs and is resumed
      Then the final answer of run 2 is "done"
      And "H" is called 4 times before model
      And call 1 of the model "helper's" contains "b1"
      And call 4 of the model "helper's" contains "b1"

  @HOOK-AM-04 @derived
  Rule: A tool call that an after-model hook adds to the last message is executed

    Scenario: An answer without tool calls
      Given a tool "t1" that returns "one"
      And a model that answers
        | text |
        | no   |
        | done |
      And a handler "H" that, after model call 1, makes the last message call t1({"a": 1}) as c7
      When the agent runs
      Then the final answer is "done"
      And call 1 of the tool "t1" receives the arguments "{"a": 1}"
      And model call 2 receives
        | role      | content | calls | call id |
        | user      | Hello.  |       |         |
        | assistant | no      | t1    |         |
        | tool      | one     |       | c7      |

    Scenario: An answer without tool calls in the second round, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t1   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t1 as b |      |
        |                  | Gut  |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, after model call 2, makes the last message call t0 as c
      When the agent runs twice
      Then the final answer of run 1 is "done"
      And the final answer of run 2 is "done"
      And the tool "t0" runs 4 times
      And the model is called 6 times

  @HOOK-AA-02 @derived
  Rule: A run that ends with the result of a return-directly tool calls the after-agent hook

    Scenario Outline: One call of a return-directly tool, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And the tool "t1" returns directly
      And a model that answers
        | text   | calls |
        | asking | t1    |
      And a handler "H" that observes after agent
      When the agent runs
      Then "H" is called once after agent
      And after agent, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

