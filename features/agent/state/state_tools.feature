Feature: The tools that a model receives
  The state of a run also lists the tools that the model receives. A hook can remove a tool from the list to hide the tool
  from the model. The list does not decide which tools the agent has. Deferred tools are a second list, for tools that the
  model can search for.

  Background:
    Given the tools
      | name | returns |
      | t1   | one     |
      | t2   | two     |

  @STATE-03 @documented
  Rule: A tool that a before-model hook removes is hidden from that model call and all later ones

    @axis:edits-last
    Scenario: Hidden before the first of three model calls
      Given a model that answers
        | text | calls            |
        |      | t2               |
        |      | t2 as a, t2 as b |
        | done |                  |
      And a handler "H1" that, before model call 1, offers the model the tools "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"
      And model call 2 receives only the tool "t2"
      And model call 3 receives only the tool "t2"

    Scenario: Hidden before the second model call
      Given a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H1" that, before model call 2, offers the model the tools "t2"
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2"
      And model call 2 receives only the tool "t2"

    @axis:edits-last
    Scenario: Hidden before the second of three model calls, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t9   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t9 as b |      |
        | t0 as c, t0 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, offers the model the tools "t0"
      When the agent runs twice
      Then model call 3 receives only the tool "t0"
      And model call 5 receives only the tool "t0"
      And model call 6 receives only the tool "t0"

  @STATE-04 @derived
  Rule: All later hooks and model wrappers see the tool list that a before-model hook returns

    @axis:edits-last @axis:nesting
    Scenario: One of two tools is removed
      Given a handler "H1" that, before model, offers the model the tools "t2"
      And a handler "H2" that observes
      When the agent runs
      Then before model, "H2" sees only the tool "t2"
      And around model, the model context of "H2" has only the tool "t2"
      And after model, "H2" sees only the tool "t2"
      And after agent, "H2" sees only the tool "t2"

    @axis:edits-last
    Scenario: Two of three tools are removed before the second model call, and a call of the third one interrupts the run
      Given the tools
        | name | interrupts |
        | t3   | yes        |
      And a model that answers
        | text | calls |
        |      | t1    |
        |      | t3    |
        | done |       |
      And a handler "H1" that, before model call 2, offers the model the tools "t3"
      And a handler "H2" that observes
      When the agent runs and is resumed
      Then before model of run 2, "H2" sees only the tool "t3"
      And around model of run 2, the model context of "H2" has only the tool "t3"
      And after model of run 2, "H2" sees only the tool "t3"
      And after agent, "H2" sees only the tool "t3"

    @axis:nesting
    Scenario: One of two tools is removed before the second model call, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t9   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t9 as b |      |
        | t0 as c, t0 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, offers the model the tools "t0"
      And a handler "H2" that observes before model and around model
      When the agent runs twice
      Then before model call 2 of run 2, "H2" sees only the tool "t0"
      And around model call 2 of run 1, the model context of "H2" has only the tool "t0"
      And around model call 2 of run 2, the model context of "H2" has only the tool "t0"

  @STATE-05 @derived
  Rule: A tool list that a hook empties stays empty for the rest of the run

    @axis:edits-last
    Scenario: Emptied before the only model call
      Given a handler "H1" that, before model, offers the model no tools
      And a handler "H2" that observes
      When the agent runs
      Then model call 1 receives no tools
      And after model, "H2" sees no tools
      And after agent, "H2" sees no tools

    Scenario: Emptied after the first model call
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model call 1, offers the model no tools
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2"
      And from model call 2 on, the model receives no tools

    Scenario: Emptied by a legacy function after the first model call
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a legacy middleware "L1" that, after model call 1, offers the model no tools
      And a handler "H1" that observes before model
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2"
      And before model call 2, "H1" sees no tools
      And from model call 2 on, the model receives no tools

    @axis:edits-last
    Scenario: Emptied by a legacy function before the first model call
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a legacy middleware "L1" that, before model call 1, offers the model no tools
      When the agent runs
      Then model call 1 receives no tools
      And from model call 2 on, the model receives no tools

    Scenario Outline: Emptied after the first model call, before an interrupt, in a <mode> run
      Given a <mode> run
      And the tools
        | name | interrupts |
        | t3   | yes        |
      And a model that answers
        | text | calls |
        |      | t3    |
        | done |       |
      And a handler "H1" that, after model call 1, offers the model no tools
      And a handler "H2" that observes
      When the agent runs and is resumed
      Then before model of run 2, "H2" sees no tools
      And from model call 2 on, the model receives no tools
      And after agent, "H2" sees no tools

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @STATE-06 @clarified
  Rule: A tool that a hook hides from the model still runs if the model calls it

    Scenario: The model calls a hidden tool
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model, offers the model the tools "t2"
      When the agent runs
      Then model call 1 receives only the tool "t2"
      And the tool "t1" runs once
      And the final answer is "done"

  @STATE-07 @clarified
  Rule: A run fails if the model calls a listed tool that the agent does not have

    @axis:unknown-tool
    Scenario: A hook lists a tool that the agent does not have
      Given a model that answers
        | text | calls |
        |      | t3    |
        | done |       |
      And a handler "H1" that, before model, offers the model the tools "t1", "t3"
      When the agent runs
      Then model call 1 receives the tools "t1", "t3"
      And the run fails because a tool is unknown

  @STATE-08 @documented
  Rule: Tools that a before-model hook defers reach that model call and all later ones in a separate list

    @axis:edits-last
    Scenario: Deferred before the first of two model calls
      Given a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a handler "H1" that, before model call 1, defers the tools "archive"
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2"
      And model call 1 receives only the deferred tool "archive"
      And before model call 2, "H1" sees only the deferred tool "archive"
      And in any order, model call 2 receives the tools "t1", "t2"
      And model call 2 receives only the deferred tool "archive"

    @axis:edits-last
    Scenario: Deferred before the first of two model calls, with a legacy middleware
      Given a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a legacy middleware "L1" that observes
      And a handler "H1" that, before model call 1, defers the tools "archive"
      When the agent runs
      Then model call 1 receives only the deferred tool "archive"
      And model call 2 receives only the deferred tool "archive"

    @axis:edits-last
    Scenario: Two lists of deferred tools before the first two of three model calls
      Given a model that answers
        | text | calls  |
        |      | t1, t2 |
        |      | t1     |
        | done |        |
      And a handler "H1" with the actions
        | hook                | action                     |
        | before model call 1 | defers the tools "archive" |
        | before model call 2 | defers the tools "old"     |
      When the agent runs
      Then model call 1 receives only the deferred tool "archive"
      And model call 2 receives only the deferred tool "old"
      And model call 3 receives only the deferred tool "old"

    @axis:edits-last
    Scenario: Deferred by a legacy middleware before the first of two model calls
      Given a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a legacy middleware "L1" that, before model call 1, defers the tools "archive"
      When the agent runs
      Then model call 1 receives only the deferred tool "archive"
      And model call 2 receives only the deferred tool "archive"

    @axis:edits-last
    Scenario: Deferred before the first of two model calls, between which a user message is sent
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" with the actions
        | hook                | action                                                      |
        | before model call 1 | defers the tools "archive"; offers the model the tools "t2" |
        | after model call 1  | sends the run the user message "Hurry."                     |
      When the agent runs
      Then model call 2 receives only the tool "t2"
      And model call 2 receives only the deferred tool "archive"

  @STATE-09 @documented
  Rule: A tool that an after-model hook removes is hidden from all later model calls

    Scenario: Hidden after the first of three model calls
      Given a model that answers
        | text | calls            |
        |      | t2               |
        |      | t2 as a, t2 as b |
        | done |                  |
      And a handler "H1" that, after model call 1, offers the model the tools "t2"
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2"
      And model call 2 receives only the tool "t2"
      And model call 3 receives only the tool "t2"

    Scenario: Hidden after the second of three model calls, in the second of two equal runs
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   |         |            |                                |
        | t9   | \ü*2001 | streamable | reads the session value "mood" |
      And a model that answers
        | calls            | text |
        | t0 as a, t9 as b |      |
        | t0 as c, t0 as d |      |
        |                  | done |
      And a handler "H0" that observes around tool
      And a handler "H1" that, after model call 2, offers the model the tools "t0"
      When the agent runs twice
      Then model call 3 receives only the tool "t0"
      And model call 6 receives only the tool "t0"
