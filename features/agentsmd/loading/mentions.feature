Feature: Which words of an instructions file are imports
  An instructions file names further files with an at-sign: "@rules/style.md".
  What counts as such an import is decided by the characters alone, so people,
  addresses and package names can look like one. These rules say which do.

  In the tables, "asks for" lists every file the loader tries to read besides
  "/project/agents.md", in which the text stands. None of them exists.

  @AMD-IMPORT-01 @documented
  Rule: An at-sign and the path characters after it name a file, wherever they stand; a hyphen may follow but not lead

    Scenario Outline: "<text>" asks for <files>
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples: a name follows the at-sign
        | text          | files                          |
        | see @b.md now | /project/b.md                  |
        | @@b.md        | /project/b.md                  |
        | @b.md@c.md    | /project/b.md, /project/c.md   |
        | @_b.md        | /project/_b.md                 |
        | @9.md         | /project/9.md                  |
        | @a-b_c~d.md   | /project/a-b_c~d.md            |

      Examples: no name follows it, or no at-sign leads it
        | text   | files   |
        | @-b.md | nothing |
        | @ b.md | nothing |
        | b.md   | nothing |

  @AMD-IMPORT-02 @documented
  Rule: With a slash in it, a name is an import whatever its ending

    Scenario Outline: "<text>" asks for <files>, ending and all
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples:
        | text             | files                  |
        | @src/main.go     | /project/src/main.go   |
        | @src/Makefile    | /project/src/Makefile  |
        | @docs/README.MD  | /project/docs/README.MD |
        | @docs/a.md.bak   | /project/docs/a.md.bak |

  @AMD-IMPORT-03 @documented
  Rule: Without a slash, a name is an import when it ends in md, txt, mdx, yaml, yml, json or toml

    Scenario Outline: "<text>" has a listed ending
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples:
        | text       | files               |
        | @a.md      | /project/a.md       |
        | @a.txt     | /project/a.txt      |
        | @a.mdx     | /project/a.mdx      |
        | @a.yaml    | /project/a.yaml     |
        | @a.yml     | /project/a.yml      |
        | @a.json    | /project/a.json     |
        | @a.toml    | /project/a.toml     |
        | @a.b.md    | /project/a.b.md     |

  @AMD-IMPORT-04 @documented
  Rule: Without a slash, any other name is left alone, and nobody is warned

    Scenario Outline: "<text>" is no import
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are nothing
      And no warning is given

      Examples:
        | text                  |
        | thanks to @someone    |
        | mail @example.com     |
        | the @property here    |
        | build @main.go        |
        | not @a.md.bak         |
        | nor @b.               |
        | nor @b.md-x           |

  @AMD-IMPORT-05 @clarified
  Rule: Endings are compared in lower case only

    Scenario Outline: "<text>" has no listed ending
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are nothing

      Examples:
        | text   |
        | @f.MD  |
        | @f.Md  |
        | @f.TXT |

  @AMD-IMPORT-06 @derived
  Rule: The at-sign needs no gap before it, so the tail of an address or a link can be an import

    Scenario Outline: "<text>" asks for <files>, though nobody meant it
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples: the tail looks like a path
        | text                              | files                            |
        | bob@company.md                    | /project/company.md              |
        | foo@b.md                          | /project/b.md                    |
        | bob@example.com/inbox             | /project/example.com/inbox       |
        | https://medium.com/@user/post     | /project/user/post               |
        | ssh://git@github.com/org/repo.git | /project/github.com/org/repo.git |

      Examples: the tail does not
        | text                        | files   |
        | bob@example.com             | nothing |
        | git@github.com:org/repo.git | nothing |

  @AMD-IMPORT-07 @derived
  Rule: A package name with a scope holds a slash and is an import like any other

    Scenario: A package that is no file
      Given an instructions file that says "install @types/node first"
      When the instructions are loaded
      Then the imports asked for are "/project/types/node"
      And a warning is given

    Scenario: A package that is a file too
      Given an instructions file that says "install @types/node first"
      And the file "/project/types/node"
        """
        Use version 20.
        """
      When the instructions are loaded
      Then in any order, the files shown are "/project/agents.md", "/project/types/node"

  @AMD-IMPORT-08 @derived
  Rule: A dot belongs to the name, even the one that ends a sentence

    Scenario: With a slash, the name with the dot is asked for
      Given an instructions file that says "see @rules/s.md."
      When the instructions are loaded
      Then the imports asked for are "/project/rules/s.md."
      And a warning is given

    Scenario: Without a slash, the name with the dot has no listed ending
      Given an instructions file that says "see @b.md."
      When the instructions are loaded
      Then the imports asked for are nothing
      And no warning is given

  @AMD-IMPORT-09 @derived
  Rule: Any other character ends the name; hyphen, underscore and tilde do not

    Scenario Outline: "<text>" asks for <files>, and no more
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples: the name ends
        | text        | files         |
        | @b.md, then | /project/b.md |
        | @b.md; then | /project/b.md |
        | @b.md: then | /project/b.md |
        | @b.md:12    | /project/b.md |
        | @b.md#part  | /project/b.md |
        | @b.md?      | /project/b.md |
        | @b.md!      | /project/b.md |
        | (@b.md)     | /project/b.md |
        | [@b.md]     | /project/b.md |
        | <@b.md>     | /project/b.md |
        | '@b.md'     | /project/b.md |
        | **@b.md**   | /project/b.md |
        | @b.md\|x    | /project/b.md |

      Examples: the name goes on, and has no listed ending any more
        | text       | files   |
        | _@b.md_    | nothing |
        | ~~@b.md~~  | nothing |
        | @b.md-     | nothing |

  @AMD-IMPORT-10 @derived
  Rule: Code, comments and backslashes protect nothing: the text is not read as Markdown

    Scenario: Inside a code span
      Given an instructions file that says "write `@b.md` to import"
      When the instructions are loaded
      Then the imports asked for are "/project/b.md"

    Scenario: Inside a fenced block
      Given the instructions file "/project/agents.md"
        """
        For example:
        ```text
        @b.md
        ```
        """
      When the instructions are loaded
      Then the imports asked for are "/project/b.md"

    Scenario: Inside a comment
      Given an instructions file that says "<!-- @b.md -->"
      When the instructions are loaded
      Then the imports asked for are "/project/b.md"

    Scenario: After a backslash
      Given an instructions file that says "\\@b.md"
      When the instructions are loaded
      Then the imports asked for are "/project/b.md"

  @AMD-IMPORT-11 @derived
  Rule: Only ASCII letters and digits belong to a name; anything else ends it, if need be in the middle

    Scenario Outline: "<text>" asks for <files>, cut where ASCII ends
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples:
        | text            | files              |
        | @规则/s.md        | nothing            |
        | @rules/a样式.md   | /project/rules/a   |
        | @dir/my file.md | /project/dir/my    |
        | @dir/a+b.md     | /project/dir/a     |
        | @dir/a%20b.md   | /project/dir/a     |
        | @dir/a\\b.md    | /project/dir/a     |
        | @b.mdé          | /project/b.md      |
        | @b.md。           | /project/b.md      |

  @AMD-IMPORT-13 @clarified
  Rule: Line ends, byte order marks, zero bytes and broken UTF-8 beside an import do not disturb it

    Scenario Outline: "<text>" asks for one file
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are "/project/b.md"

      Examples:
        | text              |
        | A\r\n@b.md\r\nB   |
        | \ufeff@b.md       |
        | \x00@b.md\x00     |
        | \xff\xfe@b.md\xff |

  @AMD-IMPORT-14 @derived
  Rule: Every import on a line is followed

    Scenario: Three on one line
      Given an instructions file that says "@a.md, @b.md and @rules/c.md"
      When the instructions are loaded
      Then the imports asked for are "/project/a.md", "/project/b.md", "/project/rules/c.md"

  @AMD-IMPORT-15 @clarified
  Rule: A name that is only a dot and a listed ending is an import; other names that begin with a dot need a slash

    Scenario Outline: "<text>" asks for <files>, dot first
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples:
        | text            | files                     |
        | @.md            | /project/.md              |
        | @.json          | /project/.json            |
        | @.env           | nothing                   |
        | @.github/owners | /project/.github/owners   |

  @AMD-IMPORT-16 @clarified
  Rule: A tilde is an ordinary character and means no home folder

    Scenario: In an import
      Given an instructions file that says "@~/x.md"
      When the instructions are loaded
      Then the imports asked for are "/project/~/x.md"

    Scenario: In the configuration
      Given the configured files "~/agents.md"
      When the instructions are loaded
      Then the files read are "~/agents.md"

  @AMD-IMPORT-21 @clarified
  Rule: A name of dots alone is no import; with a slash it is a folder's path

    Scenario Outline: "<text>" asks for <files>, for what it is worth
      Given an instructions file that says "<text>"
      When the instructions are loaded
      Then the imports asked for are <files>

      Examples:
        | text  | files    |
        | @.    | nothing  |
        | @..   | nothing  |
        | @...  | nothing  |
        | @./   | /project |
        | @../  | /        |
