Feature: How often, after what, and how soon to retry
  Retries are limited in number, and when they are spent the run fails. Who configures them may decide which errors are
  worth another attempt, judge even answers, and say how long to wait before the next one.

  @RETRY-03 @clarified
  Rule: A call is made again as often as configured, and then the run fails and says with what at last

    Scenario Outline: Retried <times> at most, in a <mode> run, with another error each time
      Given a <mode> run
      And failed model calls are made again <times> at most
      And a model that answers
        | fails with |
        | first      |
        | second     |
        | third      |
        | fourth     |
      When the agent runs
      Then all retries are spent, at last with the error "<last>"
      And the model is called <calls>

      Examples: One retry, and several
        | mode        | times   | calls   | last   |
        | synchronous | once    | 2 times | second |
        | synchronous | 2 times | 3 times | third  |
        | streaming   | 2 times | 3 times | third  |

  @RETRY-04 @clarified
  Rule: Where nobody is asked about errors, every one is retried

    Scenario Outline: An error that is <kind>
      Given failed model calls are made again once at most
      And a model that answers
        | text | fails with | unforeseen   |
        |      | busy       | <unforeseen> |
        | done |            |              |
      When the agent runs
      Then the final answer is "done"

      Examples:
        | kind       | unforeseen |
        | declared   | no         |
        | unforeseen | yes        |

  @RETRY-06 @clarified
  Rule: An error that is not to be retried ends the run at once, as it is

    Scenario: The first attempt fails for good
      Given failed model calls are made again 3 times at most
      And they are made again only after the errors "busy"
      And a model that answers
        | text | fails with |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails with the error "refused"
      And the model is called once

    Scenario: A retry fails for good
      Given failed model calls are made again 3 times at most
      And they are made again only after the errors "busy"
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails with the error "refused"
      And the model is called 2 times

  @RETRY-08 @clarified
  Rule: Before the first retry, the delay for retry 1 is asked for and waited, before the second that for retry 2

    Scenario Outline: Two failures in a <mode> run
      Given a <mode> run
      And failed model calls are made again 3 times at most
      And as many seconds are waited before a retry as it has in its number
      And a model that answers
        | text | fails with |
        |      | busy       |
        |      | busy       |
        | done |            |
      When the agent runs
      Then the questions about waiting are
        | question   | number | calls before |
        | how long   | 1      | 1            |
        | has passed | 1      | 1            |
        | how long   | 2      | 2            |
        | has passed | 2      | 2            |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Failures of two model calls
      Given failed model calls are made again 3 times at most
      And as many seconds are waited before a retry as it has in its number
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls | fails with |
        |      |       | busy       |
        |      | t1    |            |
        |      |       | busy       |
        | done |       |            |
      When the agent runs
      Then the questions about waiting are
        | question   | number | calls before |
        | how long   | 1      | 1            |
        | has passed | 1      | 1            |
        | how long   | 1      | 3            |
        | has passed | 1      | 3            |

  @RETRY-19 @clarified
  Rule: Each attempt may be judged by its number, its input, its answer and its error, and an answer may be rejected

    Scenario: An error, an answer that is rejected, and one of which nothing is said
      Given failed model calls are made again 3 times at most
      And the answer "maybe" is rejected
      And a model that answers
        | text  | fails with |
        |       | busy       |
        | maybe |            |
        | yes   |            |
      When the agent runs
      Then the final answer is "yes"
      And the questions about judging are
        | number | input  | answer | error |
        | 1      | Hello. |        | busy  |
        | 2      | Hello. | maybe  |       |
        | 3      | Hello. | yes    |       |

    Scenario: An answer that is rejected in the second model call
      Given failed model calls are made again 3 times at most
      And the answer "maybe" is rejected
      And a tool "t1" that returns "ok"
      And a model that answers
        | text  | calls |
        |       | t1    |
        | maybe |       |
        | yes   |       |
      When the agent runs
      Then the final answer is "yes"
      And the questions about judging are
        | number | input      | answer |
        | 1      | Hello.     |        |
        | 1      | Hello.//ok | maybe  |
        | 2      | Hello.//ok | yes    |
