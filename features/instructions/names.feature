Feature: The names of instruction files
  Each tool has a list of file names. If a folder has files of several names, one file can hide another, and a file that
  is hidden reaches no model, whatever its content is.

  The names {first name} and {second name} are the first two names in the list of the tool.

  @INS-NAMES-01 @clarified @axis:names=agents
  Rule: Instruction files are named "AGENTS.md"

    Scenario Outline: A file named AGENTS.md, and a file named <other>
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/<other>"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md"

      Examples: names that other tools have
        | other              |
        | AGENTS.override.md |
        | CLAUDE.md          |
        | GEMINI.md          |

  @INS-NAMES-02 @clarified @axis:names=override-agents
  Rule: Instruction files are named "AGENTS.override.md" or "AGENTS.md"

    Scenario Outline: The only file is named <file>
      Given the Git repository "project"
      And the workspace files "project/<file>"
      When the tool reads the workspace
      Then the loaded files are "project/<file>"

      Examples:
        | file               |
        | AGENTS.override.md |
        | AGENTS.md          |

    Scenario Outline: A file named <other> in a folder of its own
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/a/<other>"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md"

      Examples: names that other tools have
        | other     |
        | agents.md |
        | AGENT.md  |
        | CLAUDE.md |
        | GEMINI.md |

  @INS-NAMES-10 @clarified @axis:selection=first-in-folder
  Rule: In each folder, the first file name that exists is loaded, and the later names are skipped

    Scenario: Files of two names in one folder
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      When the tool reads the workspace
      Then the loaded files are "project/{first name}"

    Scenario: Files of two names in two folders
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{first name}", "project/a/{second name}"

  @INS-NAMES-11 @clarified @axis:selection=one-name-per-project
  Rule: The first file name that exists in any searched folder is loaded in all folders, and other names are skipped

    Scenario: A file of the second name in a folder below a file of the first name
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{first name}"

    Scenario: Files of the second name alone
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{second name}", "project/a/{second name}"

  @INS-NAMES-13 @clarified @axis:selection=every-name
  Rule: Every file name that exists in a folder is loaded

    Scenario: Files of two names next to each other
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{first name}", "project/{second name}"

  @INS-NAMES-14 @clarified @axis:empty-file=hides
  Rule: An empty instruction file hides the file of the next name in its folder

    Scenario: An empty file of the first name
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the empty workspace files "project/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/{first name}"

  @INS-NAMES-15 @clarified @axis:empty-file=next-name
  Rule: After an empty instruction file, the file of the next name in its folder is loaded

    Scenario: An empty file of the first name, next to a file of the second name
      Given the Git repository "project"
      And the workspace files "project/{second name}"
      And the empty workspace files "project/{first name}"
      When the tool reads the workspace
      Then the loaded files are "project/{second name}"
