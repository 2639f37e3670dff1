Feature: The messages that a summarization keeps
  A summary takes the place of the older messages of a conversation, and the latest messages remain after the summary.
  The number of these messages is an option. A tool call remains with its result.

  @XP-SUM-09 @clarified
  Rule: A summarization keeps the last 20 messages by default

    Scenario: The default number
      Given a summarization with the limit {"messages": 10}
      And the model of the summarization answers
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
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        letter D
        letter W
        """
      And call 1 of the model "model" does not contain "letter C"

    Scenario: A configured number
      Given a summarization with the limit {"messages": 3}
      And the summarization keeps 2 messages
      And the model of the summarization answers
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
      Then call 1 of the model "model" does not contain "Three?"
      And call 1 of the model "model" ends with
        | role      | content |
        | assistant | Four.   |
        | user      | Five?   |

  @XP-SUM-18 @clarified
  Rule: A summarization that keeps zero messages leaves only the summary

    Scenario: Three messages
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps 0 messages
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" contains "the notes"
      And call 1 of the model "model" does not contain "One?"
      And call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" does not contain "Three?"

  @XP-SUM-10 @clarified
  Rule: A summarization that keeps all messages of a conversation does not change the conversation

    Scenario Outline: Three messages, a limit of two and <count> messages to keep
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps <count> messages
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" is never called
      And model call 1 receives
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |

      Examples: all messages
        | count |
        | 3     |
        | 9     |

    Scenario: No message and a limit of one
      Given a summarization with the limit {"messages": 1}
      And an empty conversation
      When the agent runs
      Then "model summarizer" is never called
      And the final answer is "done"

    Scenario: Three messages, a limit of two and 2 messages to keep
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps 2 messages
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then "model summarizer" is called once

  @XP-SUM-12 @clarified
  Rule: A summarization keeps a tool call if the result of the call is one of the messages to keep

    Scenario: The cut is between a call and its result
      Given a summarization with the limit {"messages": 5}
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
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | four    |       |
        | assistant | Five.   |       |
        | user      | Six?    |       |

    Scenario: The cut is after a result
      Given a summarization with the limit {"messages": 4}
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
      Then call 1 of the model "model" does not contain "two"
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant | Three.  |       |
        | user      | Four?   |       |

    Scenario: The cut is between two results of one answer
      Given a summarization with the limit {"messages": 5}
      And the summarization keeps 2 messages
      And the tools t1, t2
      And the conversation
        | role      | content | calls  |
        | user      | One?    |        |
        | assistant | Two.    |        |
        | assistant |         | t1, t2 |
        | tool      | four    |        |
        | tool      | five    |        |
        | user      | Six?    |        |
      When the agent runs
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls  |
        | assistant |         | t1, t2 |
        | tool      | four    |        |
        | tool      | five    |        |
        | user      | Six?    |        |

    Scenario Outline: The cut is <place> a message between a call and its result
      Given a summarization with the limit {"messages": 5}
      And the summarization keeps <number> messages
      And the tools t1
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
        | user      | Four?   |       |
        | tool      | five    |       |
        | user      | Six?    |       |
      When the agent runs
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | user      | Four?   |       |
        | tool      | five    |       |
        | user      | Six?    |       |

      Examples:
        | place  | number |
        | after  | 2      |
        | before | 3      |

    Scenario: The results of two answers follow both answers
      Given a summarization with the limit {"messages": 6}
      And the summarization keeps 3 messages
      And the tools t1, t2
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
        | assistant |         | t2    |
        | tool      | five    |       |
        | tool      | six     |       |
        | user      | Seven?  |       |
      When the agent runs
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | assistant |         | t2    |
        | tool      | five    |       |
        | tool      | six     |       |
        | user      | Seven?  |       |

    Scenario: The cut is between the results of two answers
      Given a summarization with the limit {"messages": 6}
      And the summarization keeps 2 messages
      And the tools t1, t2
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
        | assistant |         | t2    |
        | tool      | five    |       |
        | tool      | six     |       |
        | user      | Seven?  |       |
      When the agent runs
      Then call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | assistant |         | t2    |
        | tool      | five    |       |
        | tool      | six     |       |
        | user      | Seven?  |       |

    Scenario: A summary after the second of two tool calls
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the tools
        | name | returns      |
        | t1   | first/second |
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model summarizer" is called once
      And call 3 of the model "model" does not contain "first"
      And call 3 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | second  |       |

    Scenario: A summary after the second of two tool calls with one id
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the tools
        | name | returns      |
        | t1   | first/second |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        | t1 as a |      |
        |         | done |
      When the agent runs
      Then "model summarizer" is called once
      And call 3 of the model "model" does not contain "first"
      And call 3 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | second  |       |

  @PLUGIN-33 @clarified
  Rule: A summarization replaces an agentic tool call only together with its result

    Scenario: The cut is between an agentic call and its result
      Given the messages are agentic
      And a summarization with the limit {"messages": 4}
      And the summarization keeps 2 messages
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
        | tool      | four    |       |
        | user      | Five?   |       |
      When the agent runs
      Then call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" ends with
        | role      | content | calls |
        | assistant |         | t1    |
        | tool      | four    |       |
        | user      | Five?   |       |

    Scenario: An agentic call without a result
      Given the messages are agentic
      And a summarization with the limit {"messages": 3}
      And the summarization keeps 0 messages
      And a middleware "pilot" that, before model call 1, jumps to "tools"
      And a tool "t1" that returns "ok"
      And the conversation
        | role      | content | calls |
        | user      | One?    |       |
        | assistant | Two.    |       |
        | assistant |         | t1    |
      When the agent runs
      Then the tool "t1" runs once
      And the final answer is "done"
