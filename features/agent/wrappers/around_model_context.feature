Feature: The model context and errors of model wrappers
  A model wrapper encloses the model call. The model context is an argument of the wrapper, with the tools of the model
  call and the configurations of retry and failover. A wrapper can turn an error of the inner call into an answer, and can
  fail itself.

  @HOOK-WM-08 @derived
  Rule: A model wrapper can turn an error of the inner call into an answer

    Scenario Outline: The model fails, in a <mode> run
      Given a <mode> run
      And a model that answers
        | fails with |
        | overloaded |
      And a handler "net" that, around model, calls the next handler and answers "try later" if it fails
      When the agent runs
      Then the final answer is "try later"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A stream breaks after its first chunk
      Given a streaming run
      And a model that answers
        | chunks    | fails with | after chunks |
        | half/done | overloaded | 1            |
      And a handler "net" that, around model, calls the next handler and answers "try later" if it fails
      When the agent runs
      Then the final answer is "try later"

    Scenario: The model fails in the second round of a run, and at the start of the next run
      Given the conversation
        | role | content |
        | user | Grüße.  |
        | user |         |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And a tool "t0" that returns ""
      And a model that answers
        | calls   | fails with |
        | t0 as a |            |
        |         | overloaded |
        |         | overloaded |
      And a handler "net" that, around model, reads the session value "mood"; calls the next handler and answers "try later" if it fails
      When the agent runs twice
      Then the final answer of run 1 is "try later"
      And the final answer of run 2 is "try later"

  @HOOK-WM-06 @clarified
  Rule: An error of a model wrapper is handled like an error of the model

    Scenario: A wrapper fails
      Given an agent
      And a handler "guard" that, around model, fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And "model" is never called

    Scenario: A wrapper fails before the model call, with retry
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text |
        | done |
      And a handler "guard" that, around model call 1, fails with "forbidden"
      When the agent runs
      Then the trace is
        """
        around model guard
        around model guard
          model
        """
      And the final answer is "done"

    Scenario: A wrapper fails after the model call, with retry
      Given failed model calls are retried at most 3 times
      And a model that answers
        | text  |
        | first |
        | done  |
      And a handler "guard" that, around model call 1, calls the next handler; fails with "forbidden"
      When the agent runs
      Then "guard" is called 2 times around model
      And the final answer is "done"

    Scenario: A wrapper fails, with failover
      Given a model "backup" that answers
        | text |
        | done |
      And a failover, at most once, to the model "backup"
      And a handler "guard" that, around model call 1, fails with "forbidden"
      When the agent runs
      Then the trace is
        """
        around model guard
        around model guard
          model backup
        """
      And the final answer is "done"

  @HOOK-WM-11 @documented
  Rule: A model wrapper receives the tools of the call and the retry configuration in the model context

    @axis:nesting
    Scenario: The tools change between two model calls
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, before model call 2, offers the model the tools "search"
      And a handler "watch" that observes around model
      When the agent runs
      Then around model call 1, the model context of "watch" has, in any order, the tools "weather", "search"
      And around model call 2, the model context of "watch" has only the tool "search"

    Scenario: Retry is configured
      Given failed model calls are retried at most once
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has a retry configuration

    Scenario: Retry is configured, and a call is retried after an interrupt
      Given failed model calls are retried at most once
      And the tools
        | name    | interrupts |
        | weather | yes        |
        | search  |            |
      And a model that answers
        | calls   | text | fails with |
        | weather |      |            |
        |         |      | busy       |
        |         | done |            |
      And a handler "miser" that, after model call 1 of run 1, offers the model the tools "search"
      And a handler "watch" that observes around model
      When the agent runs and is resumed
      Then around model call 2 of run 2, the model context of "watch" has only the tool "search"
      And around model call 2 of run 2, the model context of "watch" has a retry configuration

    Scenario: Retry is not configured
      Given an agent
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has no retry configuration

    Scenario: Two tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a handler "H1" that observes around model
      When the agent runs
      Then around model, the model context of "H1" has, in any order, the tools "t1", "t2"

    @axis:nesting
    Scenario: The tools change before the second model call, in the second of two equal runs
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
        | t0 as c, t0 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, offers the model the tools "t0"
      And a handler "H2" that observes around model
      When the agent runs twice
      Then around model call 1 of run 2, the model context of "H2" has the tools "t0", "t1"
      And around model call 2 of run 2, the model context of "H2" has only the tool "t0"

  @HOOK-WM-12 @documented
  Rule: A model wrapper receives the failover configuration in the model context

    Scenario: Failover is configured
      Given a failover to the model "backup"
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has a failover configuration

    Scenario: Failover is configured, and a call fails over after an interrupt
      Given a failover to the model "backup"
      And the tools
        | name    | interrupts |
        | weather | yes        |
      And a model that answers
        | calls   | fails with |
        | weather |            |
        |         | down       |
      And a handler "watch" that observes around model
      When the agent runs and is resumed
      Then around model call 1 of run 2, the model context of "watch" has a failover configuration
      And around model call 2 of run 2, the model context of "watch" has a failover configuration

    Scenario: Failover is not configured
      Given an agent
      And a handler "watch" that observes around model
      When the agent runs
      Then around model, the model context of "watch" has no failover configuration

  @HOOK-WM-10 @derived
  Rule: A model wrapper can call the inner endpoint more than once

    Scenario Outline: A wrapper that always calls twice, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text   |
        | first  |
        | second |
      And a handler "doubter" that, around model, calls the next handler; calls the next handler
      And a handler "inner" that observes around model
      When the agent runs
      Then the trace is
        """
        around model doubter
          around model inner
            model
          around model inner
            model
        """
      And the final answer is "second"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A wrapper that retries a failed call
      Given a model that answers
        | fails with | text |
        | overloaded |      |
        |            | done |
      And a handler "stubborn" that, around model, calls the next handler and answers "failed" if it fails; calls the next handler
      When the agent runs
      Then the final answer is "done"

    Scenario: A wrapper that always calls twice, in three rounds of the second of two equal runs
      Given a tool "t0" that returns ""
      And a model that answers
        | text   | calls   |
        |        | t0 as a |
        |        | t0 as b |
        |        | t0 as c |
        |        | t0 as d |
        | first  |         |
        | second |         |
      And a handler "doubter" that, around model, calls the next handler; calls the next handler
      When the agent runs twice
      Then the final answer of run 1 is "second"
      And the final answer of run 2 is "second"

  @HOOK-WM-14 @derived
  Rule: A model wrapper can change the tools of a single request

    Scenario: A tool removed from the first of two requests
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, around model call 1, offers the model the tools "weather"
      When the agent runs
      Then model call 1 receives only the tool "weather"
      And in any order, model call 2 receives the tools "weather", "search"

    Scenario: All tools removed from the first of two requests
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, around model call 1, offers the model no tools
      When the agent runs
      Then model call 1 receives no tools
      And model call 2 receives only the tool "weather"

    Scenario: A tool removed from the second request, in the second of two equal runs
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
        | t0 as c, t0 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, around model call 2, offers the model the tools "t0"
      When the agent runs twice
      Then model call 2 receives only the tool "t0"
      And model call 3 receives the tools "t0", "t1"
      And model call 6 receives the tools "t0", "t1"
