Feature: The agent loop
  An agent runs a model in a loop. If the model's answer calls tools, the agent
  runs the tools, appends their results to the conversation, and calls the model
  again. An answer without tool calls is the final answer. All other features of
  an agent extend this loop.

  @LOOP-01 @documented
  Rule: A model answer without tool calls ends the run as the final answer

    Scenario: An agent with an unused tool
      Given a tool "search" that returns "found"
      And a model that answers
        | text      |
        | It is 42. |
        | Or is it? |
      When the agent runs
      Then the final answer is "It is 42."
      And the model is called once
      And the tool "search" never runs

    Scenario: A text that mentions a tool without calling it
      Given a tool "search" that returns "found"
      And a model that answers
        | text           |
        | Action: search |
        | It is 42.      |
      When the agent runs
      Then the final answer is "Action: search"
      And the model is called once
      And the tool "search" never runs

  @LOOP-02 @documented
  Rule: The agent runs a tool that the model calls, whether or not the answer also contains text

    Scenario Outline: A tool call with the text "<text>"
      Given a tool "search" that returns "found"
      And a model that answers
        | text   | calls  |
        | <text> | search |
        | done   |        |
      When the agent runs
      Then the trace is
        """
        model
        tool search
        model
        """

      Examples: a tool call without text
        | text |
        |      |

      Examples: a tool call with text
        | text         |
        | Let me look. |

    Scenario: A stream with text first and a tool call last
      Given a streaming run
      And a tool "search" that returns "found"
      And a model that answers
        | chunks             | calls  |
        | Let /me look/it up | search |
        | done               |        |
      When the agent runs
      Then the tool "search" runs once
      And the final answer is "done"

    Scenario: A tool call after a call of a sub-agent
      Given a tool "search" that returns "found"
      And a model that answers
        | text | calls                        |
        |      | helper({"request": "Help."}) |
        |      | search                       |
        | done |                              |
      And a sub-agent "helper"
      And a model that answers
        | text |
        | Here |
      When the agent runs
      Then the tool "search" runs once
      And the final answer is "done"

    Scenario: Twenty tool calls in one answer
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls                                                                          | text |
        | t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1 |      |
        |                                                                                | done |
      When the agent runs
      Then the tool "t1" runs 20 times

  @LOOP-04 @derived
  Rule: A model answer with neither tool calls nor text is a final answer

    @axis:empty-answer
    Scenario: An empty answer
      Given a tool "search" that returns "found"
      And a model that answers
        | text  |
        |       |
        | again |
      When the agent runs
      Then the final answer is ""
      And the model is called once

    @axis:empty-answer
    Scenario: An empty answer after a text with a tool call
      Given a tool "search" that returns "found"
      And a model that answers
        | text         | calls  |
        | Let me look. | search |
        |              |        |
      When the agent runs
      Then the final answer is ""

  @LOOP-05 @derived
  Rule: Each model call receives the messages of the previous call followed by its answer and the tool results

    Scenario: Two rounds of tool calls after a longer conversation
      Given an agent with the instruction "Be brief."
      And the conversation
        | role      | content          |
        | user      | Who was Ada?     |
        | assistant | A mathematician. |
        | system    | It is May.       |
        | user      | When was that?   |
      And the tools
        | name   | returns             |
        | search | found one/found two |
      And a model that answers
        | text       | calls  |
        | I look.    | search |
        | Once more. | search |
        | 1842.      |        |
      When the agent runs
      Then model call 1 receives
        | role      | content          |
        | system    | Be brief.        |
        | user      | Who was Ada?     |
        | assistant | A mathematician. |
        | system    | It is May.       |
        | user      | When was that?   |
      And model call 3 receives
        | role      | content          | calls  |
        | system    | Be brief.        |        |
        | user      | Who was Ada?     |        |
        | assistant | A mathematician. |        |
        | system    | It is May.       |        |
        | user      | When was that?   |        |
        | assistant | I look.          | search |
        | tool      | found one        |        |
        | assistant | Once more.       | search |
        | tool      | found two        |        |

    Scenario: Two tool calls with the same id
      Given the tools
        | name   | returns             |
        | search | found one/found two |
      And a model that answers
        | text       | calls            |
        | I look.    | search as call s |
        | Once more. | search as call s |
        | done       |                  |
      When the agent runs
      Then model call 3 receives
        | role      | content    | calls  |
        | user      | Hello.     |        |
        | assistant | I look.    | search |
        | tool      | found one  |        |
        | assistant | Once more. | search |
        | tool      | found two  |        |

    Scenario: Equal messages and equal results
      Given the conversation
        | role      | content |
        | user      | Yes.    |
        | assistant | Sure?   |
        | user      | Yes.    |
      And a tool "t1" that returns "found"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then model call 3 receives
        | role      | content | calls |
        | user      | Yes.    |       |
        | assistant | Sure?   |       |
        | user      | Yes.    |       |
        | assistant |         | t1    |
        | tool      | found   |       |
        | assistant |         | t1    |
        | tool      | found   |       |

    Scenario: Empty messages, and adjacent messages of one role
      Given the conversation
        | role      | content |
        | user      |         |
        | assistant |         |
        | assistant | Well?   |
        | user      | One?    |
        | user      | Two?    |
      And a tool "t1" that returns "found"
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then model call 2 receives
        | role      | content | calls |
        | user      |         |       |
        | assistant |         |       |
        | assistant | Well?   |       |
        | user      | One?    |       |
        | user      | Two?    |       |
        | assistant |         | t1    |
        | tool      | found   |       |

    Scenario: White space before and after each text
      Given the conversation
        | role | content                |
        | user | \u0020 Hello. \n\u0020 |
      And the tools
        | name | returns       |
        | t1   | \n\tfound\n\n |
      And a model that answers
        | text               | calls |
        | \nI look. \n\u0020 | t1    |
        | done               |       |
      When the agent runs
      Then model call 2 receives
        | role      | content                |
        | user      | \u0020 Hello. \n\u0020 |
        | assistant | \nI look. \n\u0020     |
        | tool      | \n\tfound\n\n          |

    Scenario: The first message in the thirtieth model call
      Given a tool "t1" that returns "found"
      And an iteration limit of 30
      And a model that calls "t1" 29 times before it answers "done"
      When the agent runs
      Then model call 30 contains the message "Hello."

    Scenario: A system message that a custom input function inserts, in a sub-agent, next to another run
      Given a sub-agent "helper"
      And a custom input function that prepends
        | role   | content    |
        | user   | Grüße.     |
        | system | It is May. |
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
      And an outer agent
      And the conversation
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
        | t1   |         |            |            |
      And a model that answers
        | calls                                      | fails with | text    |
        | t0 as b                                    |            |         |
        | helper({"request": "Bonn?"}) as a          |            | \ü*2001 |
        |                                            | busy       |         |
        | helper({"request": "Bonn?"}) as c, t1 as d |            | \ü*2001 |
        | helper({"request": "Bonn?"}) as e          |            |         |
        |                                            |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And call 1 of the model "helper's" contains, in this order
        """
        Grüße.
        It is May.
        """
      And call 3 of the model "helper's" contains, in this order
        """
        Grüße.
        It is May.
        """

    Scenario: A system message after the first message, in two concurrent runs and a third one
      Given a streaming run
      And a conversation of agentic messages
        | role   | content    |
        | user   | \ü*2001    |
        | system | It is May. |
        | user   |            |
      And tool calls run sequentially
      And a handler "H1" that observes before agent
      And a handler "H2" that observes before agent
      When the agent runs 2 times concurrently, and then once
      Then model call 1 receives
        | role   | content    |
        | user   | \ü*2001    |
        | system | It is May. |
        | user   |            |
      And model call 3 receives
        | role   | content    |
        | user   | \ü*2001    |
        | system | It is May. |
        | user   |            |

  @LOOP-09 @documented
  Rule: An agent without tools calls its model once

    Scenario: An agent with only a model
      Given an agent
      And a model that answers
        | text  |
        | done  |
        | again |
      When the agent runs
      Then the final answer is "done"
      And the model is called once

    Scenario: A conversation with an earlier tool call
      Given an agent
      And the conversation
        | role      | content      | calls  |
        | user      | Who was Ada? |        |
        | assistant | I look.      | search |
        | tool      | found        |        |
      And a model that answers
        | text             |
        | A mathematician. |
        | again            |
      When the agent runs
      Then the final answer is "A mathematician."
      And the model is called once

  @LOOP-10 @derived
  Rule: A model answer that calls tools is the final answer of an agent without tools

    @axis:calls-without-tools
    Scenario: A call of an unknown tool
      Given an agent
      And a model that answers
        | text    | calls  |
        | I look. | search |
        | again   |        |
      When the agent runs
      Then the final answer is "I look."
      And the model is called once
