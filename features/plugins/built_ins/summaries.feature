Feature: Summaries
  A summary takes the place of the older messages of a conversation. The
  latest messages remain after the summary, so that the model knows the
  current step. The number of these messages to keep is an option. A tool call
  remains with its result. The execution trace is a record of the run outside
  the conversation, with an entry for each summary.

  @XP-SUM-08 @documented
  Rule: A summarization replaces the older messages of the conversation by a summary

    Scenario: The first model call after a summary
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
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
      Then call 1 of the model "model" contains "the notes"
      And call 1 of the model "model" does not contain "One?"
      And call 1 of the model "model" does not contain "Two."
      And call 1 of the model "model" does not contain "Three?"

    Scenario: A later model call after a summary
      Given a summarization with the limit {"messages": 6}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
        | assistant | Six.    |
        | user      | Seven?  |
      When the agent runs
      Then call 2 of the model "model" contains "the notes"
      And call 2 of the model "model" does not contain "One?"
      And call 2 of the model "model" does not contain "Three?"

    Scenario: A short conversation
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        One?
        Two.
        """
      And call 1 of the model "model" does not contain "the notes"

    Scenario: A second summary in one run
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text            |
        | the notes       |
        | the later notes |
        | the last notes  |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      When the agent runs
      Then call 2 of the model "summarizer" contains "the notes"

    Scenario: The older messages contain no user message
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | assistant | One.    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then call 1 of the model "model" contains "the notes"
      And call 1 of the model "model" does not contain "Two."

    Scenario: The only older message quotes the words with which summaries begin
      Given a summarization with the limit {"messages": 1}
      And the summarization keeps the last message
      And the summaries begin with "In short:"
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role | content                 |
        | user | Explain "In short:" One |
        | user | Two?                    |
      When the agent runs
      Then call 1 of the model "model" contains "the notes"
      And call 1 of the model "model" does not contain "One"

    Scenario: The latest message equals an older message
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | Go on.  |
        | assistant | Two.    |
        | user      | Go on.  |
        | assistant | Four.   |
        | user      | Go on.  |
      When the agent runs
      Then call 1 of the model "model" contains, in this order
        """
        the notes
        Go on.
        """
      And call 1 of the model "model" does not contain "Four."

  @XP-SUM-11 @clarified
  Rule: A summary is a user message at the start of the conversation: the prefix, a blank line and the stripped model answer

    Scenario Outline: An answer of the model with <what>
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the summaries begin with "In short:"
      And the model of the summarization answers
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
        | what                     | text                        | summary                     |
        | no white space around it | the notes                   | the notes                   |
        | white space around it    | \n\n the notes \n           | the notes                   |
        | a blank line in it       | the notes\n\nand more notes | the notes\n\nand more notes |

    Scenario: The events of a run with a summary
      Given a summarization with the limit {"messages": 2}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text      |
        | the notes |
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
      When the agent runs
      Then the events are
        | event   | content |
        | message | done    |
