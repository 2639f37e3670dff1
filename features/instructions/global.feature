Feature: The global file
  A user can have one instruction file for all projects, in the home folder. Each tool has its own place for the file, and
  reads no place of another tool: what a user writes once reaches one tool.

  A model receives the global file in front of the files of the project, so a sentence of the project follows the sentence
  of the user that contradicts it. A user who starts a tool in the folder of the global file, to edit the file, meets the
  file twice: as the global file, and as a file of the working directory.

  The home folder is "home" here, and {global} is the place of the global file in the dialect of the tool.

  @INS-GLOBAL-01 @clarified @axis:global-file=none
  Rule: No file of the home folder is loaded

    Scenario Outline: A file <other> of the home folder, which no tool of the dialect reads
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of several tools
        | other                      |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .pi/agent/AGENTS.md        |
        | .config/opencode/AGENTS.md |
        | .gemini/GEMINI.md          |
        | .qwen/QWEN.md              |
        | .kimi/AGENTS.md            |
        | .claude/CLAUDE.md          |

  @INS-GLOBAL-02 @clarified @axis:global-file=override-agents
  Rule: The global file is "AGENTS.override.md" or "AGENTS.md" in the folder ".codex" of the home folder

    Scenario Outline: A file <place> of the home folder, next to a file of a project
      Given the Git repository "project"
      And the workspace files "home/<place>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<place>", "project/{name}"

      Examples: places of the tool
        | place                     |
        | .codex/AGENTS.override.md |
        | .codex/AGENTS.md          |

    Scenario Outline: A file <other> of the home folder, which is no global file of ".codex"
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | .codex/CLAUDE.md           |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .pi/agent/AGENTS.md        |
        | .config/opencode/AGENTS.md |
        | .gemini/GEMINI.md          |
        | .qwen/QWEN.md              |
        | .kimi/AGENTS.md            |
        | .claude/CLAUDE.md          |

    Scenario Outline: Files <earlier> and <later> of the home folder
      Given the Git repository "project"
      And the workspace files "home/<later>", "home/<earlier>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<earlier>", "project/{name}"

      Examples: two places of the tool
        | earlier                   | later            |
        | .codex/AGENTS.override.md | .codex/AGENTS.md |

  @INS-GLOBAL-03 @clarified @axis:global-file=override-agents-claude
  Rule: The global file has a name of an instruction file, in the folder ".pi/agent" of the home folder

    Scenario Outline: A file <place> of the home folder, which is in ".pi/agent"
      Given the Git repository "project"
      And the workspace files "home/<place>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<place>", "project/{name}"

      Examples: places of the tool
        | place                        |
        | .pi/agent/AGENTS.override.md |
        | .pi/agent/AGENTS.md          |
        | .pi/agent/AGENTS.MD          |
        | .pi/agent/CLAUDE.md          |
        | .pi/agent/CLAUDE.MD          |

    Scenario Outline: A file <other> of the home folder, which is outside ".pi/agent"
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | .pi/AGENTS.md              |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .config/opencode/AGENTS.md |
        | .gemini/GEMINI.md          |
        | .qwen/QWEN.md              |
        | .kimi/AGENTS.md            |
        | .claude/CLAUDE.md          |

    Scenario Outline: Files <earlier> and <later> of the home folder, in the folder of the tool
      Given the Git repository "project"
      And the workspace files "home/<later>", "home/<earlier>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<earlier>", "project/{name}"

      Examples: two places of the tool
        | earlier                      | later               |
        | .pi/agent/AGENTS.override.md | .pi/agent/AGENTS.md |
        | .pi/agent/AGENTS.md          | .pi/agent/CLAUDE.md |

  @INS-GLOBAL-04 @clarified @axis:global-file=agents-claude
  Rule: The global file is ".config/opencode/AGENTS.md" or ".claude/CLAUDE.md" in the home folder

    Scenario Outline: A file <place> of the home folder, which is one of two places
      Given the Git repository "project"
      And the workspace files "home/<place>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<place>", "project/{name}"

      Examples: places of the tool
        | place                      |
        | .config/opencode/AGENTS.md |
        | .claude/CLAUDE.md          |

    Scenario Outline: A file <other> of the home folder, which is none of the two places
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | .config/opencode/CLAUDE.md |
        | .config/AGENTS.md          |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .pi/agent/AGENTS.md        |
        | .gemini/GEMINI.md          |
        | .qwen/QWEN.md              |
        | .kimi/AGENTS.md            |

    Scenario Outline: Files <earlier> and <later> of the home folder, in two folders
      Given the Git repository "project"
      And the workspace files "home/<later>", "home/<earlier>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<earlier>", "project/{name}"

      Examples: two places of the tool
        | earlier                    | later             |
        | .config/opencode/AGENTS.md | .claude/CLAUDE.md |

  @INS-GLOBAL-05 @clarified @axis:global-file=gemini
  Rule: The global file is ".gemini/GEMINI.md" in the home folder

    Scenario: A file GEMINI.md in its folder
      Given the Git repository "project"
      And the workspace files "home/.gemini/GEMINI.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.gemini/GEMINI.md", "project/{name}"

    Scenario Outline: A file <other> of the home folder of a user of GEMINI.md
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | GEMINI.md                  |
        | .gemini/AGENTS.md          |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .pi/agent/AGENTS.md        |
        | .config/opencode/AGENTS.md |
        | .qwen/QWEN.md              |
        | .kimi/AGENTS.md            |
        | .claude/CLAUDE.md          |

  @INS-GLOBAL-06 @clarified @axis:global-file=qwen-agents
  Rule: The global files are ".qwen/QWEN.md" and ".qwen/AGENTS.md" in the home folder

    Scenario Outline: A file <place> of the home folder, which is in ".qwen"
      Given the Git repository "project"
      And the workspace files "home/<place>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<place>", "project/{name}"

      Examples: places of the tool
        | place           |
        | .qwen/QWEN.md   |
        | .qwen/AGENTS.md |

    Scenario Outline: A file <other> of the home folder, which is no global file of ".qwen"
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | QWEN.md                    |
        | .qwen/QWEN.local.md        |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .pi/agent/AGENTS.md        |
        | .config/opencode/AGENTS.md |
        | .gemini/GEMINI.md          |
        | .kimi/AGENTS.md            |
        | .claude/CLAUDE.md          |

    Scenario: Two global files, next to each other
      Given the Git repository "project"
      And the workspace files "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/{name}"

  @INS-GLOBAL-07 @clarified @axis:global-file=kimi-home
  Rule: The global file is ".kimi/AGENTS.md" in the home folder

    Scenario: A file AGENTS.md in the folder ".kimi"
      Given the Git repository "project"
      And the workspace files "home/.kimi/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.kimi/AGENTS.md", "project/{name}"

    Scenario Outline: A file <other> of the home folder, which is no global file of ".kimi"
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | .kimi/agents.md            |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .pi/agent/AGENTS.md        |
        | .config/opencode/AGENTS.md |
        | .gemini/GEMINI.md          |
        | .qwen/QWEN.md              |
        | .claude/CLAUDE.md          |

  @INS-GLOBAL-08 @clarified @axis:global-file=claude
  Rule: The global file is ".claude/CLAUDE.md" in the home folder

    Scenario: A file CLAUDE.md in the folder ".claude"
      Given the Git repository "project"
      And the workspace files "home/.claude/CLAUDE.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.claude/CLAUDE.md", "project/{name}"

    Scenario Outline: A file <other> of the home folder, which is no global file of ".claude"
      Given the Git repository "project"
      And the workspace files "home/<other>", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

      Examples: places of other tools
        | other                      |
        | CLAUDE.md                  |
        | .claude/AGENTS.md          |
        | AGENTS.md                  |
        | .agents/AGENTS.md          |
        | .codex/AGENTS.md           |
        | .pi/agent/AGENTS.md        |
        | .config/opencode/AGENTS.md |
        | .gemini/GEMINI.md          |
        | .qwen/QWEN.md              |
        | .kimi/AGENTS.md            |

  @INS-GLOBAL-09 @clarified @axis:global-place=first
  Rule: The global file is loaded before the files of the project

    Scenario: A global file and a file of a project
      Given the Git repository "project"
      And the workspace files "project/{name}", "home/{global}"
      When the tool reads the workspace
      Then the loaded files are "home/{global}", "project/{name}"

    @axis:names=qwen-agents @axis:global-file=qwen-agents
    Scenario: Global files of two names, and files of a project of the same names
      Given the Git repository "project"
      And the workspace files "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/QWEN.md", "project/AGENTS.md"
      When the tool reads the workspace
      Then the loaded files are "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/QWEN.md", "project/AGENTS.md"

  @INS-GLOBAL-10 @clarified @axis:global-place=first-of-name @axis:names=qwen-agents @axis:global-file=qwen-agents
  Rule: The global file is loaded before the files of the project with the same name

    Scenario: Global files of two names between the files of a project
      Given the Git repository "project"
      And the workspace files "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/QWEN.md", "project/AGENTS.md"
      When the tool reads the workspace
      Then the loaded files are "home/.qwen/QWEN.md", "project/QWEN.md", "home/.qwen/AGENTS.md", "project/AGENTS.md"

    Scenario: A global file of the second name, and a file of the first name
      Given the Git repository "project"
      And the workspace files "home/.qwen/AGENTS.md", "project/QWEN.md"
      When the tool reads the workspace
      Then the loaded files are "project/QWEN.md", "home/.qwen/AGENTS.md"

  @INS-GLOBAL-11 @clarified @axis:global-again=yes @axis:names=override-agents @axis:global-file=override-agents
  Rule: A global file that is also an instruction file of a searched folder is loaded twice

    Scenario: The tool starts in the folder of its global file
      Given the Git repository "home"
      And the workspace files "home/AGENTS.md", "home/.codex/AGENTS.md"
      And the working directory "home/.codex"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.codex/AGENTS.md", "home/AGENTS.md", "home/.codex/AGENTS.md"

  @INS-GLOBAL-12 @clarified @axis:global-again=no
  Rule: A global file that is also an instruction file of a searched folder is loaded once

    @axis:names=agents-claude @axis:global-file=agents-claude
    Scenario: The tool starts in the folder ".config/opencode" of its global file
      Given the Git repository "home"
      And the workspace files "home/AGENTS.md", "home/.config/opencode/AGENTS.md"
      And the working directory "home/.config/opencode"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.config/opencode/AGENTS.md", "home/AGENTS.md"

    @axis:names=override-agents-claude @axis:global-file=override-agents-claude
    Scenario: The tool starts in the folder ".pi/agent" of its global file
      Given the Git repository "home"
      And the workspace files "home/AGENTS.md", "home/.pi/agent/AGENTS.md"
      And the working directory "home/.pi/agent"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.pi/agent/AGENTS.md", "home/AGENTS.md"

  @INS-GLOBAL-13 @clarified @axis:global-again=ends-search
  Rule: The folder of the global file ends the search, and is not searched

    @axis:names=gemini @axis:global-file=gemini
    Scenario: The tool starts below the folder ".gemini" of its global file
      Given the Git repository "home"
      And the workspace files "home/GEMINI.md", "home/.gemini/GEMINI.md", "home/.gemini/a/GEMINI.md"
      And the working directory "home/.gemini/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.gemini/GEMINI.md", "home/.gemini/a/GEMINI.md"

    @axis:names=qwen-agents @axis:global-file=qwen-agents
    Scenario: The tool starts below the folder ".qwen" of its global file
      Given the Git repository "home"
      And the workspace files "home/QWEN.md", "home/.qwen/QWEN.md", "home/.qwen/a/QWEN.md"
      And the working directory "home/.qwen/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.qwen/QWEN.md", "home/.qwen/a/QWEN.md"

  @INS-GLOBAL-14 @clarified @axis:global-empty=hides
  Rule: An empty global file hides the global file of the next name

    @axis:global-file=agents-claude
    Scenario: An empty file ".config/opencode/AGENTS.md", and a full file ".claude/CLAUDE.md"
      Given the Git repository "project"
      And the empty workspace files "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.claude/CLAUDE.md", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

    @axis:global-file=override-agents-claude
    Scenario: An empty file ".pi/agent/AGENTS.override.md", and a full file ".pi/agent/AGENTS.md"
      Given the Git repository "project"
      And the empty workspace files "home/.pi/agent/AGENTS.override.md"
      And the workspace files "home/.pi/agent/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

  @INS-GLOBAL-15 @clarified @axis:global-empty=next-name
  Rule: After an empty global file, the global file of the next name is loaded

    @axis:global-file=override-agents
    Scenario: An empty file ".codex/AGENTS.override.md", and a full file ".codex/AGENTS.md"
      Given the Git repository "project"
      And the empty workspace files "home/.codex/AGENTS.override.md"
      And the workspace files "home/.codex/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.codex/AGENTS.md", "project/{name}"

    @axis:global-file=qwen-agents
    Scenario: An empty file ".qwen/QWEN.md", and a full file ".qwen/AGENTS.md"
      Given the Git repository "project"
      And the empty workspace files "home/.qwen/QWEN.md"
      And the workspace files "home/.qwen/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.qwen/AGENTS.md", "project/{name}"
