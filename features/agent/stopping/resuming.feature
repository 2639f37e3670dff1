Feature: Resuming an interrupted run
  A resumed run is the rest of the interrupted run and not a new run. The interrupted call is repeated first. The
  checkpoint restores the conversation, the tool lists, the mode and the number of model calls. A sub-agent is an agent
  that is a tool of another agent, the outer agent.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And the tools
      | name | returns | interrupts |
      | t1   | asked   | yes        |
      | t2   | found   |            |

  @INTERRUPT-02 @clarified
  Rule: A resumed run starts by repeating the interrupted call with the state that the call saved

    Scenario Outline: One interrupted tool call in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t1
        model
        """
      And call 2 of the tool "t1" receives its saved state
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
      And the events of run 2 are
        | content |
        | asked   |
        | Seen    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The caller answers one of two interrupted calls
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And the caller resumes the tool "t1" with "yes"
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      When the agent runs and is resumed
      Then model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
        | tool      | three   |

    Scenario: Two calls of one tool
      Given a model that answers
        | text | calls            |
        | Look | t1 as a, t1 as b |
        | Seen |                  |
      When the agent runs and is resumed
      Then in run 2, the call "a" receives its saved state
      And in run 2, the call "b" receives its saved state
      And the final answer of run 2 is "Seen"

    Scenario: One tool interrupts the run again after the resumption
      Given a model that answers
        | text | calls   |
        | Look | t1 as a |
        | More | t1 as b |
        | Seen |         |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then in run 2, the call "a" receives its saved state
      And in run 3, the call "b" receives its saved state
      And the final answer of run 3 is "Seen"

    Scenario: The run is cancelled before the interrupted call is repeated
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t3 as b |
        | Seen |                  |
      And tool calls run sequentially
      And call 1 of "tool t1" in run 2 waits until the run has ended
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t1" is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then in run 3, the call "b" receives its saved state
      And the final answer of run 3 is "Seen"

    Scenario: The process dies before the second of two interrupted calls is repeated
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t3 as b |
        | Seen |                  |
      And tool calls run sequentially
      And in run 2, the process dies when the tool "t3" is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then in run 3, the call "b" receives its saved state
      And the final answer of run 3 is "Seen"

    @axis:message-events
    Scenario: A cancel request stops the run after the interrupted call
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a cancel request, which takes effect after the tool calls, is made when the tool "t1" is called
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives its saved state
      And the final answer of run 2 is "Seen"

    @axis:message-events
    Scenario: The run is cancelled during the call that follows the interrupted call
      Given the tools
        | name | returns | held until        |
        | t3   | three   | the run has ended |
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      And tool calls run sequentially
      And a cancel request, which takes effect immediately, is made when the tool "t3" is called
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives its saved state
      And the tool "t3" runs 2 times
      And the final answer of run 2 is "Seen"

  @INTERRUPT-03 @clarified
  Rule: The caller's answer to an interrupt reaches the call that interrupted the run

    Scenario: Two tools receive different answers
      Given the tools
        | name | interrupts |
        | t3   | yes        |
      And the caller resumes the tool "t1" with "yes"
      And the caller resumes the tool "t3" with "no"
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives the resume data "yes"
      And call 2 of the tool "t3" receives the resume data "no"

    Scenario: Two calls of one tool receive different answers
      Given the caller resumes the call "a" with "yes"
      And the caller resumes the call "b" with "no"
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t1 as b |
        | Seen |                  |
      When the agent runs and is resumed
      Then in run 2, the call "a" receives the resume data "yes"
      And in run 2, the call "b" receives the resume data "no"

    Scenario Outline: Two calls whose ids begin alike, the <which> one first, receive different answers
      Given the caller resumes the call "c1" with "yes"
      And the caller resumes the call "c11" with "no"
      And a model that answers
        | text | calls   |
        | Look | <calls> |
        | Seen |         |
      When the agent runs and is resumed
      Then in run 2, the call "c1" receives the resume data "yes"
      And in run 2, the call "c11" receives the resume data "no"

      Examples:
        | which   | calls               |
        | shorter | t1 as c1, t1 as c11 |
        | longer  | t1 as c11, t1 as c1 |

    Scenario Outline: The answer is <what>
      Given the caller resumes the call "a" with the JSON value <value>
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      When the agent runs and is resumed
      Then in run 2, the call "a" receives the resume data <value> as JSON
      And the final answer of run 2 is "Seen"

      Examples: empty values
        | what            | value |
        | false           | false |
        | zero            | 0     |
        | an empty text   | ""    |
        | an empty list   | []    |
        | an empty object | {}    |

    Scenario Outline: Only the tool "<answered>" receives an answer
      Given the tools
        | name | returns | interrupts |
        | t3   | found   | yes        |
      And the caller resumes the tool "<answered>" with "yes"
      And a model that answers
        | text | calls               |
        | Look | t1 as c1, t3 as c11 |
        | Seen |                     |
      When the agent runs and is resumed
      Then call 2 of the tool "<answered>" receives the resume data "yes"
      And in run 2, the call "<other>" receives no resume data
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
        | tool      | found   |

      Examples:
        | answered | other |
        | t1       | c11   |
        | t3       | c1    |

    Scenario: An empty answer
      Given the caller resumes the tool "t1" with ""
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives the resume data ""

  @INTERRUPT-18 @clarified
  Rule: A second resumption from one checkpoint does not depend on the first resumption

    Scenario: The two resumptions have different answers
      Given in run 2, the caller resumes the call "a" with "yes"
      And in run 3, the caller resumes the call "a" with "no"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      When the agent runs, is resumed, and is resumed again from the first stop
      Then in run 2, the call "a" receives the resume data "yes"
      And in run 3, the call "a" receives the resume data "no"
      And the final answer of run 3 is "Seen"

    Scenario: Only the first resumption has an answer
      Given in run 2, the caller resumes the call "a" with "yes"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      When the agent runs, is resumed, and is resumed again from the first stop
      Then in run 2, the call "a" receives the resume data "yes"
      And in run 3, the call "a" receives the resume data null as JSON

    Scenario: A hook changes the conversation in the first resumption
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before model of run 2, adds the user message "Hint."
      When the agent runs, is resumed, and is resumed again from the first stop
      Then model call 3 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |

    Scenario: A hook sets a run-local value and a session value in the first resumption
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" with the actions
        | hook                  | action                                                                     |
        | before model of run 2 | sets the run-local value "k" to "two"; sets the session value "s" to "two" |
        | before model of run 3 | reads the run-local value "k"; reads the session value "s"                 |
      When the agent runs, is resumed, and is resumed again from the first stop
      Then before model of run 3, "H1" finds nothing under "k"
      And before model of run 3, "H1" finds nothing under "s"
