Feature: Around a model call that fails, or is made again
  Handlers around the model are where one watches over failures: an error comes
  out of the inner call and may be turned into an answer, or the call is made
  once more. They stand inside the agent's own retry and failover, and can see
  whether these are configured.

  @HOOK-WM-08 @derived
  Rule: A handler may turn an error from further in into an answer

    Scenario Outline: The model fails in a <mode> run
      Given a <mode> run
      And a model that answers
        | fails with |
        | overloaded |
      And a handler "net" that, around model, calls further in and answers "try later" if that fails
      When the agent runs
      Then the final answer is "try later"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: An answer breaks off after its first chunk
      Given a streaming run
      And a model that answers
        | chunks    | fails with | after chunks |
        | half/done | overloaded | 1            |
      And a handler "net" that, around model, calls further in and answers "try later" if that fails
      When the agent runs
      Then the final answer is "try later"

  @HOOK-WM-10 @derived
  Rule: A handler may call further in more than once

    Scenario Outline: A second opinion in a <mode> run
      Given a <mode> run
      And a model that answers
        | text   |
        | first  |
        | second |
      And a handler "doubter" that, around model, calls further in; calls further in
      And a handler "inner" that looks on around model
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

    Scenario: A handler makes a failed call again
      Given a model that answers
        | fails with | text |
        | overloaded |      |
        |            | done |
      And a handler "stubborn" that, around model, calls further in and answers "failed" if that fails; calls further in
      When the agent runs
      Then the final answer is "done"

  @HOOK-WM-06 @clarified
  Rule: An error of a handler around the model counts as one of the model

    Scenario Outline: Nobody catches it in a <mode> run
      Given a <mode> run
      And an agent
      And a handler "guard" that, around model, fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And "model" never happens

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The call is retried
      Given failed model calls are made again 3 times at most
      And a handler "guard" that, around model call 1, fails with "forbidden"
      When the agent runs
      Then the trace is
        """
        around model guard
        around model guard
          model
        """
      And the final answer is "done"

    Scenario: The call is retried when the handler fails after the model
      Given failed model calls are made again 3 times at most
      And a model that answers
        | text  |
        | first |
        | done  |
      And a handler "guard" that, around model call 1, calls further in; fails with "forbidden"
      When the agent runs
      Then "guard" is called 2 times around model
      And the final answer is "done"

    Scenario: The call fails over
      Given a model "backup" that answers
        | text |
        | done |
      And a failover once at most, to the models backup
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
  Rule: A handler around the model is told which tools the call offers and whether failed calls are retried

    Scenario: The tools change between two model calls
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "miser" that, before model call 2, offers the tools search
      And a handler "watch" that looks on around model
      When the agent runs
      Then around model call 1, "watch" is told, in any order, of the tools weather, search
      And around model call 2, "watch" is told of the tools search

    Scenario: Retry is configured
      Given failed model calls are made again once at most
      And a handler "watch" that looks on around model
      When the agent runs
      Then around model, "watch" is told of a retry

    Scenario: No retry is configured
      Given an agent
      And a handler "watch" that looks on around model
      When the agent runs
      Then around model, "watch" is told nothing of a retry

    Scenario Outline: Two tools in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a handler "H1" that looks on around model
      When the agent runs
      Then around model, "H1" is told, in any order, of the tools "t1", "t2"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WM-12 @documented
  Rule: A handler around the model is told whether failed calls go to other models

    Scenario: Failover is configured
      Given a failover to the models backup
      And a handler "watch" that looks on around model
      When the agent runs
      Then around model, "watch" is told of a failover

    Scenario: No failover is configured
      Given an agent
      And a handler "watch" that looks on around model
      When the agent runs
      Then around model, "watch" is told nothing of a failover
