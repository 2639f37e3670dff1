Feature: The backup selector
  The backup selector returns the model to which a failed model call fails over, and can return other messages for the
  call. The failover limit is the greatest number of failovers of one model call. The failover predicate decides whether
  an error leads to a failover.

  @FAILOVER-12 @derived
  Rule: A backup model receives the same messages and tools as the model that it replaces

    Scenario: A before-model hook has changed the conversation and the tools
      Given a failover, at most 2 times, to the models "b1", "b2"
      And the tools
        | name |
        | t1   |
        | t2   |
      And a handler "H1" that, before model, adds the user message "Hint."; offers the model the tools "t2"; defers the tools "archive"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down       |
      When the agent runs
      Then call 1 of the model "b1" receives
        | role | content |
        | user | Hello.  |
        | user | Hint.   |
      And call 1 of the model "b2" receives
        | role | content |
        | user | Hello.  |
        | user | Hint.   |
      And the model receives only the tool "t2"
      And model call 2 receives only the deferred tool "archive"
      And model call 3 receives only the deferred tool "archive"

    Scenario: A stream that breaks after a tool call
      Given a streaming run
      And a failover, at most once, to the model "b1"
      And a tool "t1" that returns "found"
      And a handler "H" with the actions
        | hook                | action                           |
        | before agent        | sets the tool search to "search" |
        | after model call 1  | defers the tools "archive"       |
      And a model that answers
        | chunks  | calls | fails with | after chunks |
        | I/ look | t1    |            |              |
        | he/llo  |       | down       | 1            |
      When the agent runs
      Then call 1 of the model "b1" receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | I look  | t1    |
        | tool      | found   |       |
      And model call 3 receives only the tool "t1"
      And model call 3 receives only the deferred tool "archive"
      And model call 3 receives the tool search "search"

    Scenario: The model fails in a resumed run
      Given a failover, at most once, to the model "b1"
      And the tools
        | name | returns | interrupts |
        | t1   | one     | yes        |
        | t2   | two     |            |
      And a handler "H" that, after model call 1 of run 1, offers the model the tools "t2"; defers the tools "archive"
      And a model that answers
        | calls | fails with |
        | t1    |            |
        |       | down       |
      When the agent runs and is resumed
      Then call 1 of the model "b1" receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | one     |       |
      And model call 3 receives only the tool "t2"
      And model call 3 receives only the deferred tool "archive"

    Scenario: The backup selector replaces the messages
      Given a failover, at most once, to the model "b1"
      And a backup selector that replaces the messages with
        | role | content |
        | user | Short.  |
      And a tool "t1" that returns "ok"
      And a handler "H" with the actions
        | hook         | action                           |
        | before agent | sets the tool search to "search" |
        | before model | defers the tools "archive"       |
      And a model that answers
        | fails with |
        | down       |
      When the agent runs
      Then model call 2 receives only the tool "t1"
      And model call 2 receives only the deferred tool "archive"
      And model call 2 receives the tool search "search"

  @FAILOVER-07 @clarified
  Rule: The backup selector receives the number of the failover within the model call, counted from 1

    Scenario: The first of two backup models fails
      Given a failover, at most 2 times, to the models "b1", "b2"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      And a model "b2" that answers
        | text      |
        | from here |
      When the agent runs
      Then the final answer is "from here"
      And counting equal consecutive calls once, the failover callbacks are called with
        | callback           | number |
        | failover predicate |        |
        | backup selector    | 1      |
        | failover predicate |        |
        | backup selector    | 2      |

    Scenario: Two model calls that each fail over once
      Given a tool "t1" that returns "one"
      And a failover, at most once, to the models "b1", "b2"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | calls | fails with |
        | t1    |            |
        |       | down, too  |
      And a model "b2" that answers
        | text |
        | done |
      When the agent runs
      Then the final answer is "done"
      And counting equal consecutive calls once, the failover callbacks are called with
        | callback           | number |
        | failover predicate |        |
        | backup selector    | 1      |
        | failover predicate |        |
        | backup selector    | 1      |

  @FAILOVER-19 @clarified
  Rule: A model call fails over at most as often as the failover limit allows

    Scenario: The first backup model fails, and the limit is one
      Given a failover, at most once, to the models "b1", "b2"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      When the agent runs
      Then the run fails
      And the trace is
        """
        model
        model b1
        """

    Scenario: The limit is zero
      Given a failover, at most 0 times, to the model "b1"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | text |
        | late |
      When the agent runs
      Then the run fails
      And the trace is
        """
        model
        """

  @FAILOVER-18 @clarified
  Rule: The backup selector receives the original messages of the model call at each failover

    Scenario: The first backup model received other messages and fails
      Given a failover, at most 2 times, to the models "b1", "b2"
      And a backup selector that replaces the messages with
        | role | content |
        | user | Short.  |
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      When the agent runs
      Then counting equal consecutive calls once, the failover callbacks are called with
        | callback           | input  |
        | failover predicate |        |
        | backup selector    | Hello. |
        | failover predicate |        |
        | backup selector    | Hello. |

  @FAILOVER-11 @clarified
  Rule: Messages that the backup selector returns replace the conversation for that model call only

    Scenario: A backup model that receives a shorter conversation and calls a tool
      Given a failover, at most once, to the model "b1"
      And a backup selector that replaces the messages with
        | role | content |
        | user | Short.  |
      And a tool "t1" that returns "ok"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | text      | calls |
        |           | t1    |
        | from here |       |
      When the agent runs
      Then call 1 of the model "b1" receives
        | role | content |
        | user | Short.  |
      And call 2 of the model "b1" receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant |         | t1    |
        | tool      | ok      |       |

    Scenario: Only the first of two backup models receives other messages
      Given a failover, at most 2 times, to the models "b1", "b2"
      And a backup selector that replaces the messages for the model "b1" with
        | role | content |
        | user | Short.  |
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      And a model "b2" that answers
        | text |
        | done |
      When the agent runs
      Then call 1 of the model "b1" receives
        | role | content |
        | user | Short.  |
      And call 1 of the model "b2" receives
        | role | content |
        | user | Hello.  |

    Scenario: Only the second of two backup models receives other messages
      Given a failover, at most 2 times, to the models "b1", "b2"
      And a backup selector that replaces the messages for the model "b2" with
        | role | content |
        | user | Short.  |
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      And a model "b2" that answers
        | text |
        | done |
      When the agent runs
      Then call 1 of the model "b1" receives
        | role | content |
        | user | Hello.  |
      And call 1 of the model "b2" receives
        | role | content |
        | user | Short.  |

  @FAILOVER-05 @derived
  Rule: If the backup selector returns an error, the run fails with that error

    Scenario: The backup selector of a run fails
      Given a failover, at most once, to no model
      And a backup selector that fails with "no backup"
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      When the agent runs
      Then the run fails with the error "no backup"
      And the trace is
        """
        model
        """

    Scenario: The second backup selection of a model call fails
      Given a failover, at most 3 times, to the model "b1"
      And a backup selector that fails with "no backup"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      When the agent runs
      Then the run fails with the error "no backup"
      And the trace is
        """
        model
        model b1
        """

  @FAILOVER-06 @clarified
  Rule: If the backup selector returns no model, the run fails

    Scenario: The backup selector returns neither a model nor an error
      Given a failover, at most once, to no model
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      When the agent runs
      Then the run fails
      And the trace is
        """
        model
        """

    Scenario: The second backup selection returns messages and no model
      Given a failover, at most 3 times, to the model "b1"
      And a backup selector that replaces the messages with
        | role | content |
        | user | Short.  |
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      And a model "b1" that answers
        | text | fails with |
        |      | down, too  |
        | late |            |
      When the agent runs
      Then the run fails
      And counting equal consecutive calls once, the failover callbacks are called with
        | callback           |
        | failover predicate |
        | backup selector    |
        | failover predicate |
        | backup selector    |
      And the trace is
        """
        model
        model b1
        """
