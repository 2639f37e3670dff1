Feature: Postures of events
  Agent frameworks document different answers to when a message of a synchronous run becomes an event. The default answers
  emit a model answer before the after-model hooks, and each message before the run continues. Other frameworks emit what
  the hooks leave of the answer, or return all messages together when the run has ended. No scenario reads the chunks of a
  streaming run.

  @POSTURE-18 @clarified @axis:answer-event=after-hooks
  Rule: An agent with the posture answer-event=after-hooks emits a whole answer as the after-model hooks leave the answer

    Scenario: A hook that changes the answer
      Given a model that answers
        | text |
        | raw  |
      And a handler "H" that, after model, changes the last message to "done"
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | done    |

    Scenario: A hook that changes the first of two answers
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, after model call 1, changes the last message to "please"
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | please  |
        | tool      | one     |
        | assistant | done    |

    Scenario: A hook that fails
      Given a handler "H" that, after model, fails with "not this"
      When the agent runs
      Then the events are
        | event | content  |
        | error | not this |

    Scenario: A hook that sends an event
      Given a model that answers
        | text |
        | done |
      And a handler "H" that, after model, sends the event "after"
      When the agent runs
      Then the events are
        | content |
        | after   |
        | done    |

  @POSTURE-19 @clarified @axis:message-events=at-the-end
  Rule: An agent with the posture message-events=at-the-end emits the messages of a synchronous run once the run has ended

    Scenario: A tool call and a final answer
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that, after agent, sends the event "after"
      When the agent runs
      Then the events are
        | content |
        | after   |
        | asking  |
        | one     |
        | done    |

    Scenario: The second model call fails
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls | fails with |
        | asking | t1    |            |
        |        |       | overload   |
      When the agent runs
      Then the events are
        | event | content  |
        | error | overload |
