Feature: Sub-agents in detail
  Unless it is told otherwise, a sub-agent takes one text and begins with it as
  its only message, and its last message is the result of the call. It runs in the
  mode of the agent above.

  @AGENTTOOL-02 @clarified
  Rule: By default a sub-agent takes a text named "request", its only user message, and its last message is the result

    Scenario: Nothing is configured
      Given a sub-agent "helper", with
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls | text   |
        | t1    |        |
        |       | helped |
      And an agent above it, with
      And a model that answers
        | calls                              | text |
        | helper({"request": "Where am I?"}) |      |
        |                                    | done |
      When the agent runs
      Then model call 1 is offered "helper" with the arguments
        | name    | type   | required |
        | request | string | yes      |
      And call 1 of the model "helper's" receives
        | role | content     |
        | user | Where am I? |
      And call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |

    Scenario: Two calls in one answer
      Given a sub-agent "helper", with
      And a model that answers
        | text   |
        | helped |
        | helped |
      And an agent above it, with
      And a model that answers
        | calls                                                    | text |
        | helper({"request": "Rome"}), helper({"request": "Oslo"}) |      |
        |                                                          | done |
      When the agent runs
      Then in any order, the model "helper's" is told
        | text |
        | Rome |
        | Oslo |

  @AGENTTOOL-05 @clarified
  Rule: A sub-agent runs in the mode of the agent above, and its answer is one result

    Scenario Outline: An answer in chunks, in a <mode> run
      Given a <mode> run
      And a sub-agent "helper", with
      And a model that answers
        | chunks |
        | a/b    |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then model call 2 is <mode>
      And the events are
        | event   | content |
        | <kind>  |         |
        | message | ab      |
        | <kind>  | done    |

      Examples:
        | mode        | kind    |
        | synchronous | message |
        | streaming   | stream  |

  @AGENTTOOL-18 @clarified
  Rule: The result is the sub-agent's last message, even if another event follows it

    Scenario: A handler of the sub-agent sends an event after the answer
      Given a sub-agent "helper", with
      And a handler "H2" that, after agent, sends the event "that was all"
      And a model that answers
        | text   |
        | helped |
      And an agent above it, with
      And a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | helped  |
