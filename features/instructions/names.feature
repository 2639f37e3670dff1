Feature: The names of instruction files
  Each tool has a list of file names, and reads no other file. A project that is opened with several tools needs a name
  that all of them know, or one file for each tool. A name with a slash has a folder of its own, next to the other files
  of the tool.

  A rule lists the names in the order that counts if the tool loads one file of a folder.

  Letters have a case: on a file system that distinguishes "AGENTS.md" and "agents.md", most tools read one of the two.

  {global} stands for the place of the tool's global file, below the home folder.

  @INS-NAMES-01 @clarified @axis:names=agents
  Rule: In a dialect with names=agents, the only name of instruction files is "AGENTS.md"

    Scenario: The only file has the one name
      Given the Git repository "project"
      And the workspace file "project/AGENTS.md"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

    Scenario: Files with the names of other tools, below the one name
      Given the Git repository "project"
      And the workspace file "project/AGENTS.md"
      And the workspace files "project/a/AGENTS.override.md", "project/a/agents.md", "project/a/CLAUDE.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

  @INS-NAMES-02 @clarified @axis:names=override-agents
  Rule: In a dialect with names=override-agents, the names of instruction files are "AGENTS.override.md" and "AGENTS.md"

    Scenario Outline: The only file is <file> of a list of two names
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file               |
        | AGENTS.override.md |
        | AGENTS.md          |

    Scenario: Files with the names of other tools, below AGENTS.md or its override
      Given the Git repository "project"
      And the workspace file "project/AGENTS.md"
      And the workspace files "project/a/agents.md", "project/a/AGENT.md", "project/a/CLAUDE.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

  @INS-NAMES-03 @clarified @axis:names=override-agents-claude
  Rule: In a dialect with names=override-agents-claude, the names of instruction files are "AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md" and "CLAUDE.MD"

    Scenario Outline: The only file is <file> of a list of five names
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file               |
        | AGENTS.override.md |
        | AGENTS.md          |
        | AGENTS.MD          |
        | CLAUDE.md          |
        | CLAUDE.MD          |

    Scenario: Files with the names of other tools, below CLAUDE.md
      Given the Git repository "project"
      And the workspace file "project/CLAUDE.md"
      And the workspace files "project/a/agents.md", "project/a/CLAUDE.local.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/CLAUDE.md"

    @axis:selection=first-in-folder
    Scenario Outline: Files <earlier> and <later> in one folder
      Given the Git repository "project"
      And the workspace files "project/<later>", "project/<earlier>"
      When the tool reads the workspace
      Then the only loaded file is "project/<earlier>"

      Examples: two names that follow each other in the list
        | earlier            | later     |
        | AGENTS.override.md | AGENTS.md |
        | AGENTS.md          | AGENTS.MD |
        | AGENTS.MD          | CLAUDE.md |
        | CLAUDE.md          | CLAUDE.MD |

  @INS-NAMES-04 @clarified @axis:names=agents-claude
  Rule: In a dialect with names=agents-claude, the names of instruction files are "AGENTS.md" and "CLAUDE.md"

    Scenario Outline: The only file is <file> of the list of AGENTS.md and CLAUDE.md
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file      |
        | AGENTS.md |
        | CLAUDE.md |

    Scenario: Files with the names of other tools, below CLAUDE.md of a list of two names
      Given the Git repository "project"
      And the workspace file "project/CLAUDE.md"
      And the workspace files "project/a/AGENTS.override.md", "project/a/agents.md", "project/a/CONTEXT.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/CLAUDE.md"

    Scenario: A global file, and a project with a file CONTEXT.md
      Given the Git repository "project"
      And the workspace files "home/{global}", "project/CONTEXT.md"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

  @INS-NAMES-05 @clarified @axis:names=agents-claude-context
  Rule: In a dialect with names=agents-claude-context, the names of instruction files are "AGENTS.md", "CLAUDE.md" and "CONTEXT.md"

    Scenario Outline: The only file is <file> of a list of three names
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file       |
        | AGENTS.md  |
        | CLAUDE.md  |
        | CONTEXT.md |

    Scenario: Files with the names of other tools, below CONTEXT.md
      Given the Git repository "project"
      And the workspace file "project/CONTEXT.md"
      And the workspace files "project/a/AGENTS.override.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/CONTEXT.md"

    @axis:selection=one-name-per-project
    Scenario: A file CLAUDE.md above a file CONTEXT.md
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/a/CONTEXT.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/CLAUDE.md"

  @INS-NAMES-06 @clarified @axis:names=gemini
  Rule: In a dialect with names=gemini, the only name of instruction files is "GEMINI.md"

    Scenario: The only file is GEMINI.md
      Given the Git repository "project"
      And the workspace file "project/GEMINI.md"
      When the tool reads the workspace
      Then the only loaded file is "project/GEMINI.md"

    Scenario: Files with the names of other tools, below GEMINI.md
      Given the Git repository "project"
      And the workspace file "project/GEMINI.md"
      And the workspace files "project/a/AGENTS.md", "project/a/CLAUDE.md", "project/a/gemini.md", "project/a/QWEN.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/GEMINI.md"

  @INS-NAMES-07 @clarified @axis:names=qwen-agents
  Rule: In a dialect with names=qwen-agents, the names of instruction files are "QWEN.md" and "AGENTS.md"

    Scenario Outline: The only file is <file> of QWEN.md and AGENTS.md
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file      |
        | QWEN.md   |
        | AGENTS.md |

    Scenario: Files with the names of other tools, below QWEN.md
      Given the Git repository "project"
      And the workspace file "project/QWEN.md"
      And the workspace files "project/a/CLAUDE.md", "project/a/GEMINI.md", "project/a/CONTEXT.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/QWEN.md"

  @INS-NAMES-08 @clarified @axis:names=kimi-agents
  Rule: In a dialect with names=kimi-agents, the names of instruction files are ".kimi/AGENTS.md", "AGENTS.md" and "agents.md"

    Scenario Outline: The only file is <file> of a list with a folder
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file            |
        | .kimi/AGENTS.md |
        | AGENTS.md       |
        | agents.md       |

    Scenario: Files with the names of other tools, below .kimi/AGENTS.md
      Given the Git repository "project"
      And the workspace file "project/.kimi/AGENTS.md"
      And the workspace files "project/a/.codex/AGENTS.md", "project/a/AGENT.md", "project/a/CLAUDE.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/.kimi/AGENTS.md"

    Scenario: Files .kimi/AGENTS.md and AGENTS.md in one folder
      Given the Git repository "project"
      And the workspace files "project/.kimi/AGENTS.md", "project/AGENTS.md"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/.kimi/AGENTS.md", "project/AGENTS.md"

  @INS-NAMES-09 @clarified @axis:names=claude-or-agents
  Rule: In a dialect with names=claude-or-agents, the names of instruction files are "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md" and ".claude/AGENTS.md"

    Scenario Outline: The only file is <file> of two families of names
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file              |
        | CLAUDE.md         |
        | .claude/CLAUDE.md |
        | CLAUDE.local.md   |
        | AGENTS.md         |
        | .claude/AGENTS.md |

    Scenario: Files with the names of other tools, below the file of a family
      Given the Git repository "project"
      And the workspace file "project/CLAUDE.md"
      And the workspace files "project/a/AGENT.md", "project/a/CONTEXT.md", "project/a/GEMINI.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/CLAUDE.md"

    Scenario: All files of the first family in one folder
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/.claude/CLAUDE.md", "project/CLAUDE.local.md"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/CLAUDE.md", "project/.claude/CLAUDE.md", "project/CLAUDE.local.md"

  @INS-NAMES-22 @clarified @axis:names=copilot
  Rule: In a dialect with names=copilot, the names of instruction files are ".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md" and "GEMINI.md" in any letter case, also ".claude/CLAUDE.md" between the root and the working directory

    Scenario Outline: The only file is <file> of a list in any letter case
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file                            |
        | .github/copilot-instructions.md |
        | AGENTS.md                       |
        | CLAUDE.md                       |
        | GEMINI.md                       |
        | agents.md                       |
        | Claude.MD                       |

    Scenario: A file AGENTS.md, and the same name in small letters
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/agents.md"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

    Scenario: Files .claude/CLAUDE.md at the root, in the working directory and between them
      Given the Git repository "project"
      And the workspace files "project/.claude/CLAUDE.md", "project/a/.claude/CLAUDE.md", "project/a/b/.claude/CLAUDE.md"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the only loaded file is "project/a/.claude/CLAUDE.md"

    Scenario: Files with the names of other tools, below a file of a list in any letter case
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/a/AGENTS.override.md", "project/a/CLAUDE.local.md"
      And the workspace files "project/a/AGENT.md", "project/a/CONTEXT.md", "project/a/copilot-instructions.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

  @INS-NAMES-24 @clarified @axis:names=agents-agent-claude-codex
  Rule: In a dialect with names=agents-agent-claude-codex, the names of instruction files are "AGENTS.md", "AGENT.md", "CLAUDE.md" and "CODEX.md"

    Scenario Outline: The only file is <file> of a list of four names
      Given the Git repository "project"
      And the workspace file "project/<file>"
      When the tool reads the workspace
      Then the only loaded file is "project/<file>"

      Examples: names of the list
        | file      |
        | AGENTS.md |
        | AGENT.md  |
        | CLAUDE.md |
        | CODEX.md  |

    Scenario Outline: Files <earlier> and <later> in the working directory
      Given the Git repository "project"
      And the workspace files "project/<later>", "project/<earlier>"
      When the tool reads the workspace
      Then the only loaded file is "project/<earlier>"

      Examples: two names that follow each other in the list
        | earlier   | later     |
        | AGENTS.md | AGENT.md  |
        | AGENT.md  | CLAUDE.md |
        | CLAUDE.md | CODEX.md  |

    Scenario: Files with the names of other tools, and no file of a list of four names
      Given the Git repository "project"
      And the workspace files "project/agents.md", "project/CLAUDE.local.md", "project/CONTEXT.md", "project/GEMINI.md"
      When the tool reads the workspace
      Then no file is loaded

  @INS-NAMES-26 @clarified @axis:names=claude-agents @axis:selection=every-name
  Rule: In a dialect with names=claude-agents, the names of instruction files are "CLAUDE.md" and "AGENTS.md", in this order

    Scenario: Files of both names of a list
      Given the workspace files "project/AGENTS.md", "project/CLAUDE.md"
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md", "project/AGENTS.md"

    Scenario: Files with the names of other tools, and no file of a list of these two names
      Given the workspace files "project/agents.md", "project/CLAUDE.local.md", "project/AGENT.md", "project/GEMINI.md"
      When the tool reads the workspace
      Then no file is loaded
