Feature: Configuring the handler
  An AgentsMD handler is told where to read, which files to begin with and, if
  wanted, how many bytes it may load and who hears its warnings. What is wrong
  with that is said when the handler is created, before anything is read.

  @AMD-CFG-01 @documented
  Rule: A handler without any configuration is refused

    Scenario: No configuration at all
      Given no configuration
      When the handler is created
      Then creating it is refused

  @AMD-CFG-02 @documented
  Rule: A configuration without a backend is refused

    Scenario: A list of files and nothing to read them from
      Given the configured files "/project/agents.md"
      And no backend
      When the handler is created
      Then creating it is refused

  @AMD-CFG-03 @documented
  Rule: A configuration without a file is refused

    Scenario: No list of files
      Given no list of files
      When the handler is created
      Then creating it is refused

    Scenario: An empty list of files
      Given the configured files nothing
      When the handler is created
      Then creating it is refused

  @AMD-CFG-04 @documented
  Rule: A byte limit below zero is refused

    Scenario Outline: A limit of <limit> bytes
      Given the configured files "/project/agents.md"
      And a byte limit of <limit>
      When the handler is created
      Then creating it is refused

      Examples: just below, and far below
        | limit |
        | -1    |
        | -5000 |

  @AMD-CFG-05 @documented
  Rule: A byte limit of zero is accepted

    Scenario: A limit of 0 bytes
      Given the configured files "/project/agents.md"
      And a byte limit of 0
      When the handler is created
      Then it is created

  @AMD-CFG-06 @clarified
  Rule: Creating a handler reads nothing

    Scenario: A file that could be read
      Given the instructions file "/project/agents.md"
        """
        Answer in French.
        """
      When the handler is created
      Then it is created
      And nothing is read

    Scenario: A file that nobody may read
      Given the instructions file "/project/agents.md"
        """
        Answer in French.
        """
      And reading "/project/agents.md" fails with a permission error
      When the handler is created
      Then it is created
      And nothing is read

  @AMD-CFG-09 @documented
  Rule: A handler serves plain and agentic messages alike

    Scenario Outline: A conversation of <type> messages
      Given the instructions file "/project/agents.md"
        """
        Answer in French.
        """
      And a conversation of <type> messages
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then every model call carries the instructions once
      And the instructions stand directly before "What is 2 + 2?"

      Examples:
        | type    |
        | plain   |
        | agentic |

  @AMD-CFG-10 @documented
  Rule: A backend and a list of files are all a handler needs

    Scenario: Neither a limit nor anybody to take warnings
      Given the instructions file "/project/agents.md"
        """
        Answer in French.
        """
      And nobody takes the warnings
      When the agent runs
      Then the run succeeds
      And every model call carries the instructions once
