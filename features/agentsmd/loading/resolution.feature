Feature: Resolving import paths
  An import names a file by a relative or an absolute path. These rules say how the
  loader turns this path into the path of a read. The backend decides whether the
  file exists and whether the path is allowed. The files imported are the files that
  the loader tries to read because of an import; most of these files do not exist.

  A normalized path has no "." segment, no empty segment, and a ".." segment only at
  the beginning.

  @AMD-IMPORT-12 @documented
  Rule: A relative import is resolved from the folder of the importing file

    Scenario: Files in three folders that import further files
      Given the files
        | path                        | content                  |
        | /project/agents.md          | See @rules/style.md      |
        | /project/rules/style.md     | @naming.md @more/tabs.md |
        | /project/rules/naming.md    | Short names.             |
        | /project/rules/more/tabs.md | No tabs.                 |
        | /project/naming.md          | The wrong one.           |
      And the configured file "/project/agents.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/project/agents.md", "/project/rules/style.md", "/project/rules/naming.md", "/project/rules/more/tabs.md"

  @AMD-IMPORT-17 @documented
  Rule: A normalized absolute import path is used unchanged

    Scenario: A file outside the project
      Given an instruction file containing "@/shared/team.md"
      And the file "/shared/team.md"
        """
        Be kind.
        """
      When the instructions are loaded
      Then in any order, the loaded files are "/project/agents.md", "/shared/team.md"

    Scenario: A path that ends the path of the importing file
      Given the files
        | path      | content      |
        | /q/p/b.md | Q @/p/b.md   |
        | /p/b.md   | P @/b.md     |
        | /b.md     | B @/b.md.txt |
        | /b.md.txt | T            |
      And the configured file "/q/p/b.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/q/p/b.md", "/p/b.md", "/b.md", "/b.md.txt"

  @AMD-IMPORT-18 @derived
  Rule: The segments "." and ".." of a relative import are resolved, even if the path leaves the folder of the configured file

    Scenario Outline: "<text>" in "/team/project/agents.md"
      Given the configured file "/team/project/agents.md"
      And the file "/team/project/agents.md" containing "<text>"
      When the instructions are loaded
      Then the files imported are <file>

      Examples:
        | text           | file                 |
        | @./b.md        | "/team/project/b.md" |
        | @../b.md       | "/team/b.md"         |
        | @../other/b.md | "/team/other/b.md"   |
        | @../../b.md    | "/b.md"              |

  @AMD-IMPORT-28 @clarified
  Rule: A ".." segment at the root resolves to the root

    Scenario: More double dots than folders
      Given an instruction file containing "@../../../z.md"
      When the instructions are loaded
      Then the only file imported is "/z.md"

  @AMD-IMPORT-19 @clarified
  Rule: Files are read and inserted under their normalized paths

    Scenario: A configured path with superfluous segments
      Given the configured file "/project/x/..//./agents.md"
      And the file "/project/agents.md" containing "Answer in French."
      When the instructions are loaded
      Then the only file read is "/project/agents.md"
      And the only loaded file is "/project/agents.md"

    Scenario: Imported paths with superfluous segments
      Given an instruction file containing "@rules//s.md @./x/../y.md @q/."
      When the instructions are loaded
      Then the files imported are "/project/rules/s.md", "/project/y.md", "/project/q"

  @AMD-IMPORT-27 @clarified
  Rule: An absolute import path is normalized

    Scenario Outline: The absolute import "<text>"
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <file>

      Examples:
        | text          | file        |
        | @/q/../abs.md | "/abs.md"   |
        | @//abs.md     | "/abs.md"   |
        | @/./q//abs.md | "/q/abs.md" |

  @AMD-IMPORT-20 @clarified
  Rule: An import that ends with a slash requests the path without the slash

    Scenario: A slash after the path of a file
      Given an instruction file containing "@rules/"
      And the file "/project/rules" containing "Be kind."
      When the instructions are loaded
      Then the loaded files are "/project/agents.md", "/project/rules"

    Scenario: A slash after the path of a folder
      Given an instruction file containing "@rules/"
      And reading "/project/rules" fails with a directory error
      When the instructions are loaded
      Then loading fails with a directory error

  @AMD-IMPORT-22 @clarified
  Rule: The paths of a relative configured file and of its relative imports stay relative

    Scenario: A relative configured path
      Given the configured file "agents.md"
      And the file "agents.md" containing "@sub/b.md @../up.md"
      When the instructions are loaded
      Then the files imported are "sub/b.md", "../up.md"

  @AMD-IMPORT-23 @derived
  Rule: A configured file can have any name

    Scenario Outline: A configured file "<path>"
      Given the configured file "<path>"
      And the file "<path>" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "<path>"
      And the section of "<path>" is exactly
        """
        Answer in French.
        """

      Examples:
        | path               |
        | /my folder/规则 a.md |
        | /project/RULES     |
        | /project/.hidden   |
        | /project/check.py  |

  @AMD-IMPORT-24 @derived
  Rule: Imports are followed in loaded files of every type

    Scenario Outline: An import in "<path>"
      Given the configured file "<path>"
      And the file "<path>" containing "// @b.md"
      When the instructions are loaded
      Then the only file imported is "/project/b.md"

      Examples:
        | path               |
        | /project/conf.json |
        | /project/check.py  |
        | /project/LICENSE   |

    Scenario Outline: An import in a configured file <where>
      Given the configured file "<path>"
      And the file "<path>" containing "See @b.md and @sub/c.md"
      When the instructions are loaded
      Then the files imported are "<folder>b.md", "<folder>sub/c.md"

      Examples:
        | where                       | path                      | folder           |
        | above the working directory | ../agents.md              | ../              |
        | two levels above            | ../../team/agents.md      | ../../team/      |
        | in the working directory    | agents.md                 |                  |
        | in the root folder          | /agents.md                | /                |
        | in a hidden folder          | /project/.rules/agents.md | /project/.rules/ |
        | with a hidden name          | /project/.agents          | /project/        |
        | in a folder with a space    | /my project/agents.md     | /my project/     |

    Scenario: Imports through files of five types
      Given the files
        | path            | content      |
        | /project/a.md   | A @b.json    |
        | /project/b.json | "// @c.yaml" |
        | /project/c.yaml | # @d.toml    |
        | /project/d.toml | # @e.txt     |
        | /project/e.txt  | E @f.mdx     |
      And the configured file "/project/a.md"
      When the instructions are loaded
      Then the files imported are "/project/b.json", "/project/c.yaml", "/project/d.toml", "/project/e.txt", "/project/f.mdx"

    Scenario: The last of three configured files
      Given the files
        | path    | content |
        | /p/a.md |         |
        | /p/b.md | B       |
        | /p/c.md | @d.md   |
        | /p/d.md | D       |
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/b.md", "/p/c.md", "/p/d.md"

  @AMD-IMPORT-25 @documented
  Rule: The text of an importing file is inserted unchanged, including the mentions of its imports

    Scenario: Text around two imports
      Given the instruction file "/project/agents.md"
        """
        Before.
        @rules/style.md
        Between, see @b.md too.

        After.
        """
      And the file "/project/rules/style.md" containing "No tabs."
      And the file "/project/b.md" containing "Short names."
      When the instructions are loaded
      Then the section of "/project/agents.md" is exactly
        """
        Before.
        @rules/style.md
        Between, see @b.md too.

        After.
        """

  @AMD-IMPORT-26 @derived
  Rule: Only configured files and imported files are read

    Scenario: A folder with three files, two of them imported
      Given the files
        | path                      | content                                         |
        | /project/TEAM.md          | Read @norms/tabs.md and @norms/plurals.md first |
        | /project/norms/tabs.md    | No tabs.                                        |
        | /project/norms/plurals.md | Plural nouns.                                   |
        | /project/norms/README.md  | Test first.                                     |
        | /project/design/layers.md | Three layers.                                   |
      And the configured file "/project/TEAM.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/project/TEAM.md", "/project/norms/tabs.md", "/project/norms/plurals.md"
      And "/project/norms/README.md" is not read
      And "/project/design/layers.md" is not read

  @AMD-IMPORT-16 @clarified
  Rule: A tilde in a path is not expanded to a home directory

    Scenario: A tilde in an import
      Given an instruction file containing "@~/x.md"
      When the instructions are loaded
      Then the only file imported is "/project/~/x.md"

    Scenario: A tilde in a configured path
      Given the configured file "~/agents.md"
      When the instructions are loaded
      Then the only file read is "~/agents.md"
