Feature: Agentic messages
  An agent works with plain messages or with agentic messages. An agentic message consists of content blocks, a plain
  message of one text. The loop, the handlers and the configuration are the same for both types. Run-local values are
  data that a handler stores for its run. A return-directly tool is a tool whose result ends the run.

  @LOOP-19 @derived
  Rule: An agent with agentic messages runs the same loop as an agent with plain messages

    @axis:nesting
    Scenario: A tool call and a handler that observes every hook
      Given the messages are agentic
      And a tool "t1" that returns "one"
      And a handler "H" that observes
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      When the agent runs
      Then the trace is
        """
        before agent H
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        after agent H
        """
      And the events are
        | content |
        | I look. |
        | one     |
        | done    |

    Scenario: A sub-agent whose events are forwarded
      Given the messages are agentic
      And a sub-agent "helper"
      And an input schema without properties
      And a tool "t1" that returns "one"
      And a model that answers
        | calls | text    |
        | t1    | I look. |
        |       | helped  |
      And an outer agent
      And the events of sub-agents are forwarded
      And a model that answers
        | calls  | text   |
        | helper | I ask. |
        |        | done   |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | I ask.  |
        | assistant | I look. |
        | tool      | one     |
        | assistant | helped  |
        | tool      | helped  |
        | assistant | done    |

    Scenario: Two tools, of which one returns parts
      Given the messages are agentic
      And the tools
        | name | kind               | returns | parts           |
        | t1   | enhanced invokable |         | sunny/image:sun |
        | t2   | invokable          |         |                 |
      And a model that answers
        | text    | calls                      |
        | I look. | t1 as call 1, t2 as call 2 |
        | done    |                            |
      When the agent runs
      Then in any order, model call 2 receives the results
        | call id | parts           |
        | call 1  | sunny/image:sun |
        | call 2  |                 |

    Scenario: A run that is interrupted and resumed
      Given the messages are agentic
      And the tools
        | name | kind               | returns | parts           | interrupts |
        | t1   | invokable          | one     |                 | yes        |
        | t2   | enhanced invokable |         | sunny/image:sun |            |
      And a model that answers
        | text    | calls                      |
        | I look. | t1 as call 1, t2 as call 2 |
        | done    |                            |
      When the agent runs and is resumed
      Then in any order, model call 2 receives the results
        | call id | content | parts           |
        | call 1  | one     |                 |
        | call 2  |         | sunny/image:sun |
      And the final answer of run 2 is "done"

  @LOOP-22 @derived
  Rule: In a streaming run with agentic messages, the chunks of an answer or a tool result form the complete message

    Scenario: A streaming run with a streamable tool
      Given the messages are agentic
      And a streaming run
      And the tools
        | name | kind       | chunks |
        | t1   | streamable | o/ne   |
      And a model that answers
        | chunks   | calls |
        | I l/ook. | t1    |
        | do/ne    |       |
      When the agent runs
      Then model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | I look. | t1    |
        | tool      | one     |       |
      And the final answer is "done"

    @axis:empty-answer
    Scenario: A streaming run with a tool that streams parts, and an empty answer
      Given the messages are agentic
      And a streaming run
      And the tools
        | name | kind                | parts              |
        | t1   | enhanced streamable | sun/ny/image:sun/? |
      And a model that answers
        | chunks   | calls |
        | I l/ook. | t1    |
        |          |       |
      When the agent runs
      Then in any order, model call 2 receives the results
        | parts              |
        | sun/ny/image:sun/? |
      And the final answer is ""

  @LOOP-25 @derived
  Rule: A failed model call with agentic messages is retried

    Scenario: A model call that fails once
      Given the messages are agentic
      And failed model calls are retried at most 2 times
      And a model that answers
        | fails with | text |
        | busy       |      |
        |            | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

    Scenario: A stream that breaks after a tool call
      Given the messages are agentic
      And a streaming run
      And failed model calls are retried at most 2 times
      And a tool "t1" that returns "one"
      And a model that answers
        | chunks   | calls | fails with | after chunks |
        | I l/ook. | t1    |            |              |
        | he/llo   |       | busy       | 1            |
        | do/ne    |       |            |              |
      When the agent runs
      Then the events are
        | content | ends with  |
        | I look. |            |
        | one     |            |
        | he      | will retry |
        | done    |            |
      And model call 3 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | I look. | t1    |
        | tool      | one     |       |

    Scenario: Calls that fail before and after an interrupt, next to another run
      Given a streaming run
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant |         |
        | user      | Grüße.  |
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | interrupts |
        | t0   | yes        |
      And a model that answers
        | calls   | fails with | text |
        |         | busy       |      |
        | t0 as a |            |      |
        |         | busy       |      |
        |         |            | done |
      And a handler "H1" that observes before model
      And a handler "H2" that observes after model
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And run 3 is interrupted by "t0"

  @LOOP-26 @derived
  Rule: With failover configured, a failed model call with agentic messages fails over to another model

    Scenario: A primary model that fails
      Given the messages are agentic
      And a failover, at most once, to the model "backup"
      And a model that answers
        | fails with |
        | down       |
      And a model "backup" that answers
        | text |
        | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

    Scenario: A primary model that fails after a tool call
      Given the messages are agentic
      And a tool "t1" that returns "one"
      And a failover, at most once, to the model "backup"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | down       |
      And a model "backup" that answers
        | text |
        | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 3 times

    Scenario: A stream of the primary model that breaks
      Given the messages are agentic
      And a streaming run
      And a failover, at most once, to the model "backup"
      And a model that answers
        | chunks | fails with | after chunks |
        | he/llo | down       | 1            |
      And a model "backup" that answers
        | chunks |
        | do/ne  |
      When the agent runs
      Then the final answer is "done"
      And call 1 of the model "backup" receives
        | role | content |
        | user | Hello.  |

    Scenario: Before and after an interrupt
      Given a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Gut     |
        | user      |         |
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts |
        | t0   | early   | yes        |
      And a failover, at most once, to the model "backup"
      And a model that answers
        | fails with |
        | down       |
        | down       |
      And a model "backup" that answers
        | calls | text |
        | t0    |      |
        |       | done |
      And a handler "H1" that observes before model
      And a handler "H2" that observes after model
      When the agent runs and is resumed
      Then the final answer of run 2 is "done"
      And the model is called 4 times

  @LOOP-27 @derived
  Rule: In a run with agentic messages, a run-local value that a hook sets is there for later hooks

    Scenario: A value that one hook sets and another one reads
      Given the messages are agentic
      And an agent
      And a handler "H" with the actions
        | hook         | action                                     |
        | before model | sets the run-local value "where" to "here" |
        | after model  | reads the run-local value "where"          |
      When the agent runs
      Then after model, "H" finds "here" under "where"

    Scenario: Values that a resumed run reads
      Given the messages are agentic
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model, sets the run-local value "trip" to the JSON value [0, "", false, null]
      And a handler "H2" that, before model, reads the run-local value "trip"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And before model call 2, "H2" finds the JSON value [0, "", false, null] under "trip"

  @LOOP-24 @derived
  Rule: The iteration limit applies to a run with agentic messages

    @axis:limit-ends
    Scenario: A tool call at a limit of one
      Given the messages are agentic
      And a tool "t1" that returns "one"
      And an iteration limit of 1
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the model is called once

    @axis:limit-ends
    Scenario: Long and empty messages before a tool call at a limit of one
      Given a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant |         |
        | user      | Grüße.  |
      And a tool "t1" that returns "one"
      And an iteration limit of 1
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the model is called once