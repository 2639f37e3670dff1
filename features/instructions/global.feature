Feature: The global file
  A user can have an instruction file for all projects, in the home folder. Each tool has its own place for the file,
  and few tools read the place of another tool. Most models receive the global file before the files of the project,
  so that a project can refine what its user wants.

  If a tool starts in the folder of the global file, the file is also an instruction file of a searched folder.

  The home folder is "home" here. {name} stands for the usual file name of the tool, for example AGENTS.md. {global}
  stands for the place of the tool's global file, below the home folder.

  @INS-GLOBAL-01 @clarified @axis:global-file=none
  Rule: In a dialect with global-file=none, no file of the home folder is loaded, apart from those in folders of rules

    Scenario: Files at the places of several tools
      Given the Git repository "project"
      And the workspace files "home/AGENTS.md", "home/.agents/AGENTS.md", "home/.codex/AGENTS.md"
      And the workspace files "home/.pi/agent/AGENTS.md", "home/.config/opencode/AGENTS.md", "home/.gemini/GEMINI.md"
      And the workspace files "home/.qwen/QWEN.md", "home/.kimi/AGENTS.md", "home/.claude/CLAUDE.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-GLOBAL-02 @clarified @axis:global-file=override-agents
  Rule: In a dialect with global-file=override-agents, the global file is the first existing one of ".codex/AGENTS.override.md" and ".codex/AGENTS.md" in the home folder

    Scenario Outline: In the folder ".codex" of the home folder, the only file is <file>
      Given the Git repository "project"
      And the workspace files "home/.codex/<file>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.codex/<file>", "project/{name}"

      Examples: files of the tool
        | file               |
        | AGENTS.override.md |
        | AGENTS.md          |

    Scenario: A file ".codex/CLAUDE.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/.codex/CLAUDE.md", "home/AGENTS.md", "home/.agents/AGENTS.md"
      And the workspace files "home/.pi/agent/AGENTS.md", "home/.config/opencode/AGENTS.md", "home/.gemini/GEMINI.md"
      And the workspace files "home/.qwen/QWEN.md", "home/.kimi/AGENTS.md", "home/.claude/CLAUDE.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario Outline: Files <earlier> and <later> in the folder ".codex"
      Given the Git repository "project"
      And the workspace files "home/.codex/<later>", "home/.codex/<earlier>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.codex/<earlier>", "project/{name}"

      Examples: two files of the tool
        | earlier            | later     |
        | AGENTS.override.md | AGENTS.md |

  @INS-GLOBAL-03 @clarified @axis:global-file=override-agents-claude
  Rule: In a dialect with global-file=override-agents-claude, the global file is the file of the first existing name in the folder ".pi/agent" of the home folder

    Scenario Outline: In the folder ".pi/agent" of the home folder, the only file is <file>
      Given the Git repository "project"
      And the workspace files "home/.pi/agent/<file>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.pi/agent/<file>", "project/{name}"

      Examples: files of the tool
        | file               |
        | AGENTS.override.md |
        | AGENTS.md          |
        | AGENTS.MD          |
        | CLAUDE.md          |
        | CLAUDE.MD          |

    Scenario: A file ".pi/AGENTS.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/.pi/AGENTS.md", "home/AGENTS.md", "home/.agents/AGENTS.md"
      And the workspace files "home/.codex/AGENTS.md", "home/.config/opencode/AGENTS.md", "home/.gemini/GEMINI.md"
      And the workspace files "home/.qwen/QWEN.md", "home/.kimi/AGENTS.md", "home/.claude/CLAUDE.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario Outline: Files <earlier> and <later> in the folder ".pi/agent"
      Given the Git repository "project"
      And the workspace files "home/.pi/agent/<later>", "home/.pi/agent/<earlier>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.pi/agent/<earlier>", "project/{name}"

      Examples: two files of the tool
        | earlier            | later     |
        | AGENTS.override.md | AGENTS.md |
        | AGENTS.md          | CLAUDE.md |

  @INS-GLOBAL-04 @clarified @axis:global-file=agents-claude
  Rule: In a dialect with global-file=agents-claude, the global file is the first existing one of ".config/opencode/AGENTS.md" and ".claude/CLAUDE.md" in the home folder

    Scenario Outline: Of two places in the home folder, only <file> has a file
      Given the Git repository "project"
      And the workspace files "home/<file>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/<file>", "project/{name}"

      Examples: files of the tool
        | file                       |
        | .config/opencode/AGENTS.md |
        | .claude/CLAUDE.md          |

    Scenario: A file ".config/opencode/CLAUDE.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/.config/opencode/CLAUDE.md", "home/.config/AGENTS.md", "home/AGENTS.md"
      And the workspace files "home/.agents/AGENTS.md", "home/.codex/AGENTS.md", "home/.pi/agent/AGENTS.md"
      And the workspace files "home/.gemini/GEMINI.md", "home/.qwen/QWEN.md", "home/.kimi/AGENTS.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: A file at each of two places in the home folder
      Given the Git repository "project"
      And the workspace files "home/.claude/CLAUDE.md", "home/.config/opencode/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.config/opencode/AGENTS.md", "project/{name}"

  @INS-GLOBAL-05 @clarified @axis:global-file=gemini
  Rule: In a dialect with global-file=gemini, the global file is ".gemini/GEMINI.md" in the home folder

    Scenario: A file ".gemini/GEMINI.md"
      Given the Git repository "project"
      And the workspace files "home/.gemini/GEMINI.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.gemini/GEMINI.md", "project/{name}"

    Scenario: A file ".gemini/AGENTS.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/GEMINI.md", "home/.gemini/AGENTS.md", "home/AGENTS.md", "home/.agents/AGENTS.md"
      And the workspace files "home/.codex/AGENTS.md", "home/.pi/agent/AGENTS.md", "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.qwen/QWEN.md", "home/.kimi/AGENTS.md", "home/.claude/CLAUDE.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-GLOBAL-06 @clarified @axis:global-file=qwen-agents
  Rule: In a dialect with global-file=qwen-agents, the global files are ".qwen/QWEN.md" and ".qwen/AGENTS.md" in the home folder

    Scenario Outline: In the folder ".qwen" of the home folder, the only file is <file>
      Given the Git repository "project"
      And the workspace files "home/.qwen/<file>", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.qwen/<file>", "project/{name}"

      Examples: files of the tool
        | file      |
        | QWEN.md   |
        | AGENTS.md |

    Scenario: A file ".qwen/QWEN.local.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/QWEN.md", "home/.qwen/QWEN.local.md", "home/AGENTS.md", "home/.agents/AGENTS.md"
      And the workspace files "home/.codex/AGENTS.md", "home/.pi/agent/AGENTS.md", "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.gemini/GEMINI.md", "home/.kimi/AGENTS.md", "home/.claude/CLAUDE.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: Files QWEN.md and AGENTS.md in the folder ".qwen"
      Given the Git repository "project"
      And the workspace files "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.qwen/QWEN.md", "home/.qwen/AGENTS.md", "project/{name}"

  @INS-GLOBAL-07 @clarified @axis:global-file=kimi-home
  Rule: In a dialect with global-file=kimi-home, the global file is ".kimi/AGENTS.md" in the home folder

    Scenario: A file ".kimi/AGENTS.md"
      Given the Git repository "project"
      And the workspace files "home/.kimi/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.kimi/AGENTS.md", "project/{name}"

    Scenario: A file ".kimi/agents.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/.kimi/agents.md", "home/AGENTS.md", "home/.agents/AGENTS.md"
      And the workspace files "home/.codex/AGENTS.md", "home/.pi/agent/AGENTS.md", "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.gemini/GEMINI.md", "home/.qwen/QWEN.md", "home/.claude/CLAUDE.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-GLOBAL-08 @clarified @axis:global-file=claude
  Rule: In a dialect with global-file=claude, the global file is ".claude/CLAUDE.md" in the home folder

    Scenario: A file ".claude/CLAUDE.md"
      Given the Git repository "project"
      And the workspace files "home/.claude/CLAUDE.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.claude/CLAUDE.md", "project/{name}"

    Scenario: A file ".claude/AGENTS.md", and files at the places of other tools
      Given the Git repository "project"
      And the workspace files "home/CLAUDE.md", "home/.claude/AGENTS.md", "home/AGENTS.md", "home/.agents/AGENTS.md"
      And the workspace files "home/.codex/AGENTS.md", "home/.pi/agent/AGENTS.md", "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.gemini/GEMINI.md", "home/.qwen/QWEN.md", "home/.kimi/AGENTS.md"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-GLOBAL-09 @clarified @axis:global-place=first
  Rule: In a dialect with global-place=first, the global file is loaded before the files of the project

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

  @INS-GLOBAL-10 @clarified @axis:global-place=first-of-name @axis:names=qwen-agents @axis:global-file=qwen-agents @axis:grouping=by-name
  Rule: In a dialect with global-place=first-of-name, the global file is loaded before the files of the project with the same name

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

  @INS-GLOBAL-11 @clarified @axis:global-again=yes @axis:names=override-agents @axis:global-file=override-agents @axis:links=each-path
  Rule: In a dialect with global-again=yes, a global file that is also an instruction file of a searched folder is loaded twice

    Scenario: The tool starts in the folder of its global file
      Given the Git repository "home"
      And the workspace files "home/AGENTS.md", "home/.codex/AGENTS.md"
      And the working directory "home/.codex"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.codex/AGENTS.md", "home/AGENTS.md", "home/.codex/AGENTS.md"

  @INS-GLOBAL-12 @clarified @axis:global-again=no
  Rule: In a dialect with global-again=no, a global file that is also an instruction file of a searched folder is loaded once

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
  Rule: In a dialect with global-again=ends-search, the search ends below the folder of the global file

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
  Rule: In a dialect with global-empty=hides, after an empty global file, the global file of the next name is not loaded

    @axis:global-file=agents-claude
    Scenario: An empty file ".config/opencode/AGENTS.md", and a full file ".claude/CLAUDE.md"
      Given the Git repository "project"
      And the empty workspace file "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.claude/CLAUDE.md", "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    @axis:global-file=override-agents-claude
    Scenario: An empty file ".pi/agent/AGENTS.override.md", and a full file ".pi/agent/AGENTS.md"
      Given the Git repository "project"
      And the empty workspace file "home/.pi/agent/AGENTS.override.md"
      And the workspace files "home/.pi/agent/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-GLOBAL-15 @clarified @axis:global-empty=next-name
  Rule: In a dialect with global-empty=next-name, after an empty global file, the global file of the next name is loaded

    @axis:global-file=override-agents
    Scenario: An empty file ".codex/AGENTS.override.md", and a full file ".codex/AGENTS.md"
      Given the Git repository "project"
      And the empty workspace file "home/.codex/AGENTS.override.md"
      And the workspace files "home/.codex/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.codex/AGENTS.md", "project/{name}"

    @axis:global-file=qwen-agents
    Scenario: An empty file ".qwen/QWEN.md", and a full file ".qwen/AGENTS.md"
      Given the Git repository "project"
      And the empty workspace file "home/.qwen/QWEN.md"
      And the workspace files "home/.qwen/AGENTS.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.qwen/AGENTS.md", "project/{name}"

  @INS-GLOBAL-16 @clarified @axis:global-file=copilot
  Rule: In a dialect with global-file=copilot, the global file is ".copilot/copilot-instructions.md" in the home folder

    Scenario: A file ".copilot/copilot-instructions.md"
      Given the Git repository "project"
      And the workspace files "home/.copilot/copilot-instructions.md", "project/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "home/.copilot/copilot-instructions.md", "project/{name}"

    Scenario: A file ".copilot/AGENTS.md", and files at the places of six tools
      Given the Git repository "project"
      And the workspace files "home/.copilot/AGENTS.md", "home/.github/copilot-instructions.md", "home/AGENTS.md"
      And the workspace files "home/.agents/AGENTS.md", "home/.codex/AGENTS.md", "home/.config/opencode/AGENTS.md"
      And the workspace files "home/.gemini/GEMINI.md", "home/.kimi/AGENTS.md", "home/.claude/CLAUDE.md", "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-GLOBAL-17 @clarified @axis:global-file=kilo
  Rule: In a dialect with global-file=kilo, the global file is the first existing one of ".config/kilo/AGENTS.md" and ".claude/CLAUDE.md" in the home folder

    Scenario Outline: <file>, and later files of a list of two places
      Given the workspace files "home/<file>", "home/<later>", "home/.config/opencode/AGENTS.md", "home/.agents/AGENTS.md"
      When the tool reads the workspace
      Then the only loaded file is "home/<file>"

      Examples:
        | file                   | later             |
        | .config/kilo/AGENTS.md | .claude/CLAUDE.md |
        | .claude/CLAUDE.md      | .kilo/AGENTS.md   |
