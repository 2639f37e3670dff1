Feature: Hooks that interrupt a run
  A hook can interrupt its run as a tool can, for example to ask a person about an answer before its calls are made. The
  hooks before and after a model call can, and so can the wrappers of model calls and of tool calls. When the run is
  resumed, the hook is called again and receives the answer of the caller.

  @STOP-20 @clarified
  Rule: A run that a hook interrupts stops at the hook

    Scenario Outline: A handler that, <hook> of a <mode> run, <action>
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <hook>, <action>
      When the agent runs
      Then run 1 is interrupted by "H1"
      And "model" is called <model>
      And the tool "t1" never runs

      Examples:
        | hook         | action                                     | mode        | model   |
        | before model | interrupts the run                         | synchronous | 0 times |
        | around model | interrupts the run                         | synchronous | 0 times |
        | around model | calls the next handler; interrupts the run | synchronous | once    |
        | after model  | interrupts the run                         | synchronous | once    |
        | before model | interrupts the run                         | streaming   | 0 times |
        | around model | interrupts the run                         | streaming   | 0 times |
        | around model | calls the next handler; interrupts the run | streaming   | once    |
        | after model  | interrupts the run                         | streaming   | once    |

    Scenario Outline: A tool wrapper that, in a <mode> run, <action>
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around tool, <action>
      When the agent runs
      Then run 1 is interrupted by "H1"
      And the model is called once
      And the tool "t1" runs <tool>

      Examples:
        | action                                     | mode        | tool    |
        | interrupts the run                         | synchronous | 0 times |
        | calls the next handler; interrupts the run | synchronous | once    |
        | interrupts the run                         | streaming   | 0 times |
        | calls the next handler; interrupts the run | streaming   | once    |

    Scenario: The first of two before-model hooks interrupts a run
      Given the conversation
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And a handler "H1" that, before model, interrupts the run
      And a handler "H2" that observes before agent and before model
      When the agent runs
      Then run 1 is interrupted by "H1"
      And "H2" is never called before model

    Scenario: The first of two after-model hooks interrupts a run
      Given a handler "H1" that, after model, interrupts the run
      And a handler "H2" that observes after model and after agent
      When the agent runs
      Then run 1 is interrupted by "H1"
      And "H2" is never called after agent

    Scenario: A handler interrupts the second model call
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, interrupts the run
      When the agent runs
      Then run 1 is interrupted by "H1"
      And the model is called once
      And the tool "t1" runs once

    Scenario: The first of two before-model hooks interrupts the third model call, and the run is resumed
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | More | t1 as b |
        | Seen |         |
      And a handler "H1" that, before model call 3 of run 1, interrupts the run
      And a handler "H2" that observes before model
      When the agent runs and is resumed
      Then run 1 is interrupted by "H1"
      And "H2" is called 3 times before model
      And the final answer of run 2 is "Seen"

  @STOP-21 @clarified
  Rule: The caller's answer to an interrupt of a hook reaches this hook

    Scenario Outline: The caller answers a handler that, <hook> of a <mode> run, <action>
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <place>, <action>
      And the caller resumes the handler "H1" with "yes"
      When the agent runs and is resumed
      Then <hook> of run 2, "H1" receives the resume data "yes"
      And the final answer of run 2 is "Seen"

      Examples:
        | hook         | place               | action                                     | mode        |
        | before model | before model call 1 | interrupts the run                         | synchronous |
        | around model | around model call 1 | interrupts the run                         | synchronous |
        | around model | around model call 1 | calls the next handler; interrupts the run | synchronous |
        | after model  | after model call 1  | interrupts the run                         | synchronous |
        | around tool  | around tool         | interrupts the run                         | synchronous |
        | around tool  | around tool         | calls the next handler; interrupts the run | synchronous |
        | before model | before model call 2 | interrupts the run                         | streaming   |
        | around model | around model call 2 | interrupts the run                         | streaming   |
        | around model | around model call 1 | calls the next handler; interrupts the run | streaming   |
        | around tool  | around tool         | calls the next handler; interrupts the run | streaming   |

    @axis:after-order=<order>
    Scenario Outline: Two handlers interrupt a run <hook>
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <place>, interrupts the run
      And a handler "H2" that, <place>, interrupts the run
      And in run 2, the caller resumes the handler "H1" with "one"
      And in run 3, the caller resumes the handler "H2" with "two"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H2"
      And <hook> of run 2, "H1" receives the resume data "one"
      And <hook> of run 2, "H2" receives no resume data
      And <hook> of run 3, "H2" receives the resume data "two"

      Examples:
        | hook         | place               | order      |
        | before model | before model call 1 |            |
        | after model  | after model call 1  | registered |

    Scenario: A handler has no answer
      Given a handler "H1" that, before model, interrupts the run
      And a handler "H1" that, around model, observes
      And a handler "H2" that observes before model
      When the agent runs and is resumed
      Then around model of run 2, "H1" receives no resume data
      And before model of run 2, "H2" receives no resume data
      And the final answer of run 2 is "done"

    Scenario: Two calls of one answer are interrupted
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t1 as b |
        | Seen |                  |
      And tool calls run sequentially
      And a handler "H1" that, around tool, interrupts the run
      And the caller resumes the call "a" with "yes"
      And the caller resumes the call "b" with "no"
      When the agent runs and is resumed
      Then around tool call 1 of run 2, "H1" receives the resume data "yes"
      And around tool call 2 of run 2, "H1" receives the resume data "no"
      And the tool "t1" runs 2 times

    Scenario Outline: A tool interrupts inside two wrappers, of which "<answered>" was answered
      Given the tools
        | name | returns | interrupts |
        | t1   | ok      | yes        |
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      And a handler "H1" that, around tool of run 1, <first>
      And a handler "H2" that, around tool of run 1, <second>
      And in run 2, the caller resumes the handler "<answered>" with "one"
      And in run 3, the caller resumes the call "a" with "two"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then around tool of run 2, "<other>" receives no resume data
      And around tool of run 2, "<answered>" receives the resume data "one"
      And run 2 is interrupted by "t1"
      And call 2 of the tool "t1" receives the resume data "two"
      And the final answer of run 3 is "Seen"

      Examples:
        | answered | other | first              | second             |
        | H2       | H1    | observes           | interrupts the run |
        | H1       | H2    | interrupts the run | observes           |

    Scenario: The second of two wrappers interrupts at one of two calls, and then its tool interrupts
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And the tools
        | name | returns | kind       | interrupts |
        | t1   | \ü*2001 | streamable |            |
        | t2   | ok      |            | yes        |
      And a model that answers
        | text    | calls            |
        | \ü*2001 | t2 as a, t1 as b |
        | Seen    |                  |
      And a handler "H1" that, around tool "t2" of run 1, observes
      And a handler "H2" that, around tool "t2" of run 1, interrupts the run
      And in run 2, the caller resumes the handler "H2" with "one"
      And in run 3, the caller resumes the call "a" with "two"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then around tool of run 2, "H1" receives no resume data
      And around tool of run 2, "H2" receives the resume data "one"
      And run 2 is interrupted by "t2"
      And call 2 of the tool "t2" receives the resume data "two"
      And the final answer of run 3 is "Seen"


  @STOP-27 @clarified
  Rule: A run that hooks interrupt can be resumed until its final answer

    Scenario Outline: A handler that, <hook> of each of two calls, interrupts the run
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <hook>, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H1"
      And run 3 succeeds

      Examples:
        | hook         |
        | before model |
        | around model |
        | after model  |

    @axis:interrupted-wrapper
    Scenario Outline: A wrapper that, in each of two model calls of a <mode> run, interrupts the run after the call
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, around model, calls the next handler; interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H1"
      And run 3 succeeds

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A tool wrapper that, in each of two calls of a <mode> run, <action>
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | More | t1 as b |
        | Seen |         |
      And a handler "H1" that, around tool, <action>
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H1"
      And the final answer of run 3 is "Seen"

      Examples:
        | action                                     | mode        |
        | interrupts the run                         | synchronous |
        | calls the next handler; interrupts the run | synchronous |
        | calls the next handler; interrupts the run | streaming   |

    @axis:interrupted-wrapper
    Scenario: A tool wrapper interrupts the run after each of two calls
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | More | t1 as b |
        | Seen |         |
      And a handler "H1" that, around tool, calls the next handler; interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t1" runs 2 times
      And the final answer of run 3 is "Seen"

    Scenario: A hook interrupts the model call after a tool call that interrupted
      Given the tools
        | name | returns | interrupts |
        | t1   | ok      | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before model of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "t1"
      And run 2 is interrupted by "H1"
      And the tool "t1" runs 2 times
      And the final answer of run 3 is "Seen"

    Scenario: A hook interrupts after each of two answers without a text
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls   |
        |      | t1 as a |
        |      | t1 as b |
        | Seen |         |
      And a handler "H1" that, after model call 1 of run 1, interrupts the run
      And a handler "H1" that, after model call 2 of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H1"
      And the final answer of run 3 is "Seen"

    Scenario: Two before-model hooks interrupt a run whose user repeats a message
      Given the conversation
        | role | content |
        | user | Hello.  |
        | user | Hello.  |
      And a handler "H1" that, before model of run 1, interrupts the run
      And a handler "H2" that, before model of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "H2"
      And the final answer of run 3 is "done"
