Feature: Calls in a run that a hook interrupted
  A hook can interrupt its run in the middle of an answer's calls: after a tool was called, before another one is called, or
  inside a sub-agent. Tools act on the world, so that no call is repeated that was made.

  @STOP-23 @clarified @axis:interrupted-wrapper
  Rule: A tool call that a wrapper has made before interrupting the run is not repeated

    Scenario Outline: A wrapper interrupts a <mode> run after a call of a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   | returns | chunks   |
        | t1   | <kind> | sunny   | <chunks> |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the tool "t1" runs once
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | sunny   |
      And the final answer of run 2 is "Seen"

      Examples:
        | kind       | mode        | chunks |
        | invokable  | synchronous |        |
        | invokable  | streaming   |        |
        | streamable | synchronous | sun/ny |
        | streamable | streaming   | sun/ny |

    Scenario Outline: A wrapper interrupts a <mode> run after a call of a tool with parts that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   | parts           |
        | t1   | <kind> | sunny/image:sun |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the tool "t1" runs once
      And model call 2 receives
        | role      | parts           |
        | user      |                 |
        | assistant |                 |
        | tool      | sunny/image:sun |
      And the final answer of run 2 is "Seen"

      Examples:
        | kind                | mode        |
        | enhanced invokable  | synchronous |
        | enhanced streamable | streaming   |

    Scenario: A wrapper interrupts a run after a call of the second answer
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      And a handler "H1" that, around tool "t2", calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And model call 3 contains the message "two"
      And the final answer of run 2 is "Seen"

    Scenario: The outer one of two wrappers interrupts a run after the tool call
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, calls the next handler; appends " for now" to the answer; interrupts the run
      And a handler "H2" that, around tool, appends " well" to the answer
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And "H2" is called once around tool
      And model call 2 contains the message "ok well for now"

    Scenario: The inner one of two wrappers interrupts a run after the tool call
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, appends " for now" to the answer
      And a handler "H2" that, around tool, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And model call 2 contains the message "ok for now"

    Scenario Outline: Both of two wrappers interrupt a <mode> run, the outer one after two calls of a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   | returns |
        | t1   | <kind> |         |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, calls the next handler; calls the next handler; interrupts the run
      And a handler "H2" that, around tool call 2 of run 1, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H2"
      And run 2 is interrupted by "H1"
      And the tool "t1" runs 2 times
      And the final answer of run 3 is "Seen"

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | streamable | streaming   |

    Scenario: A wrapper interrupts the second of two runs after a call with a long result
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And the tools
        | name | returns |
        | t1   | \ü*2001 |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool of run 2, calls the next handler; interrupts the run
      When the agent runs twice and is resumed
      Then run 2 is interrupted by "H1"
      And the tool "t1" runs 2 times
      And the final answer of run 3 is "Seen"

    Scenario: A wrapper interrupts after a call, and the run is resumed next to another one
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool of run 1, calls the next handler; interrupts the run
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by "H1"
      And the tool "t1" runs 2 times
      And the final answer of run 2 is "Seen"

    Scenario: A wrapper interrupts after a call, and a hook interrupts the resumed run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, calls the next handler; interrupts the run
      And a handler "H2" that, before model of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H2"
      And the tool "t1" runs once
      And the final answer of run 3 is "Seen"

  @STOP-28 @clarified
  Rule: If a tool wrapper interrupts the run, the other tool calls of the answer are made once

    Scenario Outline: A wrapper interrupts at the call of "<tool>" in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And a handler "H1" that, around tool "<tool>", interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the tool "<other>" runs once
      And model call 2 receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant | Look    | t1, t2 |
        | tool      | one     |        |
        | tool      | two     |        |
      And the final answer of run 2 is "Seen"

      Examples:
        | tool | other | mode        |
        | t1   | t2    | synchronous |
        | t2   | t1    | synchronous |
        | t1   | t2    | streaming   |

  @STOP-26 @clarified
  Rule: An interrupt of a model wrapper is not a failed model call

    Scenario Outline: Failed model calls of a <mode> run are retried
      Given a <mode> run
      And failed model calls are retried at most 3 times
      And a handler "H1" that, around model, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And "H1" is called 2 times around model
      And the model is called once
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A failed model call is followed by a call of another model
      Given a failover, at most once, to the model "b1"
      And a model "b1" that answers
        | text      |
        | from here |
      And a handler "H1" that, around model, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And "model b1" is never called
      And the final answer of run 2 is "done"

    Scenario: A wrapper interrupts the second model call
      Given failed model calls are retried at most 3 times
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around model call 2, interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And the model is called 2 times
      And the final answer of run 2 is "Seen"

  @STOP-29 @clarified
  Rule: A run that a hook of a sub-agent interrupts is resumed at this hook

    Scenario Outline: A handler of the sub-agent that, <hook> of a <mode> run, <action>
      Given a <mode> run
      And a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And the caller resumes the handler "H1" with "yes"
      And a sub-agent "helper"
      And a tool "inner" that returns "helped"
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      And a handler "H1" that, <place>, <action>
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And <hook> of run 2, "H1" receives the resume data "yes"
      And "model" is called 2 times
      And "model helper's" is called 2 times
      And the tool "inner" runs once
      And the final answer of run 2 is "Seen"

      Examples:
        | hook         | place               | action                                     | mode        |
        | before model | before model call 1 | interrupts the run                         | synchronous |
        | around model | around model call 1 | interrupts the run                         | synchronous |
        | after model  | after model call 1  | interrupts the run                         | synchronous |
        | after model  | after model call 1  | interrupts the run                         | streaming   |
        | around tool  | around tool         | interrupts the run                         | synchronous |

    @axis:interrupted-wrapper
    Scenario Outline: A wrapper of the sub-agent that, <hook>, calls the next handler and interrupts the run
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And the caller resumes the handler "H1" with "yes"
      And a sub-agent "helper"
      And a tool "inner" that returns "helped"
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      And a handler "H1" that, <place>, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And <hook> of run 2, "H1" receives the resume data "yes"
      And "model helper's" is called 2 times
      And the tool "inner" runs once
      And the final answer of run 2 is "Seen"

      Examples:
        | hook         | place               |
        | around model | around model call 1 |
        | around tool  | around tool         |

    Scenario: A hook of the sub-agent repeats its request and another one interrupts, and the run is resumed next to another one
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And a model that answers
        | text |
        | Here |
      And a handler "H1" that, before model of run 1, adds the user message "Help"
      And a handler "H2" that, before model of run 1, interrupts the run
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by "H2"
      And call 1 of the model "helper's" receives
        | role | content |
        | user | Help    |
        | user | Help    |
      And the final answer of run 2 is "Seen"
