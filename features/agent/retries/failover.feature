Feature: Failing over to another model
  An agent can be given a way out for the time when its model fails: it is asked whether another model shall take over
  after this error, and which one that is. The other model then answers in the first one's place.

  @FAILOVER-01 @documented
  Rule: When the model fails and failing over is agreed to, the model chosen is called, and its answer counts

    Scenario Outline: The model of a <mode> run fails
      Given a <mode> run
      And a failover once at most, to the models "b1"
      And a model that answers
        | text | fails with |
        |      | down       |
        | late |            |
      And a model "b1" that answers
        | text      |
        | from here |
      When the agent runs
      Then the final answer is "from here"
      And the trace is
        """
        model
        model b1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @FAILOVER-02 @documented
  Rule: Who is asked whether to fail over, and to which model, is told the error

    Scenario Outline: The error is <error>
      Given a failover once at most, to the models "b1"
      And a model that answers
        | fails with |
        | <error>    |
      When the agent runs
      Then without repetitions, the questions about failing over are
        | question       | error   |
        | whether        | <error> |
        | to which model | <error> |

      Examples:
        | error |
        | down  |
        | busy  |

  @FAILOVER-03 @derived
  Rule: A way to decide and a way to choose are all that failing over needs

    Scenario Outline: Nothing else is configured for a <mode> run
      Given a <mode> run
      And a failover to the models "b1"
      And a model that answers
        | fails with |
        | down       |
      And a model "b1" that answers
        | text      |
        | from here |
      When the agent runs
      Then the final answer is "from here"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @FAILOVER-04 @documented
  Rule: It is asked about every failure whether to fail over, and after a no the run fails

    Scenario Outline: The first failure of a <mode> run is not for another model
      Given a <mode> run
      And a failover once at most, to the models "b1"
      And it fails over only after the errors "down"
      And a model that answers
        | text | fails with |
        |      | refused    |
        | late |            |
      When the agent runs
      Then the run fails
      And the trace is
        """
        model
        """
      And without repetitions, the questions about failing over are
        | question | error   |
        | whether  | refused |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A second model call fails with another error, whichever model it was made to
      Given a failover 2 times at most, to the models "b1"
      And it fails over only after the errors "down"
      And a tool "t1" that returns "ok"
      And a model that answers
        | fails with |
        | down       |
        | refused    |
      And a model "b1" that answers
        | calls | fails with |
        | t1    |            |
        |       | refused    |
      When the agent runs
      Then the run fails
      And without repetitions, the questions about failing over are
        | question       | error   |
        | whether        | down    |
        | to which model | down    |
        | whether        | refused |

  @FAILOVER-05 @derived
  Rule: When choosing a model fails, the run ends with that error

    Scenario Outline: No model can be chosen in a <mode> run
      Given a <mode> run
      And a failover once at most, to the models "b1"
      And choosing a model fails with "no backup"
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @FAILOVER-06 @clarified
  Rule: When no model is given at all, the run fails

    Scenario: Nothing is chosen
      Given a failover once at most, to the models nothing
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

  @FAILOVER-16 @derived
  Rule: Nobody is asked anything when the model succeeds

    Scenario Outline: Two model calls of a <mode> run succeed
      Given a <mode> run
      And a failover once at most, to the models "b1"
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      When the agent runs
      Then there are no questions about failing over
      And the trace is
        """
        model
        tool t1
        model
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
