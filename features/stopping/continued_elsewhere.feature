Feature: What another process continues with
  A run whose process has died continues in another process from what was saved: with its messages, its values and its
  counts. The rules of runs whose process dies hold here too.

  @STOP-39 @clarified
  Rule: After the death of a process, the next model request has all messages that the run had before

    Scenario Outline: The process dies when <moment>
      Given the conversation
        | role      | content |
        | user      | Hello.  |
        | assistant | Hi.     |
        | user      | Look.   |
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Lost |       |
        | Seen |       |
      And the process dies when <moment>
      When the agent runs and is resumed
      Then model call <call> receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Hi.     |
        | user      | Look.   |
        | assistant | Look    |
        | tool      | one     |
        | assistant | More    |
        | tool      | two     |

      Examples:
        | moment                                   | call |
        | the tool "t2" is called                  | 3    |
        | call 3 of "model model" in run 1 is made | 4    |

    @axis:edits-last
    Scenario: A change that a before-model hook made
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Lost |       |
        | Seen |       |
      And a handler "H1" that, before model call 1 of run 1, adds the user message "Be brief."
      And the process dies when the tool "t1" is called
      When the agent runs and is resumed
      Then model call 2 contains the message "Be brief."

    Scenario: A message that is sent during a model call without tool calls
      Given a model that answers
        | text |
        | Look |
        | Lost |
        | Seen |
      And a handler "H1" that, after model call 1 of run 1, sends the run the user message "Hurry."
      And the process dies when call 2 of "model model" in run 1 is made
      When the agent runs and is resumed
      Then model call 3 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | user      | Hurry.  |

    Scenario: The processes of two runs die in rounds with long results, after a failed model call
      Given failed model calls are retried at most once
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | \ü*2001 |
      And a model that answers
        | text | calls            | fails with |
        | Look | t1 as a, t2 as b |            |
        |      |                  | busy       |
        | Lost |                  |            |
        | More | t1 as c, t2 as d |            |
        | Lost |                  |            |
        | Seen |                  |            |
      And the process dies when call 3 of "model model" in run 1 is made
      And in run 2, the process dies when call 2 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then model call 6 receives
        | role      | content |
        | user      | Hello.  |
        | assistant | Look    |
        | tool      | one     |
        | tool      | \ü*2001 |
        | assistant | More    |
        | tool      | one     |
        | tool      | \ü*2001 |

  @STOP-40 @clarified
  Rule: After the death of a process, each tool call has one result in the next model request

    Scenario Outline: The process dies when the <place> of two calls is made
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And tool calls run sequentially
      And the process dies when the tool "<tool>" is called
      When the agent runs and is resumed
      Then in model call 2, each tool call has one result
      And the final answer of run 2 is "Seen"

      Examples:
        | place  | tool |
        | first  | t1   |
        | second | t2   |

    Scenario: The process dies when the second call of the second answer is made
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
        | t3   | three   |
      And a model that answers
        | text | calls            |
        | Look | t3 as a          |
        | More | t1 as b, t2 as c |
        | Seen |                  |
      And tool calls run sequentially
      And a handler "H1" that observes before model
      And the process dies when the tool "t2" is called
      When the agent runs and is resumed
      Then in model call 3, each tool call has one result
      And model call 3 contains the message "one"
      And model call 3 contains the message "two"

  @STOP-42 @clarified
  Rule: A run that waits for its caller when its process dies is resumed with the caller's answer

    Scenario: A tool interrupts the run, and the process dies
      Given the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
      And a model that answers
        | text | calls  |
        | Look | t1, t2 |
        | Seen |        |
      And the caller resumes the tool "t2" with "Yes."
      And the process dies when the run has ended
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 2 of the tool "t2" receives the resume data "Yes."
      And the final answer of run 2 is "Seen"

    Scenario: Another handler interrupts the resumed run, and the process dies
      Given a handler "H1" that, before model call 1 of run 1, interrupts the run
      And a handler "H2" that, before model call 1 of run 2, interrupts the run
      And in run 3, the caller resumes the handler "H2" with "yes"
      And in run 2, the process dies when the run has ended
      When the agent runs, is resumed, and is resumed again from the new stop
      Then before model call 1 of run 3, "H2" receives the resume data "yes"
      And the final answer of run 3 is "done"

    Scenario: A tool of the second round with a long result interrupts the run, and the process dies
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | \ü*2001 | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      And a handler "H1" that observes before model
      And the caller resumes the tool "t2" with "Yes."
      And the process dies when the run has ended
      When the agent runs and is resumed
      Then call 2 of the tool "t2" receives the resume data "Yes."
      And the final answer of run 2 is "Seen"


  @STOP-43 @clarified
  Rule: A session value that was set before the process of a run died is there in the other process

    Scenario Outline: A tool sets a session value, and the process dies when <moment>
      Given a session in which "city" is "Rome"
      And the tools
        | name | returns | actions                                 |
        | t1   | one     | sets the session value "mood" to "good" |
        | t2   | two     |                                         |
        | t3   | three   | reads the session value "mood"          |
      And a model that answers
        | text  | calls |
        | Look  | t1    |
        | More  | t2    |
        | Again | t3    |
        | Seen  |       |
      And the process dies when <moment>
      When the agent runs and is resumed
      Then the tool "t3" finds "good" under "mood"
      And after run 2, the session has the value "Rome" under "city"

      Examples:
        | moment                                   |
        | the tool "t2" is called                  |
        | call 2 of "model model" in run 1 is made |

    Scenario: Tools with long results set session values before each of two processes dies
      Given a streaming run
      And a session in which "city" is "Köln"
      And failed model calls are retried at most once
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                                |
        | t1   | \ü*2001 | streamable | sets the session value "mood" to "gut" |
        | t2   | \ü*2001 | streamable | sets the session value "who" to "Kim"  |
        | t3   | three   |            |                                        |
      And a model that answers
        | text  | calls  | fails with |
        |       |        | busy       |
        | Look  | t3, t1 |            |
        | Lost  |        |            |
        | Again | t2     |            |
        | Lost  |        |            |
        | Seen  |        |            |
      And a handler "H1" that observes before model
      And a handler "H2" that observes before model
      And the process dies when call 3 of "model model" in run 1 is made
      And in run 2, the process dies when call 2 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then after run 3, the session has the value "Köln" under "city"
      And after run 3, the session has the value "gut" under "mood"
      And after run 3, the session has the value "Kim" under "who"
      And the final answer of run 3 is "Seen"

  @STOP-44 @clarified
  Rule: The iteration limit counts the model calls that a run made before its process died

    @axis:limit-ends
    Scenario: The limit is reached by the model calls of both processes together
      Given an iteration limit of 2
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t1    |
        | Seen |       |
      And the process dies when the tool "t1" is called
      When the agent runs and is resumed
      Then run 2 fails
      And the model is called 2 times

    @axis:limit-ends @axis:tool-failure
    Scenario: The limit of a sub-agent is reached in the second process
      Given a model that answers
        | calls                        | text |
        | helper({"request": "Help."}) |      |
        |                              | done |
      And a sub-agent "helper"
      And an iteration limit of 2
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Lost |       |
        | More | t1    |
        | Seen |       |
      And the process dies when call 2 of "model helper's" in run 1 is made
      When the agent runs and is resumed
      Then run 2 fails

    @axis:limit-ends
    Scenario Outline: The process dies when <moment> is made, and the user repeats a message
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
        | user | Grüße.  |
      And an iteration limit of 2
      And tool calls run sequentially
      And the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t2 as b |
        | More | t1 as c, t2 as d |
        | Seen |                  |
      And a handler "H1" that observes before model
      And the process dies when <moment> is made
      When the agent runs and is resumed
      Then run 2 fails
      And the model is called 2 times

      Examples:
        | moment                        |
        | call 1 of "tool t1" in run 1 |
        | call 2 of "tool t2" in run 1 |

    @axis:limit-ends
    Scenario: Two processes die during the calls of the second answer
      Given an iteration limit of 3
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t1    |
        | Last | t1    |
        | Seen |       |
      And the process dies when call 2 of "tool t1" in run 1 is made
      And in run 2, the process dies when call 1 of "tool t1" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 3 fails
      And the model is called 3 times
