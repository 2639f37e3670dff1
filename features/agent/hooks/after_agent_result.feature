Feature: After the agent, nothing is changed any more
  The caller has been told of the final answer when the hook after agent is
  called. Whatever handlers do there, the answer stays. An error of theirs
  is still an error of the run.

  @HOOK-AA-06 @documented
  Rule: It cannot change the result of the run

    Scenario Outline: A handler in a <mode> run that <deed>
      Given a <mode> run
      And a handler "H" that, after agent, <deed>
      When the agent runs
      Then "H" is called once after agent
      And the final answer is "done"
      And the events are
        | content |
        | done    |

      Examples: a message is added
        | mode        | deed                               |
        | synchronous | adds the assistant message "later" |
        | streaming   | adds the assistant message "later" |

      Examples: the answer is replaced
        | mode        | deed                                |
        | synchronous | changes the last message to "later" |
        | streaming   | changes the last message to "later" |

      Examples: nothing is left
        | mode        | deed                 |
        | synchronous | removes all messages |
        | streaming   | removes all messages |

    Scenario: A handler of a sub-agent
      Given a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        | done |                              |
      And a sub-agent "helper", with
      And it takes any arguments
      And a model that answers
        | text   |
        | helped |
      And a handler "H" that, after agent, changes the last message to "later"
      When the agent runs
      Then "H" is called once after agent
      And call 2 of the model "model" receives
        | role      | content | calls  |
        | user      | Hello.  |        |
        | assistant |         | helper |
        | tool      | helped  |        |

  @HOOK-AA-04 @clarified
  Rule: Handlers are called in registration order after the agent, too

    Scenario Outline: Two handlers at the end of a run, in a <mode> run
      Given a <mode> run
      And a handler "H1" that looks on after agent
      And a handler "H2" that looks on after agent
      When the agent runs
      Then the trace is
        """
        model
        after agent H1
        after agent H2
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-AA-05 @clarified
  Rule: Its error is told behind all other events, and the handlers behind it are not called

    Scenario: The first of two handlers fails
      Given a handler "H1" that, after agent, fails with "too late"
      And a handler "H2" that looks on after agent
      When the agent runs
      Then the events are
        | event   | content  |
        | message | done     |
        | error   | too late |
      And "H2" is never called after agent

  @HOOK-AA-07 @clarified
  Rule: A failure of it that nobody foresaw is an event of the run

    Scenario: A handler breaks
      Given a handler "H" that, after agent, fails unforeseen with "oops"
      When the agent runs
      Then the events are
        | event   | content |
        | message | done    |
        | error   | oops    |
