Feature: The loop of an agent
  An agent is a model that may ask for tools. It answers a conversation; if the
  answer calls tools, the agent makes the calls, appends the results and asks
  the model again, with all that was said so far. An answer that calls nothing
  is the final one. Everything else in these features is built around this loop.

  @LOOP-01 @documented
  Rule: An answer without tool calls is the final answer, and the model is not called again

    Scenario Outline: An answer at once, though there are tools, in a <mode> run
      Given a <mode> run
      And a tool "search" that returns "found"
      And a model that answers
        | text      |
        | It is 42. |
        | Or is it? |
      When the agent runs
      Then the final answer is "It is 42."
      And the model is called once
      And the tool "search" never runs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A text that speaks of a tool without calling it
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
  Rule: An answer that calls a tool makes the agent call it, whether or not the answer has a text

    Scenario Outline: A call beside the text "<text>", in a <mode> run
      Given a <mode> run
      And a tool "search" that returns "found"
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

      Examples: a call alone
        | mode        | text |
        | synchronous |      |
        | streaming   |      |

      Examples: a call beside a text
        | mode        | text         |
        | synchronous | Let me look. |
        | streaming   | Let me look. |

    Scenario: A stream in which the text comes first and the call last
      Given a streaming run
      And a tool "search" that returns "found"
      And a model that answers
        | chunks             | calls  |
        | Let /me look/it up | search |
        | done               |        |
      When the agent runs
      Then the tool "search" runs once
      And the final answer is "done"

  @LOOP-03 @documented
  Rule: The result of a tool call is appended to the conversation, and the model is called again

    Scenario Outline: One call, in a <mode> run
      Given a <mode> run
      And a tool "search" that returns "found"
      And a model that answers
        | calls            |
        | search as call s |
        |                  |
      When the agent runs
      Then the model is called 2 times
      And model call 2 receives
        | role      | content | calls  | call id |
        | user      | Hello.  |        |         |
        | assistant |         | search |         |
        | tool      | found   |        | call s  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Two calls, and each result belongs to its call
      Given a tool "search" that returns "found"
      And a tool "read" that returns "a text"
      And a model that answers
        | calls                            |
        | search as call s, read as call r |
        |                                  |
      When the agent runs
      Then in any order, model call 2 receives the results
        | call id | content |
        | call s  | found   |
        | call r  | a text  |

  @LOOP-04 @derived
  Rule: An answer with neither calls nor a text is final, too

    Scenario Outline: An empty answer, in a <mode> run
      Given a <mode> run
      And a tool "search" that returns "found"
      And a model that answers
        | text  |
        |       |
        | again |
      When the agent runs
      Then the final answer is ""
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LOOP-05 @derived
  Rule: Each model call receives what the one before it received, its answer, and the results that it led to

    Scenario: Two rounds after a conversation with a past
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
