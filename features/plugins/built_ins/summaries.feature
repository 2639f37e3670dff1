Feature: What a summary leaves of a conversation
  A summary stands where the older messages were; the latest ones stay behind it as they are, so that the model knows
  what it is doing just now. How many stay can be said. What belongs together is not torn apart, and where there is
  nothing to be gained, nothing happens.

  @XP-SUM-09 @clarified
  Rule: The last 20 messages stay behind the summary, unless another number is given

    Scenario: No number is given
      Given a summarization triggered by {"messages": 10}
      And its model answers
        | text      |
        | the notes |
      And the conversation
        | role      | content  |
        | user      | letter A |
        | assistant | letter B |
        | user      | letter C |
        | assistant | letter D |
        | user      | letter E |
        | assistant | letter F |
        | user      | letter G |
        | assistant | letter H |
        | user      | letter I |
        | assistant | letter J |
        | user      | letter K |
        | assistant | letter L |
        | user      | letter M |
        | assistant | letter N |
        | user      | letter O |
        | assistant | letter P |
        | user      | letter Q |
        | assistant | letter R |
        | user      | letter S |
        | assistant | letter T |
        | user      | letter U |
        | assistant | letter V |
        | user      | letter W |
      When the agent runs
      Then call 1 of the model "model" tells, in this order
        """
        the notes
        letter D
        letter W
        """
      And call 1 of the model "model" does not tell "letter C"

    Scenario: Another number is given
      Given a summarization triggered by {"messages": 3}
      And the summarization keeps 2 messages
      And its model answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      When the agent runs
      Then call 1 of the model "model" does not tell "Three?"
      And call 1 of the model "model" ends with
        | role      | content |
        | assistant | Four.   |
        | user      | Five?   |

  @XP-SUM-18 @clarified
  Rule: Where no message is to stay, the summary is all there is

    Scenario: Three messages, none of which stays
      Given a summarization triggered by {"messages": 2}
      And the summarization keeps 0 messages
      And its model answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" tells, in this order
        """
        the notes
        """
      And call 1 of the model "model" does not tell "One?"
      And call 1 of the model "model" does not tell "Two."
      And call 1 of the model "model" does not tell "Three?"

  @XP-SUM-10 @clarified
  Rule: Where all messages stay anyway, nothing happens

    Scenario Outline: Three messages, the limit passed, and <count> stay
      Given a summarization triggered by {"messages": 2}
      And the summarization keeps <count> messages
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" never happens
      And model call 1 receives
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |

      Examples: as many as there are, and more
        | count |
        | 3     |
        | 9     |

    Scenario: All but one stay
      Given a summarization triggered by {"messages": 2}
      And the summarization keeps 2 messages
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" happens once

  @XP-SUM-11 @clarified
  Rule: The summary is a user message at the front: the prefix, a blank line, and the model's text without space around it

    Scenario Outline: The model's text has <what>
      Given a summarization triggered by {"messages": 2}
      And the summarization keeps the last message
      And its summaries begin with "In short:"
      And its model answers
        | text   |
        | <text> |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" receives
        | role | content                |
        | user | In short:\n\n<summary> |
        | user | Three?                 |

      Examples: texts
        | what               | text                        | summary                     |
        | nothing around it  | the notes                   | the notes                   |
        | space around it    | \n\n the notes \n           | the notes                   |
        | a blank line in it | the notes\n\nand more notes | the notes\n\nand more notes |

  @XP-SUM-12 @clarified
  Rule: A call of a tool and its result stay together

    Scenario: The result would stay, and the call would not
      Given a summarization triggered by {"messages": 5}
      And the summarization keeps 3 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | user      | Three?  |       |
        | assistant |         | t1    |
        | tool      | four    |       |
        | assistant | Five.   |       |
        | user      | Six?    |       |
      When the agent runs
      Then call 1 of the model "model" does not tell "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | four    |       |
        | assistant | Five.   |       |
        | user      | Six?    |       |

    Scenario: Both are to go
      Given a summarization triggered by {"messages": 4}
      And the summarization keeps 2 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant |         | t1    |
        | tool      | two     |       |
        | assistant | Three.  |       |
        | user      | Four?   |       |
      When the agent runs
      Then call 1 of the model "model" does not tell "two"
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant | Three.  |       |
        | user      | Four?   |       |

    Scenario: In the middle of the agent's work
      Given a summarization triggered by {"messages": 4}
      And the summarization keeps the last message
      And the tools
        | name | returns      |
        | t1   | first/second |
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model summarizer" happens once
      And call 3 of the model "model" does not tell "first"
      And call 3 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | second  |       |
