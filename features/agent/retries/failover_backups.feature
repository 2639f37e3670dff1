Feature: Several backups, several calls, several runs
  Backups can be tried one after the other. Once one of them has succeeded, the rest of the run stays with it; the next
  run begins with the agent's own model again.

  @FAILOVER-07 @clarified
  Rule: Backups are tried in turn, as many as are permitted, and each choice is numbered from 1 on

    Scenario: The second backup answers
      Given a failover 2 times at most, to the models "b1", "b2"
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
      And without repetitions, the questions about failing over are
        | question       | number |
        | whether        |        |
        | to which model | 1      |
        | whether        |        |
        | to which model | 2      |

    Scenario: The second backup is one too many
      Given a failover once at most, to the models "b1", "b2"
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

  @FAILOVER-09 @clarified
  Rule: A backup that has succeeded is tried first in the following model calls of the run

    Scenario Outline: A second model call after a failover, in a <mode> run
      Given a <mode> run
      And a failover once at most, to the models "b1"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      And a model "b1" that answers
        | text      | calls |
        |           | t1    |
        | from here |       |
      When the agent runs
      Then the trace is
        """
        model
        model b1
        tool t1
        model b1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @FAILOVER-10 @clarified
  Rule: A new run begins with the agent's own model again

    Scenario: Two runs, and the model fails at the beginning of both
      Given a failover once at most, to the models "b1"
      And a model that answers
        | fails with |
        | down       |
      When the agent runs twice
      Then the trace of run 2 is
        """
        model
        model b1
        """

  @FAILOVER-11 @clarified
  Rule: Other messages may be chosen together with a model, and are sent in that call only

    Scenario: A shorter conversation for the backup, which calls a tool
      Given a failover once at most, to the models "b1"
      And the backup is sent
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

  @FAILOVER-18 @clarified
  Rule: Each choice of a backup receives the messages of the model call, whatever the backup before was sent

    Scenario: The first backup is sent a shorter conversation and fails
      Given a failover 2 times at most, to the models "b1", "b2"
      And the backup is sent
        | role | content |
        | user | Short.  |
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | fails with |
        | down, too  |
      When the agent runs
      Then without repetitions, the questions about failing over are
        | question       | input  |
        | whether        |        |
        | to which model | Hello. |
        | whether        |        |
        | to which model | Hello. |
