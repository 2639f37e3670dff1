Feature: Folders of rules
  Some tools load more than the files of a list of names: each Markdown file in a folder of rules. The front matter of a
  rule can name paths: the rule is for these paths, and is loaded later.

  {name} stands for the usual file name of the tool, for example AGENTS.md.

  @INS-NAMES-18 @clarified @axis:rules-folder=none
  Rule: In a dialect with rules-folder=none, no file of a folder ".claude/rules" is loaded

    Scenario: A rule next to an instruction file
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/.claude/rules/style.md"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

  @INS-NAMES-19 @clarified @axis:rules-folder=claude @axis:names=claude-or-agents
  Rule: In a dialect with rules-folder=claude, each Markdown file of the folders ".claude/rules" that is not limited to some paths is loaded after the file CLAUDE.md of its folder

    Scenario: A rule between the shared files and the private file of a folder
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.local.md", "project/.claude/CLAUDE.md", "project/CLAUDE.md"
      And the workspace files "project/.claude/rules/style.md"
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md", "project/.claude/CLAUDE.md", "project/.claude/rules/style.md", "project/CLAUDE.local.md"

    Scenario: Rules in a folder of the folder of rules, above the working directory, and in the home folder
      Given the Git repository "project"
      And the workspace files "home/.claude/rules/mine.md", "project/.claude/rules/team/style.md"
      And the workspace files "project/a/.claude/rules/tests.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "home/.claude/rules/mine.md", "project/.claude/rules/team/style.md", "project/a/.claude/rules/tests.md"

    Scenario: A rule hides no file of another name
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/.claude/rules/style.md"
      When the tool reads the workspace
      Then the loaded files are "project/.claude/rules/style.md", "project/AGENTS.md"

    Scenario Outline: A rule for <paths>
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md"
      And the workspace file "project/.claude/rules/style.md" with nothing but "---\n<field>\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md"
      And the loaded text does not contain "Be brief."

      Examples:
        | paths          | field                           |
        | one pattern    | paths: src/**/*.py              |
        | a list         | paths:\n  - 'src/*.ts'\n  - lib |

    Scenario Outline: A rule that is loaded: <front matter>
      Given the Git repository "project"
      And the workspace file "project/.claude/rules/style.md" with nothing but "---\n<field>\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief."

      Examples:
        | front matter    | field       |
        | without paths   | title: x    |
        | for every path  | paths: '**' |

    Scenario: A file that is no Markdown file
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/.claude/rules/style.txt"
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md"

  @INS-NAMES-23 @clarified @axis:rules-folder=copilot @axis:names=copilot
  Rule: In a dialect with rules-folder=copilot, each file of the folders ".github/instructions" and ".claude/rules" at the root and in the working directory that is for no named path is loaded after all other files

    Scenario: Rules at the root, between the root and the working directory, and in the working directory
      Given the Git repository "project"
      And the workspace files "project/.github/instructions/team/style.instructions.md", "project/.claude/rules/tests.md"
      And the workspace files "project/a/.github/instructions/no.instructions.md", "project/a/.claude/rules/no.md"
      And the workspace files "project/a/b/.github/instructions/db.instructions.md", "project/a/AGENTS.md"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/a/AGENTS.md", "project/.github/instructions/team/style.instructions.md", "project/.claude/rules/tests.md", "project/a/b/.github/instructions/db.instructions.md"

    Scenario: Rules of the user in the home folder
      Given the Git repository "project"
      And the workspace files "home/.copilot/instructions/mine.instructions.md", "home/.claude/rules/no.md"
      And the workspace files "project/AGENTS.md", "project/.claude/rules/tests.md"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md", "home/.copilot/instructions/mine.instructions.md", "project/.claude/rules/tests.md"

    Scenario: Files without the ending of a rule
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/.github/instructions/notes.md", "project/.claude/rules/notes.txt"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md"

    Scenario Outline: A rule with <field> for some paths
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md"
      And the workspace file "project/.github/instructions/style.instructions.md" with nothing but "---\n<field>\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md"
      And the loaded text does not contain "Be brief."

      Examples:
        | field                        |
        | applyTo: 'src/**/*.py'       |
        | applyTo: '**,src/*'          |
        | paths:\n  - 'src/*.ts'       |

    Scenario Outline: A rule with <field> for every path
      Given the Git repository "project"
      And the workspace file "project/.github/instructions/style.instructions.md" with nothing but "---\n<field>\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief."

      Examples:
        | field            |
        | applyTo: '**'    |
        | applyTo: '**/*'  |
        | description: us  |

  @INS-NAMES-25 @clarified @axis:rules-folder=continue @axis:walk=working-directory @axis:names=agents-agent-claude-codex
  Rule: In a dialect with rules-folder=continue, each Markdown file of the folder ".continue/rules" in the working directory and in the home folder that the model always receives is loaded after all other files

    Scenario: Rules in the working directory, in a folder of its rules, and in the home folder
      Given the Git repository "project"
      And the workspace files "home/.continue/rules/a.md", "project/.continue/rules/a/b.md", "project/.continue/rules/c.md"
      And the workspace files "project/.continue/rules/.hidden.md", "project/AGENTS.md"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md", "project/.continue/rules/.hidden.md", "project/.continue/rules/c.md", "project/.continue/rules/a/b.md", "home/.continue/rules/a.md"

    Scenario: A rule above the working directory
      Given the Git repository "project"
      And the workspace files "project/.continue/rules/style.md", "project/a/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/AGENTS.md"

    Scenario: Files without the ending ".md" of a rule
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/.continue/rules/notes.MD", "project/.continue/rules/notes.txt"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md"

    Scenario Outline: A rule that the model does not always receive: <field>
      Given the Git repository "project"
      And the workspace file "project/.continue/rules/style.md" with nothing but "---\n<field>\n---\nBe brief."
      And the workspace files "project/AGENTS.md"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md"
      And the loaded text does not contain "Be brief."

      Examples:
        | field                  |
        | globs: 'src/*.ts'      |
        | globs:\n  - 'src/*.ts' |
        | regex: import          |
        | alwaysApply: false     |
        | invokable: true        |

    Scenario Outline: A rule that the model always receives: <field>
      Given the Git repository "project"
      And the workspace file "project/.continue/rules/style.md" with nothing but "For people.\n---\n<field>\n---\n\nBe brief.\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "<field>"
      And the loaded text does not contain "For people."

      Examples:
        | field                                 |
        | description: us                       |
        | alwaysApply: true\nglobs: 'src/*.ts'  |

    Scenario: Two rules with the same text
      Given the Git repository "project"
      And the workspace file "project/.continue/rules/a.md" with nothing but "Be brief."
      And the workspace file "project/.continue/rules/b.md" with nothing but "Be brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 2 times
