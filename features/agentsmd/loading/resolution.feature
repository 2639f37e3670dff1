Feature: Where an import points
  The name in an import is a path. These rules say from where it is read and
  what is done to it on the way; whether the file exists is the backend's
  business, and so is keeping a path inside some folder.

  @AMD-IMPORT-12 @documented
  Rule: A relative import starts at the folder of the file it stands in

    Scenario: Imports of imports, each from its own folder
      Given the files
        | path                         | content                  |
        | /project/agents.md           | See @rules/style.md    |
        | /project/rules/style.md    | @naming.md @more/tabs.md |
        | /project/rules/naming.md     | Short names.             |
        | /project/rules/more/tabs.md  | No tabs.                 |
        | /project/naming.md           | The wrong one.           |
      And the configured files "/project/agents.md"
      When the instructions are loaded
      Then in any order, the files shown are "/project/agents.md", "/project/rules/style.md", "/project/rules/naming.md", "/project/rules/more/tabs.md"

  @AMD-IMPORT-17 @documented
  Rule: An import that begins with a slash is used as it stands

    Scenario: A file far from the project
      Given an instructions file that says "@/shared/team.md"
      And the file "/shared/team.md"
        """
        Be kind.
        """
      When the instructions are loaded
      Then in any order, the files shown are "/project/agents.md", "/shared/team.md"

  @AMD-IMPORT-18 @derived
  Rule: Dots and double dots lead where they lead, out of the project too

    Scenario Outline: "<text>" in "/team/project/agents.md"
      Given the configured files "/team/project/agents.md"
      And the file "/team/project/agents.md" holding "<text>"
      When the instructions are loaded
      Then the imports asked for are <file>

      Examples:
        | text             | file                   |
        | @./b.md          | /team/project/b.md     |
        | @../b.md         | /team/b.md             |
        | @../other/b.md   | /team/other/b.md       |
        | @../../b.md      | /b.md                  |

  @AMD-IMPORT-28 @clarified
  Rule: Above the root, double dots stay at the root

    Scenario: More double dots than folders
      Given an instructions file that says "@../../../z.md"
      When the instructions are loaded
      Then the imports asked for are "/z.md"

  @AMD-IMPORT-19 @clarified
  Rule: Paths are read and shown without empty and dot segments and without a slash at the end

    Scenario: A configured path
      Given the configured files "/project/x/..//./agents.md"
      And the file "/project/agents.md" holding "Answer in French."
      When the instructions are loaded
      Then the files read are "/project/agents.md"
      And the files shown are "/project/agents.md"

    Scenario: An imported path
      Given an instructions file that says "@rules//s.md @./x/../y.md"
      When the instructions are loaded
      Then the imports asked for are "/project/rules/s.md", "/project/y.md"

  @AMD-IMPORT-27 @clarified
  Rule: Absolute imports lose such segments too

    Scenario Outline: "<text>" asks for <file>
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <file>

      Examples:
        | text            | file    |
        | @/q/../abs.md   | /abs.md |
        | @//abs.md       | /abs.md |
        | @/./q//abs.md   | /q/abs.md |

  @AMD-IMPORT-20 @clarified
  Rule: An import that ends in a slash asks for the path before it, and a folder there ends the load

    Scenario: A slash behind a file
      Given an instructions file that says "@rules/"
      And the file "/project/rules" holding "Be kind."
      When the instructions are loaded
      Then the files shown are "/project/agents.md", "/project/rules"

    Scenario: A slash behind a folder
      Given an instructions file that says "@rules/"
      And reading "/project/rules" fails with a directory error
      When the instructions are loaded
      Then loading fails with a directory error

  @AMD-IMPORT-22 @clarified
  Rule: A configured path that is relative stays so, and so do its relative imports

    Scenario: A handler that knows of no working folder
      Given the configured files "agents.md"
      And the file "agents.md" holding "@sub/b.md @../up.md"
      When the instructions are loaded
      Then the imports asked for are "sub/b.md", "../up.md"

  @AMD-IMPORT-23 @derived
  Rule: A configured file may have any name

    Scenario Outline: A file called "<path>"
      Given the configured files "<path>"
      And the file "<path>" holding "Answer in French."
      When the instructions are loaded
      Then the files shown are "<path>"

      Examples:
        | path                  |
        | /my folder/规则 a.md    |
        | /project/RULES        |
        | /project/.hidden      |
        | /project/check.py     |

  @AMD-IMPORT-24 @derived
  Rule: Imports are followed in every file that is loaded, whatever its kind

    Scenario Outline: An import in "<path>"
      Given the configured files "<path>"
      And the file "<path>" holding "// @b.md"
      When the instructions are loaded
      Then the imports asked for are "/project/b.md"

      Examples:
        | path                |
        | /project/conf.json  |
        | /project/check.py   |
        | /project/LICENSE    |

  @AMD-IMPORT-25 @documented
  Rule: The text of the importing file stays as it is, its imports included

    Scenario: Text around two imports
      Given the instructions file "/project/agents.md"
        """
        Before.
        @rules/style.md
        Between, see @b.md too.

        After.
        """
      And the file "/project/rules/style.md" holding "No tabs."
      When the instructions are loaded
      Then the section of "/project/agents.md" reads
        """
        Before.
        @rules/style.md
        Between, see @b.md too.

        After.
        """

  @AMD-IMPORT-26 @derived
  Rule: Only configured files and what they import are read; neighbours are not

    Scenario: A folder of rules, of which two are imported
      Given the files
        | path                              | content                                             |
        | /project/TEAM.md                  | Read @norms/tabs.md and @norms/plurals.md first      |
        | /project/norms/tabs.md            | No tabs.                                            |
        | /project/norms/plurals.md         | Plural nouns.                                       |
        | /project/norms/README.md          | Test first.                                         |
        | /project/design/layers.md         | Three layers.                                       |
      And the configured files "/project/TEAM.md"
      When the instructions are loaded
      Then in any order, the files shown are "/project/TEAM.md", "/project/norms/tabs.md", "/project/norms/plurals.md"
      And "/project/norms/README.md" is not read
      And "/project/design/layers.md" is not read
