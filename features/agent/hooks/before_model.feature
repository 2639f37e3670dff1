Feature: The before-model hook
  The before-model hook runs before each model call. A handler receives the
  conversation and the tools, and can change both, for example to shorten a long
  conversation. The model receives the changed state, and the change stays for
  the rest of the run. An error in the hook ends the run before the model is
  called. The model context is a second argument of the hook, with the
  configuration of the model call.

  @HOOK-BM-01 @derived
  Rule: Before-model hooks are called in registration order

    Scenario Outline: Two hooks that add messages, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, before model, adds the user message "b1"
      And a handler "H2" that, before model, adds the user message "b2"
      When the agent runs
      Then before model, "H1" sees the messages
        | role | content |
        | user | Hello.  |
      And before model, "H2" sees the messages
        | role | content |
        | user | Hello.  |
        | user | b1      |
      And the trace is
        """
        before model H1
        before model H2
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BM-02 @documented
  Rule: The before-model hook is called before each model call

    Scenario Outline: Three model calls, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t1    |
        | done |       |
      And a handler "H" that observes before model
      When the agent runs
      Then the trace is
        """
        before model H
        model
        tool t1
        before model H
        model
        tool t1
        before model H
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: One model call before an interrupt, and two after the resumption
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   |            |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t2    |
        | done |       |
      And a handler "H" that observes before model
      When the agent runs and is resumed
      Then the model is called 3 times
      And "H" is called 3 times before model

  @HOOK-BM-03 @documented
  Rule: The state that a before-model hook returns is the state for the next handler, the model and the rest of the run

    @axis:edits-last
    Scenario: A hook that replaces the conversation
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, replaces all messages with the user message "new"
      And a handler "H2" that observes before model
      When the agent runs
      Then before model call 1, "H2" sees the messages
        | role | content |
        | user | new     |
      And model call 1 receives
        | role | content |
        | user | new     |
      And before model call 2, "H2" sees the messages
        | role      | content | calls |
        | user      | new     |       |
        | assistant |         | t1    |
        | tool      | one     |       |
      And model call 2 receives
        | role      | content | calls |
        | user      | new     |       |
        | assistant |         | t1    |
        | tool      | one     |       |

    Scenario: Two hooks, of which one defers a tool and one changes the tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H1" that, before model, defers the tools "t9"
      And a handler "H2" that, before model, offers the model the tools "t2"
      And a handler "H3" that, before model, adds the user message "Go on."
      When the agent runs
      Then model call 1 receives only the tool "t2"
      And model call 1 receives only the deferred tool "t9"
      And model call 1 receives
        | role | content |
        | user | Hello.  |
        | user | Go on.  |

    Scenario: A hook that replaces the conversation before the second model call, in the second of two equal runs
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
        | t0 as c, t1 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, replaces all messages with the user message "b1"
      When the agent runs twice
      Then model call 2 receives
        | role | content |
        | user | b1      |
      And model call 5 receives
        | role | content |
        | user | b1      |

  @HOOK-BM-08 @documented
  Rule: The before-model hook receives the whole conversation and the tools for the model

    Scenario: Two model calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text   | calls |
        | asking | t2    |
        | done   |       |
      And a handler "H" that observes before model
      When the agent runs
      Then before model call 1, "H" sees the messages
        | role | content |
        | user | Hello.  |
      And before model call 1, "H" sees, in any order, the tools "t1", "t2"
      And before model call 2, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t2    |
        | tool      | two     |       |
      And before model call 2, "H" sees, in any order, the tools "t1", "t2"

    Scenario: Deferred tools
      Given a tool "t1" that returns "one"
      And a handler "H1" that, before model, defers the tools "t2"
      And a handler "H2" that observes before model
      When the agent runs
      Then before model, "H2" sees only the tool "t1"
      And before model, "H2" sees only the deferred tool "t2"

    Scenario: The second model call of a sub-agent
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name | returns |
        | t1   | one     |
      And a handler "H" that observes before model
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | helped  |       |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then before model call 2, "H" sees the messages
        | role      | calls |
        | user      |       |
        | assistant | t1    |
        | tool      |       |

    Scenario: The first model call of a resumed run
      Given the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
      And a handler "H" that observes before model
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      When the agent runs and is resumed
      Then before model call 2, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | I look. | t1    |
        | tool      | one     |       |

  @HOOK-BM-09 @documented
  Rule: The before-model and after-model hooks receive the tools and the retry configuration in the model context

    Scenario: Retry is configured
      Given a tool "t1" that returns "one"
      And failed model calls are retried at most once
      And a handler "H" that observes before model and after model
      When the agent runs
      Then before model, the model context of "H" has only the tool "t1"
      And before model, the model context of "H" has a retry configuration
      And after model, the model context of "H" has only the tool "t1"
      And after model, the model context of "H" has a retry configuration

    Scenario: Retry is configured, and the run is interrupted and resumed
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And failed model calls are retried at most once
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a handler "H" that observes before model and after model
      When the agent runs and is resumed
      Then before model of run 2, the model context of "H" has only the tool "t1"
      And before model of run 2, the model context of "H" has a retry configuration
      And after model of run 2, the model context of "H" has only the tool "t1"
      And after model of run 2, the model context of "H" has a retry configuration

    Scenario: Retry is not configured
      Given a tool "t1" that returns "one"
      And a handler "H" that observes before model and after model
      When the agent runs
      Then before model, the model context of "H" has only the tool "t1"
      And before model, the model context of "H" has no retry configuration
      And after model, the model context of "H" has only the tool "t1"
      And after model, the model context of "H" has no retry configuration

  @HOOK-BM-04 @derived
  Rule: An error in a before-model hook ends the run before the model is called

    Scenario: The hook fails before the first model call
      Given a handler "H" that, before model, fails with "not today"
      When the agent runs
      Then the run fails
      And "H" is called once before model
      And the model is called 0 times

    Scenario: The hook fails before the first model call after an interrupt
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        | late |       |
      And a handler "H" that, before model of run 2, fails with "not today"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the model is called once

    Scenario: The hook of a sub-agent fails
      Given a sub-agent "helper"
      And an input schema without properties
      And a handler "H" that, before model, fails with "not today"
      And an outer agent
      And a model that calls "helper" once before it answers "done"
      When the agent runs
      Then "model helper's" is never called

    Scenario: The hook fails before the second model call
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before model call 2, fails with "not now"
      When the agent runs
      Then the run fails
      And the model is called once

  @HOOK-BM-05 @clarified
  Rule: A crash in a before-model hook is reported as the run's error event

    Scenario: A hook crashes
      Given a handler "H" that, before model, crashes with "oops"
      When the agent runs
      Then the events are
        | event | content |
        | error | oops    |
      And the model is called 0 times
