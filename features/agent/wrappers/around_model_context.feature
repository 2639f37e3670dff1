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
