Feature: Limits that a summarization rejects
  The limit of a summarization is a number of messages, a number of tokens or a fraction of the context size of the
  model. A limit that means nothing is a mistake, which building the agent reports.

  @XP-SUM-03 @clarified
  Rule: A summarization limit with no number or with numbers of two kinds is rejected

    Scenario Outline: The kinds in <limit>
      Given a model with a context size of 60 tokens
      And a summarization with the limit <limit>
      When the agent runs
      Then building the agent fails, or the run fails before any model call

      Examples: two kinds
        | limit                                          |
        | {"messages": 4, "tokens": 20}                  |
        | {"messages": 4, "fraction": 0.5}               |
        | {"messages": 4, "tokens": 20, "fraction": 0.5} |

      Examples: no kind
        | limit |
        | {}    |

    Scenario: A number of tokens next to a fraction
      Given a model with a context size of 60 tokens
      And a summarization with the limit {"fraction": 0.5, "tokens": 20}
      When the agent runs
      Then the final answer is "done"

  @XP-SUM-07 @clarified
  Rule: A summarization limit is rejected unless it is a fraction above 0 and up to 1 or a whole number above 0

    Scenario Outline: The limit <limit>
      Given a model with a context size of 60 tokens
      And a summarization with the limit <limit>
      When the agent runs
      Then building the agent fails, or the run fails before any model call

      Examples: fractions
        | limit              |
        | {"fraction": 0}    |
        | {"fraction": 1.5}  |
        | {"fraction": -0.5} |

      Examples: messages
        | limit             |
        | {"messages": 0}   |
        | {"messages": 2.5} |
        | {"messages": -1}  |

      Examples: tokens
        | limit           |
        | {"tokens": 0}   |
        | {"tokens": -20} |

    Scenario Outline: The boundary <limit>
      Given a model with a context size of 60 tokens
      And a summarization with the limit <limit>
      When the agent runs
      Then the final answer is "done"

      Examples: valid boundaries
        | limit           |
        | {"fraction": 1} |
        | {"messages": 1} |
        | {"tokens": 1}   |

  @PLUGIN-39 @clarified
  Rule: A summarization with only a fraction of an unknown context size either has a fallback or cannot be built

    Scenario: The model has no profile
      Given the token counter counts 1000000 tokens per word
      And a summarization with the limit {"fraction": 0.5}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then either building the agent fails because the options are invalid, or the model "summarizer" is called once

    Scenario: The model has a profile
      Given a model with a context size of 100 tokens
      And a summarization with the limit {"fraction": 0.5}
      When the agent runs
      Then the run succeeds
      And the model is called once

  @PLUGIN-48 @clarified
  Rule: Building an agent with a summarization fails if neither the agent nor the summarization has a model

    Scenario: Neither the summarization nor the agent has a model
      Given an agent without a model
      And a summarization with the limit {"tokens": 10}
      And the summarization has no model of its own
      When the agent runs
      Then building the agent fails because the options are invalid

    Scenario: The agent has a model
      Given a summarization with the limit {"tokens": 10}
      And the summarization has no model of its own
      When the agent runs
      Then the run succeeds
      And the model is called once

  @XP-BEST-07 @clarified
  Rule: A summarization ignores a number of tokens next to a fraction of a known context size

    Scenario Outline: Twelve words, half of <size> tokens and <tokens> tokens next to the fraction
      Given a model with a context size of <size> tokens
      And a summarization with the limit {"fraction": 0.5, "tokens": <tokens>}
      And the summarization keeps the last message
      And the conversation
        | role      | content                      |
        | user      | one two three four five six  |
        | assistant | seven                        |
        | user      | eight nine ten eleven twelve |
      When the agent runs
      Then the final answer is "done"
      And "model summarizer" <is called>

      Examples: longer than the fraction, shorter than the number
        | size | tokens | is called      |
        | 20   | 30     | is called once |

      Examples: shorter than the fraction, longer than the number
        | size | tokens | is called       |
        | 40   | 5      | is never called |
