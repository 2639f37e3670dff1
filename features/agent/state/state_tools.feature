Feature: The tools that a model is offered
  The state of a run lists what the model is told about tools. A hook that takes one
  out of the list hides it from the model, in this call and in those that follow.
  The list is not the tools themselves: hiding one does not take it away, and
  listing one does not make it. Tools that the model may search for instead of being
  offered them are a second list, deferred tools.

  Background:
    Given the tools
      | name | returns |
      | t1   | one     |
      | t2   | two     |

  @STATE-03 @documented
  Rule: Taking a tool out of the list before a model call hides it in this call and all later ones

    Scenario Outline: Hidden before the first of three calls of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        |      | t2    |
        |      | t2    |
        | done |       |
      And a handler "H1" that, before model call 1, offers the tools "t2"
      When the agent runs
      Then model call 1 is offered the tools "t2"
      And model call 2 is offered the tools "t2"
      And model call 3 is offered the tools "t2"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Hidden before the second call
      Given a model that answers
        | text | calls |
        |      | t2    |
        | done |       |
      And a handler "H1" that, before model call 2, offers the tools "t2"
      When the agent runs
      Then in any order, model call 1 is offered the tools "t1", "t2"
      And model call 2 is offered the tools "t2"

  @STATE-04 @derived
  Rule: The shorter list is what the later handlers of the call see, and those after the agent

    Scenario Outline: Seen from every later place of a <mode> run
      Given a <mode> run
      And a handler "H1" that, before model, offers the tools "t2"
      And a handler "H2" that looks on
      When the agent runs
      Then before model, "H2" sees the tools "t2"
      And around model, "H2" is told of the tools "t2"
      And after model, "H2" sees the tools "t2"
      And after agent, "H2" sees the tools "t2"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @STATE-05 @derived
  Rule: A list without any tool is kept as such

    Scenario: Emptied before the only call
      Given a handler "H1" that, before model, offers the tools nothing
      And a handler "H2" that looks on
      When the agent runs
      Then model call 1 is offered the tools nothing
      And after model, "H2" sees the tools nothing
      And after agent, "H2" sees the tools nothing

    Scenario: Emptied after the first call, whether or not a second one comes
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, after model call 1, offers the tools nothing
      When the agent runs
      Then in any order, model call 1 is offered the tools "t1", "t2"
      And from model call 2 on, no tool is offered

  @STATE-06 @clarified
  Rule: A tool that is hidden from the model is called all the same, should the model ask for it

    Scenario: The model asks for what it was not offered
      Given a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model, offers the tools "t2"
      When the agent runs
      Then model call 1 is offered the tools "t2"
      And the tool "t1" runs once
      And the final answer is "done"

  @STATE-07 @clarified
  Rule: Listing a tool that the agent does not have does not make it one that can be called

    Scenario: The model asks for what nobody has
      Given a model that answers
        | text | calls |
        |      | t3    |
        | done |       |
      And a handler "H1" that, before model, offers the tools "t1", "t3"
      When the agent runs
      Then model call 1 is offered the tools "t1", "t3"
      And the run fails because a tool is unknown

  @STATE-08 @documented
  Rule: Deferred tools are given to the model apart from those it is offered, in this call and all later ones

    Scenario Outline: Deferred before the first of two calls of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, defers the tools "archive"
      When the agent runs
      Then in any order, model call 1 is offered the tools "t1", "t2"
      And model call 1 is given the deferred tools "archive"
      And before model call 2, "H1" sees the deferred tools "archive"
      And in any order, model call 2 is offered the tools "t1", "t2"
      And model call 2 is given the deferred tools "archive"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @STATE-09 @documented
  Rule: Taking a tool out of the list after a model call hides it in all later ones

    Scenario: Hidden after the first of three calls
      Given a model that answers
        | text | calls |
        |      | t2    |
        |      | t2    |
        | done |       |
      And a handler "H1" that, after model call 1, offers the tools "t2"
      When the agent runs
      Then in any order, model call 1 is offered the tools "t1", "t2"
      And model call 2 is offered the tools "t2"
      And model call 3 is offered the tools "t2"
