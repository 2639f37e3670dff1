Feature: When a conversation is summarized
  A model has a limited context size, and a conversation grows with every
  answer and every tool result. The summarization middleware checks the length
  of the conversation against a limit. At the limit, a model writes a
  summary, and the summary replaces the older messages. A limit is a number of
  messages, a number of tokens or a fraction of the context size. The profile
  of a model contains its context size; without a profile, the size is unknown.
  The token counter of the examples counts one token for each word.

  @XP-SUM-01 @documented
  Rule: The summarization checks the length of the conversation before each model call

    Scenario: A conversation that becomes too long during the run
      Given a middleware "A" that, before model, adds the user message "Go on."
      And a summarization with the limit {"messages": 3}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text            |
        | the notes       |
        | the later notes |
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then the trace has, in this order
        """
        model
        model summarizer
        model
        model summarizer
        model
        """
      And "model summarizer" is called 2 times
      And call 2 of the model "model" contains "the notes"
      And call 3 of the model "model" contains "the later notes"

    Scenario: A conversation that is too long before the run
      Given a summarization with the limit {"messages": 4}
      And the summarization keeps the last message
      And the conversation
        | role      | content |
        | user      | One?    |
        | assistant | Two.    |
        | user      | Three?  |
        | assistant | Four.   |
        | user      | Five?   |
      When the agent runs
      Then the trace has, in this order
        """
        model summarizer
        model
        """
      And "model summarizer" is called once
      And "model" is called once

    Scenario: A conversation that stays short
      Given a summarization with the limit {"messages": 20}
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 2 times before it answers "done"
      When the agent runs
      Then "model" is called 3 times
      And "model summarizer" is never called

    Scenario: An agentic conversation that becomes too long twice
      Given a streaming run
      And the messages are agentic
      And a middleware "A" that, before model, adds the user message "Weiter"
      And a summarization with the limit {"messages": 5}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text   |
        | Erstes |
        | Zweites |
      And the tools
        | name | returns |
        | t1   |         |
      And a model that answers
        | text | calls                                                |
        |      | t1({"city": "Köln"}) as a, t1({"city": "Bonn"}) as b |
        |      | t1({"city": "Köln"}) as c, t1({"city": "Bonn"}) as d |
        | done |                                                      |
      When the agent runs
      Then "model summarizer" is called 2 times
      And call 2 of the model "model" contains "Erstes"
      And call 3 of the model "model" contains "Zweites"

  @XP-SUM-02 @documented
  Rule: The limit of a summarization is a number of messages, a number of tokens or a fraction of the context size

    Scenario Outline: Many short messages and the limit <limit>
      Given a model with a context size of 60 tokens
      And a summarization with the limit <limit>
      And the summarization keeps the last message
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
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: too many messages
        | limit           | is called      |
        | {"messages": 5} | is called once |

      Examples: few tokens
        | limit             | is called       |
        | {"tokens": 20}    | is never called |
        | {"fraction": 0.3} | is never called |

    Scenario Outline: Few long messages and the limit <limit>
      Given a model with a context size of 60 tokens
      And a summarization with the limit <limit>
      And the summarization keeps the last message
      And the conversation
        | role      | content                                                                      |
        | user      | Which of the four ways over the pass is open in May?                         |
        | assistant | The eastern one is, from the second week on, and the old road in a dry year. |
        | user      | Then we take it.                                                             |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: few messages
        | limit           | is called       |
        | {"messages": 5} | is never called |

      Examples: too many tokens
        | limit             | is called      |
        | {"tokens": 20}    | is called once |
        | {"fraction": 0.3} | is called once |

  @XP-SUM-04 @clarified
  Rule: A conversation that is exactly as long as the limit is summarized

    Scenario Outline: Three messages of fourteen words and the limit <limit>
      Given a model with a context size of 50 tokens
      And a summarization with the limit <limit>
      And the summarization keeps the last message
      And the conversation
        | role      | content                                        |
        | user      | one two three four five six                    |
        | assistant | seven                                          |
        | user      | eight nine ten eleven twelve thirteen fourteen |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: exactly as long
        | limit              | is called      |
        | {"messages": 3}    | is called once |
        | {"tokens": 14}     | is called once |
        | {"fraction": 0.28} | is called once |

      Examples: just too short
        | limit              | is called       |
        | {"messages": 4}    | is never called |
        | {"tokens": 15}     | is never called |
        | {"fraction": 0.29} | is never called |

  @XP-SUM-05 @clarified
  Rule: A summarization without a limit never summarizes

    Scenario: A conversation that exceeds the context size
      Given a model with a context size of 5 tokens
      And a summarization without a limit
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then "model summarizer" is never called
      And model call 1 receives
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |

    Scenario: A model without a profile
      Given a summarization without a limit
      And the summarization keeps the last message
      And a tool "t1" that returns "ok"
      And a model that calls "t1" 4 times before it answers "done"
      When the agent runs
      Then "model" is called 5 times
      And "model summarizer" is never called

  @XP-SUM-13 @documented
  Rule: A fraction as summarization limit is relative to the context size in the model profile

    Scenario Outline: Twelve words and the fraction <fraction> of <size> tokens
      Given a model with a context size of <size> tokens
      And a summarization with the limit {"fraction": <fraction>}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: longer than the limit
        | fraction | size | is called      |
        | 0.5      | 20   | is called once |
        | 0.2      | 40   | is called once |

      Examples: shorter than the limit
        | fraction | size | is called       |
        | 0.5      | 40   | is never called |
        | 0.8      | 20   | is never called |

    Scenario: 12 million tokens and a fraction of 40 million tokens
      Given the token counter counts 1000000 tokens per word
      And a model with a context size of 40000000 tokens
      And a summarization with the limit {"fraction": 0.5}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" is never called

  @XP-SUM-14 @documented
  Rule: A fraction as summarization limit falls back to a number of tokens if the context size is unknown

    Scenario Outline: A conversation of <size> tokens and a model without a profile
      Given the token counter counts <weight> tokens per word
      And a summarization with the limit {"fraction": 0.5, "tokens": 1000}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: longer than any limit
        | size       | weight  | is called      |
        | 12 million | 1000000 | is called once |

      Examples: shorter than any limit
        | size | weight | is called       |
        | 12   | 1      | is never called |

  @XP-SUM-24 @clarified
  Rule: A number of tokens next to a fraction is the summarization limit for an unknown context size

    Scenario Outline: Twelve words, a model without a profile and <tokens> tokens next to the fraction
      Given a summarization with the limit {"fraction": 0.5, "tokens": <tokens>}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: longer than the number of tokens
        | tokens | is called      |
        | 10     | is called once |

      Examples: shorter than the number of tokens
        | tokens | is called       |
        | 20     | is never called |

  @PLUGIN-38 @clarified
  Rule: Without a token counter, a summarization estimates roughly one token for each word, those of tool calls and results included

    Scenario Outline: <what> with a limit of 30 tokens and no token counter
      Given a summarization with the limit {"tokens": 30}
      And the summarization keeps the last message
      And the summarization has no token counter
      And the conversation
        | role      | content   |
        | user      | <content> |
        | assistant | Well.     |
        | user      | And?      |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: below and above the limit
        | what          | content                                                                                                                                                                    | is called       |
        | One word      | Hello                                                                                                                                                                      | is never called |
        | Sixty numbers | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 | is called once  |

    Scenario Outline: Sixty numbers are the result of a tool that is <tool>, in <kind> messages, with a limit of 30 tokens
      Given the messages are <kind>
      And a summarization with the limit {"tokens": 30}
      And the summarization keeps the last message
      And the summarization has no token counter
      And the tools
        | name | kind   | returns   | parts     |
        | t1   | <tool> | <numbers> | <numbers> |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" is called once

      Examples:
        | kind    | tool               | numbers                                                                                                                                                                    |
        | plain   | invokable          | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 |
        | agentic | invokable          | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 |
        | plain   | enhanced invokable | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 |
        | agentic | enhanced invokable | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 |

    Scenario: Two tool calls in one answer with sixty numbers, and a limit of 30 tokens
      Given a summarization with the limit {"tokens": 30}
      And the summarization keeps the last message
      And the summarization has no token counter
      And a tool "t1" that returns "ok"
      And a model that answers
        | calls                                                                                                                                                                                                 | text |
        | t1({"a": "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"}), t1({"a": "32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60"}) |      |
        |                                                                                                                                                                                                       | done |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" is called once
