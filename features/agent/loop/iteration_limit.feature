Feature: The iteration limit
  A model that never stops calling tools would never end its run. So the number
  of model calls in a run is limited: to twenty, if nothing else is said. What
  counts is how often the loop asks the model, not what happens within or
  between these calls.

  @MAXITER-01 @documented
  Rule: A limit of N allows N model calls

    Scenario Outline: The last one allowed is the answer, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 3
      When the agent runs
      Then the final answer is "done"
      And the model is called 3 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: The smallest limit, without tools, and an answer that calls <calls>
      Given an agent
      And an iteration limit of 1
      And a model that answers
        | text | calls   |
        | done | <calls> |
      When the agent runs
      Then the final answer is "done"

      Examples: an answer
        | calls   |
        | nothing |

      Examples: an answer that calls a tool all the same
        | calls |
        | t1    |

  @MAXITER-02 @derived
  Rule: Tool calls do not count, and those of the last model call allowed are still made

    Scenario: More tool calls than model calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
        | t3   | three   |
      And a model that answers
        | calls      | text |
        | t1, t2, t3 |      |
        |            | done |
      And an iteration limit of 3
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

    Scenario: The last model call allowed calls a tool
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the tool "t1" runs 2 times

  @MAXITER-03 @documented
  Rule: A run that would need one model call more fails

    Scenario Outline: One call too many, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that calls "t1" 2 times before it answers "done"
      And an iteration limit of 2
      When the agent runs
      Then the run fails
      And the model is called 2 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @MAXITER-04 @documented
  Rule: The limit is 20, if nothing is said

    Scenario: The twentieth model call is the answer
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 19 times before it answers "done"
      When the agent runs
      Then the final answer is "done"
      And the model is called 20 times

    Scenario: A twenty-first model call is needed
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 20 times before it answers "done"
      When the agent runs
      Then the run fails
      And the model is called 20 times

  @MAXITER-05 @clarified
  Rule: A limit that would allow no model call stands for the default

    Scenario Outline: A limit of <limit>
      Given a tool "t1" that returns "one"
      And a model that calls "t1" 20 times before it answers "done"
      And an iteration limit of <limit>
      When the agent runs
      Then the run fails
      And the model is called 20 times

      Examples: none
        | limit |
        | 0     |

      Examples: less than none
        | limit |
        | -1    |

  @MAXITER-07 @derived
  Rule: Attempts within one model call do not count

    Scenario: A model call that is made again
      Given a tool "t1" that returns "one"
      And failed model calls are made again 3 times at most
      And a model that answers
        | fails with | calls | text |
        | busy       |       |      |
        | busy       |       |      |
        |            | t1    |      |
        |            |       | done |
      And an iteration limit of 3
      When the agent runs
      Then the final answer is "done"

    Scenario: A model call that another model answers
      Given a tool "t1" that returns "one"
      And a failover once at most, to the models b1
      And a model that answers
        | fails with | text |
        | down       |      |
        |            | done |
      And a model "b1" that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And an iteration limit of 2
      When the agent runs
      Then the final answer is "done"

  @MAXITER-08 @derived
  Rule: A tool that returns directly after the last model call allowed ends the run well

    Scenario: A limit of one
      Given a tool "t1" that returns "one"
      And the tools t1 return directly
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the final answer is "one"

  @MAXITER-09 @derived
  Rule: Each run has the whole limit for itself

    Scenario: Two runs that together need more
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 3
      When the agent runs twice
      Then the run succeeds
      And the model is called 4 times

  @MAXITER-10 @clarified
  Rule: At the limit the run fails for this reason, and no hook is called any more

    Scenario: A handler in every hook
      Given a tool "t1" that returns "one"
      And a handler "H" that looks on
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the run fails because its iteration limit is reached
      And "H" is called once before model
      And "H" is never called after agent
