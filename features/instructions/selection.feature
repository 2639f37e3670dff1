Feature: Files of several names
  A folder, or a project, can have instruction files of several names that a tool knows. In some tools one file hides
  another: even an empty file can hide a full one. A private file is in the project and belongs to one user.

  Some tools also load each Markdown file in a folder of rules. The front matter of a rule can name paths: the rule is
  for these paths, and is loaded later. In some tools the settings of the user exclude files by patterns of paths, in
  which "**" stands for any number of folders.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool.

  @INS-NAMES-10 @clarified @axis:selection=first-in-folder
  Rule: In a dialect with selection=first-in-folder, only the file of the first existing name is loaded from each folder

    Scenario: Files of two names in one folder
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{first name}"

    Scenario: Files of two names in two folders
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{first name}", "project/a/{second name}"

  @INS-NAMES-11 @clarified @axis:selection=one-name-per-project
  Rule: In a dialect with selection=one-name-per-project, only files of the first name that exists in any searched folder are loaded

    Scenario: A file of the second name in a folder below a file of the first name
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{first name}"

    Scenario: A file of the second name in a folder above a file of the first name
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{first name}"

    @axis:walk=project-root
    Scenario: A file of the first name outside the searched folders
      Given the Git repository "outer/project"
      And the workspace files "outer/{first name}", "outer/project/{second name}", "outer/project/a/{first name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/{second name}"

    Scenario: Files of the second name alone
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{second name}", "project/a/{second name}"

  @INS-NAMES-12 @clarified @axis:selection=one-family-per-project @axis:names=claude-or-agents
  Rule: In a dialect with selection=one-family-per-project, if a searched folder has a file whose name contains "CLAUDE", no file whose name contains "AGENTS" is loaded

    Scenario Outline: A file <first> above a file <second>
      Given the Git repository "project"
      And the workspace files "project/<first>", "project/a/<second>"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/<first>"

      Examples: a name of the first family and a name of the second family
        | first             | second            |
        | CLAUDE.md         | AGENTS.md         |
        | CLAUDE.local.md   | AGENTS.md         |
        | .claude/CLAUDE.md | .claude/AGENTS.md |

    Scenario: A file of the first family below files of the second family
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/a/AGENTS.md", "project/a/CLAUDE.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/CLAUDE.md"

    Scenario: Files of the second family alone
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/a/.claude/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/AGENTS.md", "project/a/.claude/AGENTS.md"

  @INS-NAMES-13 @clarified @axis:selection=every-name
  Rule: In a dialect with selection=every-name, the files of all existing names are loaded from each folder

    Scenario: Files of two names next to each other
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}", "project/README.md"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{first name}", "project/{second name}"

    Scenario: Files of two names, each in a folder of its own
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{first name}", "project/a/{second name}"

  @INS-NAMES-14 @clarified @axis:empty-file=hides
  Rule: In a dialect with empty-file=hides, after an empty instruction file, the file of the next name in the same folder is not loaded

    Scenario: An empty file of the first name
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the empty workspace file "project/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{first name}"

    @axis:walk=working-directory
    Scenario: An empty file of the first name in the only searched folder
      Given the Git repository "project"
      And the workspace file "project/{second name}"
      And the empty workspace file "project/{first name}"
      When the tool reads the workspace
      Then no file is loaded

  @INS-NAMES-15 @clarified @axis:empty-file=next-name
  Rule: In a dialect with empty-file=next-name, after an empty instruction file, the file of the next name in the same folder is loaded

    Scenario: An empty file of the first name, next to a file of the second name
      Given the Git repository "project"
      And the workspace file "project/{second name}"
      And the empty workspace file "project/{first name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

  @INS-NAMES-16 @clarified @axis:local-file=none
  Rule: In a dialect with local-file=none, no private file of the user in a project is loaded

    Scenario: The private files of several tools next to the file of a project
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/.qwen/QWEN.local.md", "project/CLAUDE.local.md"
      And the workspace files "project/AGENTS.local.md", "project/GEMINI.local.md", "project/QWEN.local.md"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-NAMES-17 @clarified @axis:local-file=last
  Rule: In a dialect with local-file=last, a private file ".qwen/QWEN.local.md" at the root of the project is loaded after all other files

    @axis:order=from-root
    Scenario: A private file at the root, and files in two folders
      Given the Git repository "project"
      And the workspace files "project/.qwen/QWEN.local.md", "project/{name}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/.qwen/QWEN.local.md"

    Scenario: A private file in a folder below the root
      Given the Git repository "project"
      And the workspace files "project/a/.qwen/QWEN.local.md", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

    Scenario: A private file outside any project
      Given the workspace files "folder/.qwen/QWEN.local.md", "folder/{name}"
      And the working directory "folder"
      When the tool reads the workspace
      Then the only loaded file is "folder/{name}"

  @INS-NAMES-18 @clarified @axis:rules-folder=none
  Rule: In a dialect with rules-folder=none, no file of a folder ".claude/rules" is loaded

    Scenario: A rule next to an instruction file
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/.claude/rules/style.md"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-NAMES-19 @clarified @axis:rules-folder=claude @axis:names=claude-or-agents
  Rule: In a dialect with rules-folder=claude, each Markdown file of the folders ".claude/rules" that is not limited to some paths is loaded after the file CLAUDE.md of its folder

    Scenario: A rule between the shared files and the private file of a folder
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.local.md", "project/.claude/CLAUDE.md", "project/CLAUDE.md"
      And the workspace file "project/.claude/rules/style.md"
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md", "project/.claude/CLAUDE.md", "project/.claude/rules/style.md", "project/CLAUDE.local.md"

    Scenario: Rules in a folder of the folder of rules, above the working directory, and in the home folder
      Given the Git repository "project"
      And the workspace files "home/.claude/rules/mine.md", "project/.claude/rules/team/style.md"
      And the workspace file "project/a/.claude/rules/tests.md"
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
      And the workspace file "project/CLAUDE.md"
      And the workspace file "project/.claude/rules/style.md" with nothing but "---\n<field>\n---\nBe brief."
      When the tool reads the workspace
      Then the only loaded file is "project/CLAUDE.md"
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
      Then the only loaded file is "project/CLAUDE.md"

  @INS-NAMES-20 @clarified @axis:exclusions=none
  Rule: In a dialect with exclusions=none, no setting of the user excludes an instruction file

    Scenario: A pattern that fits the instruction file
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And the workspace file "project/.claude/settings.json" with nothing but "{\u0022claudeMdExcludes\u0022: [\u0022**/project/*\u0022]}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-NAMES-21 @clarified @axis:exclusions=claude @axis:walk=file-system-root
  Rule: In a dialect with exclusions=claude, a file whose path fits a pattern of excluded files in the settings of the user is not loaded

    Scenario Outline: A pattern in <settings>
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the workspace file "<settings>" with nothing but "{\u0022claudeMdExcludes\u0022: [\u0022**/project/{name}\u0022]}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

      Examples:
        | settings                              |
        | home/.claude/settings.json            |
        | project/a/.claude/settings.json       |
        | project/a/.claude/settings.local.json |

    Scenario: A pattern in the settings of a folder above the working directory
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the workspace file "project/.claude/settings.json" with nothing but "{\u0022claudeMdExcludes\u0022: [\u0022**/project/{name}\u0022]}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}"

    @axis:names=claude-or-agents
    Scenario: An excluded file hides no file of another name
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/AGENTS.md"
      And the workspace file "home/.claude/settings.json" with nothing but "{\u0022claudeMdExcludes\u0022: [\u0022**/CLAUDE.md\u0022]}"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

    Scenario: A pattern of which a part fits
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And the workspace file "home/.claude/settings.json" with nothing but "{\u0022claudeMdExcludes\u0022: [\u0022project/{name}\u0022, \u0022*/{name}\u0022]}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-NAMES-23 @clarified @axis:rules-folder=copilot @axis:names=copilot
  Rule: In a dialect with rules-folder=copilot, each file of the folders ".github/instructions" and ".claude/rules" at the root and in the working directory that is not limited to some paths is loaded after all other files

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

    Scenario: A rule that is a link to another rule
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/.github/instructions/style.instructions.md"
      And a symbolic link from "project/.claude/rules/style.md" to "../../.github/instructions/style.instructions.md"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md", "project/.github/instructions/style.instructions.md"

    Scenario: Files without the ending of a rule
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/.github/instructions/notes.md", "project/.claude/rules/notes.txt"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

    Scenario Outline: A rule with <field> for some paths
      Given the Git repository "project"
      And the workspace file "project/AGENTS.md"
      And the workspace file "project/.github/instructions/style.instructions.md" with nothing but "---\n<field>\n---\nBe brief."
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"
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
