Feature: Configuration of the AgentsMD middleware
  The AgentsMD middleware needs a backend to read from and a list of instruction
  files. A byte limit and a callback for warnings are optional. An invalid
  configuration is reported when the middleware is created, before any file is
  read. If creating the middleware reads a file nevertheless, rules about one load
  do not count that read.

  An agent works with plain messages or with agentic messages. An agentic message
  consists of content blocks.

  @AMD-CFG-01 @documented
  Rule: Creating the AgentsMD middleware fails without a configuration

    Scenario: No configuration
      Given no configuration
      When the AgentsMD middleware is created
      Then creating the middleware fails

    Scenario: A configuration with a backend and a file
      Given the configured file "/project/agents.md"
      When the AgentsMD middleware is created
      Then creating the middleware succeeds

  @AMD-CFG-02 @documented
  Rule: Creating the AgentsMD middleware fails without a backend

    Scenario: A list of files without a backend
      Given the configured file "/project/agents.md"
      And no backend
      When the AgentsMD middleware is created
      Then creating the middleware fails

    Scenario: A list of files with a backend
      Given the configured files "/project/agents.md", "/project/more.md"
      When the AgentsMD middleware is created
      Then creating the middleware succeeds

  @AMD-CFG-03 @documented
  Rule: Creating the AgentsMD middleware fails without at least one file path

    Scenario: No list of files
      Given no list of files
      When the AgentsMD middleware is created
      Then creating the middleware fails

    Scenario: An empty list of files
      Given an empty list of files
      When the AgentsMD middleware is created
      Then creating the middleware fails

    Scenario: A list of one file
      Given the configured file "/project/rules.md"
      When the AgentsMD middleware is created
      Then creating the middleware succeeds

  @AMD-CFG-04 @documented
  Rule: Creating the AgentsMD middleware fails with a negative byte limit

    Scenario Outline: A limit of <limit> bytes
      Given the configured file "/project/agents.md"
      And a byte limit of <limit>
      When the AgentsMD middleware is created
      Then creating the middleware fails

      Examples: just below zero and far below zero
        | limit |
        | -1    |
        | -5000 |

    Scenario: A limit of 1 byte
      Given the configured file "/project/agents.md"
      And a byte limit of 1
      When the AgentsMD middleware is created
      Then creating the middleware succeeds

  @AMD-CFG-05 @derived
  Rule: Creating the AgentsMD middleware succeeds with a byte limit of zero

    Scenario: A limit of 0 bytes
      Given the configured file "/project/agents.md"
      And a byte limit of 0
      When the AgentsMD middleware is created
      Then creating the middleware succeeds

    Scenario: A run with a limit of 0 bytes
      Given the configured file "/project/agents.md"
      And the file "/project/agents.md" containing "Answer in French."
      And a byte limit of 0
      When the agent runs
      Then the run succeeds
      And "/project/agents.md" is read at least once

  @AMD-CFG-06 @clarified
  Rule: Creating the AgentsMD middleware reads no file

    Scenario: A readable file
      Given the instruction file "/project/agents.md"
        """
        Answer in French.
        """
      When the AgentsMD middleware is created
      Then creating the middleware succeeds
      And no file is read

    Scenario: A file without read permission
      Given the instruction file "/project/agents.md"
        """
        Answer in French.
        """
      And reading "/project/agents.md" fails with a permission error
      When the AgentsMD middleware is created
      Then creating the middleware succeeds
      And no file is read

    Scenario: A file that a run reads
      Given the configured file "/project/agents.md"
      And the file "/project/agents.md" containing "Answer in French."
      When the agent runs
      Then "/project/agents.md" is read at least once

  @AMD-CFG-09 @documented
  Rule: The AgentsMD middleware supports both plain and agentic messages

    Scenario Outline: A conversation of <type> messages
      Given the instruction file "/project/agents.md"
        """
        Answer in French.
        """
      And a conversation of <type> messages
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then every model call contains the instructions once
      And the instructions directly precede "What is 2 + 2?"

      Examples:
        | type    |
        | plain   |
        | agentic |

  @AMD-CFG-10 @documented
  Rule: The AgentsMD middleware requires only a backend and a list of files

    Scenario: No byte limit and no warning callback
      Given the instruction file "/project/agents.md"
        """
        Answer in French.
        """
      And no warning callback
      When the agent runs
      Then the run succeeds
      And every model call contains the instructions once
