Feature: The same loop in every mode and for both types of messages
  A run can stream, and messages can be of the plain type or of the agentic one,
  which is made of blocks. Neither changes the loop: the calls, the hooks around
  them and the events come in the same order. Features that show a rule in one
  mode only mean both.

  @LOOP-20 @derived
  Rule: A streaming run in which no model call fails takes the same course as a synchronous one

    Scenario Outline: Two rounds, with a handler in every hook, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a handler "H" that looks on
      And a model that answers
        | text       | calls | chunks |
        | I look.    | t1    |        |
        | Once more. | t1    |        |
        | done       |       | do/ne  |
      When the agent runs
      Then the trace is
        """
        before agent H
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        after agent H
        """
      And the events are
        | role      | content    |
        | assistant | I look.    |
        | tool      | one        |
        | assistant | Once more. |
        | tool      | one        |
        | assistant | done       |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A handler that sends an event before the second model call, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a handler "H" that, before model call 2, sends the event "soon"
      And a model that answers
        | text    | calls | chunks |
        | I look. | t1    |        |
        | done    |       | do/ne  |
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | I look. |
        | tool      | one     |
        |           | soon    |
        | assistant | done    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LOOP-19 @derived
  Rule: An agent of agentic messages has the same loop as one of plain messages

    Background:
      Given the messages are agentic

    Scenario: A tool, and a handler in every hook
      Given a tool "t1" that returns "one"
      And a handler "H" that looks on
      And a model that answers
        | text    | calls |
        | I look. | t1    |
        | done    |       |
      When the agent runs
      Then the trace is
        """
        before agent H
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        after agent H
        """
      And the events are
        | content |
        | I look. |
        | one     |
        | done    |

    Scenario: A streaming run, with a tool that streams
      Given a streaming run
      And the tools
        | name | kind       | chunks |
        | t1   | streamable | o/ne   |
      And a model that answers
        | chunks   | calls |
        | I l/ook. | t1    |
        | do/ne    |       |
      When the agent runs
      Then model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | I look. | t1    |
        | tool      | one     |       |
      And the final answer is "done"

    Scenario: A tool that returns directly
      Given a tool "t1" that returns "one"
      And the tools t1 return directly
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the final answer is "one"
      And the model is called once

    Scenario: An iteration limit that is reached
      Given a tool "t1" that returns "one"
      And an iteration limit of 1
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the run fails
      And the model is called once

    Scenario: A model call that is made again
      Given failed model calls are made again 2 times at most
      And a model that answers
        | fails with | text |
        | busy       |      |
        |            | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

    Scenario: Another model that helps out
      Given a failover once at most, to the models backup
      And a model that answers
        | fails with |
        | down       |
      And a model "backup" that answers
        | text |
        | done |
      When the agent runs
      Then the final answer is "done"
      And the model is called 2 times

    Scenario: A value that is kept for the run
      Given an agent
      And a handler "H" that, before model, keeps "here" as "where"
      And a handler "H" that, after model, looks up "where"
      When the agent runs
      Then after model, "H" finds "where" as "here"
