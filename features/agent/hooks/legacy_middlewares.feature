Feature: Legacy middlewares
  A legacy middleware is the older form of a handler: an instruction and tools for an agent, a function before each model
  call, a function after each model call, and a wrapper around tool calls. The two functions change the state of the run
  in place and return only an error. An agent can combine legacy middlewares with handlers.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And a tool "t1" that returns "found"

  @LEGACY-01 @documented
  Rule: The instruction of a legacy middleware is appended to the instruction of the agent

    Scenario: One middleware with an instruction
      Given an agent with the instruction "Be brief."
      And a model that calls "t1" once before it answers "Seen"
      And a legacy middleware "L1" that adds the instruction "Be kind."
      When the agent runs
      Then the system message of model call 1 is "Be brief.", and after it "Be kind."

    Scenario: Two middlewares with instructions
      Given an agent with the instruction "Be brief."
      And a model that calls "t1" once before it answers "Seen"
      And a legacy middleware "L1" that adds the instruction "Be kind."
      And a legacy middleware "L2" that adds the instruction "Be true."
      When the agent runs
      Then the system message of model call 1 is "Be brief.", and after it, in any order, "Be kind.", "Be true."

    Scenario: The agent has no instruction of its own
      Given a legacy middleware "L1" that adds the instruction "Be kind."
      When the agent runs
      Then call 1 of the model "model" contains "Be kind."

    Scenario: Two middlewares in a run that is resumed next to another one
      Given a streaming run
      And an agent with the instruction "Be brief."
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant |         |
        | user      | Grüße.  |
      And tool calls run sequentially
      And the tools
        | name | interrupts |
        | t0   | yes        |
      And a model that answers
        | text | calls |
        |      | t0    |
        | done |       |
      And a handler "H1" that observes before model
      And a handler "H2" that observes before model
      And a legacy middleware "L1" that adds the instruction "Be kind."
      And a legacy middleware "L2" that adds the instruction "Be true."
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the system message of model call 1 is "Be brief.", and after it, in any order, "Be kind.", "Be true."
      And the system message of model call 2 is "Be brief.", and after it, in any order, "Be kind.", "Be true."
      And the system message of model call 3 is "Be brief.", and after it, in any order, "Be kind.", "Be true."

  @LEGACY-02 @documented
  Rule: An agent has the tools of its legacy middlewares in addition to its own

    Scenario: Two middlewares with tools
      Given a legacy middleware "L1" that adds the tools
        | name | returns |
        | t2   | two     |
        | t4   | four    |
      And a legacy middleware "L2" that adds the tools
        | name | returns |
        | t3   | three   |
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t3    |
        | Seen |       |
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2", "t3", "t4"
      And the tool "t2" runs once
      And the tool "t3" runs once
      And the final answer is "Seen"

  @LEGACY-09 @documented
  Rule: An agent with legacy middlewares and handlers calls all of them

    Scenario: One middleware and one handler
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that observes
      And a legacy middleware "L1" that observes
      When the agent runs
      Then "before model L1" is called 2 times
      And "before model H1" is called 2 times
      And "after model H1" is called 2 times
      And "after model L1" is called 2 times
      And "around tool L1" is called once
      And "around tool H1" is called once
      And the final answer is "Seen"

    Scenario: One model call before an interrupt, and two after the resumption
      Given the tools
        | name | interrupts |
        | t3   | yes        |
      And a model that answers
        | text | calls |
        |      | t3    |
        |      | t1    |
        | done |       |
      And a legacy middleware "L1" that observes
      And a handler "H1" that observes
      When the agent runs and is resumed
      Then "before model L1" is called 3 times
      And "after model L1" is called 3 times
      And "around tool L1" is called 3 times
      And "around tool H1" is called 3 times

    Scenario: Two model calls and two tool calls
      Given a tool "t2" that returns "two"
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a legacy middleware "L1" that observes
      And a handler "H1" that observes
      When the agent runs
      Then "before model L1" is called 2 times
      And "after model L1" is called 2 times
      And "around tool L1" is called 2 times
      And "before model H1" is called 2 times
      And "after model H1" is called 2 times
      And "around tool H1" is called 2 times

  @LEGACY-10 @derived
  Rule: A legacy middleware can omit its instruction, its tools, its tool wrapper and its functions before and after model calls

    Scenario: A middleware that adds nothing
      Given an agent with the instruction "Be brief."
      And an empty legacy middleware "L1"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        """
      And model call 1 receives only the tool "t1"
      And model call 2 receives
        | role      | content   |
        | system    | Be brief. |
        | user      | Hello     |
        | assistant | Look      |
        | tool      | found     |

    Scenario Outline: A middleware with only a function <where>
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a legacy middleware "L1" that, <where>, observes
      When the agent runs
      Then "<where> L1" is called <times>
      And the final answer is "Seen"

      Examples:
        | where        | times   |
        | before model | 2 times |
        | after model  | 2 times |
        | around tool  | once    |

  @LEGACY-05 @derived
  Rule: The state that a legacy before-model function leaves is the state for the handlers, the model and the rest of the run

    @axis:edits-last
    Scenario: A message added before the first of two model calls
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a legacy middleware "L1" that, before model call 1, offers the model no tools
      And a legacy middleware "L2" that, before model call 1, adds the user message "Note this"
      And a handler "H1" that observes before model
      When the agent runs
      Then before model, the last message that "H1" sees is "Note this"
      And from model call 1 on, the model receives no tools
      And model call 1 receives
        | role | content   |
        | user | Hello     |
        | user | Note this |
      And model call 2 receives
        | role      | content   |
        | user      | Hello     |
        | user      | Note this |
        | assistant | Look      |
        | tool      | found     |

  @LEGACY-06 @derived
  Rule: The run continues with the answer that a legacy after-model function leaves

    Scenario: After a handler that changes the answer
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, after model call 1, changes the last message to "by H1"
      And a legacy middleware "L1" that, after model call 1, changes the last message to "by L1"
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | by L1   |
        | tool      | found   |
      And the trace has, in this order
        """
        model
        after model H1
        after model L1
        """

    Scenario: After a handler that adds a tool call
      Given a model that answers
        | text |
        | Seen |
        | More |
      And a handler "H1" that, after model call 1, makes the last message call t1
      And a legacy middleware "L1" that, after model call 1, removes the tool calls
      When the agent runs
      Then the trace is
        """
        model
        after model H1
        after model L1
        """
      And the final answer is "Seen"

  @LEGACY-03 @clarified
  Rule: An error in a legacy before-model function ends the run immediately

    Scenario: The first of two functions fails
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a legacy middleware "L1" that, before model, fails with "boom"
      And a legacy middleware "L2" that observes
      And a handler "H1" that observes before model and around model and after model and after agent
      When the agent runs
      Then the run fails with the error "boom"
      And the trace is
        """
        before model L1
        """

  @LEGACY-04 @clarified
  Rule: An error in a legacy after-model function ends the run between the event of the answer and its tool calls

    @axis:answer-event=<answer> @axis:message-events=<messages>
    Scenario Outline: An answer with a tool call, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a legacy middleware "L1" that, after model, fails with "boom"
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | boom    |
      And the tool "t1" never runs

      Examples:
        | mode        | answer       | messages       |
        | synchronous | before-hooks | as-they-happen |
        | streaming   |              |                |

  @LEGACY-08 @clarified
  Rule: Building an agent fails if a legacy function does not support the agent's message type

    Scenario: Functions that support agentic messages
      Given the messages are agentic
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a legacy middleware "L1" that observes
      When the agent runs
      Then the trace is
        """
        before model L1
        model
        after model L1
        around tool L1
          tool t1
        before model L1
        model
        after model L1
        """

    Scenario Outline: A function <where> that supports plain messages only
      Given the messages are agentic
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a legacy middleware "L1" that, <where>, observes
      And a legacy middleware "L2" that, <where>, observes
      And the legacy middleware "<which>" supports plain messages only
      When the agent runs
      Then building the agent fails with an error that names "<where>"

      Examples:
        | where        | which |
        | before model | L1    |
        | after model  | L2    |
