Feature: The syntax of imports
  An instruction file imports other files with an at-sign: "@rules/style.md". The
  loader finds imports with one regular expression and a list of extensions, so an
  email address or the name of a package can also be an import. These rules say
  which parts of a text are imports.

  The text of each example is in "/project/agents.md". The column with the files
  lists all other files that the loader tries to read. Most of these files do not
  exist.

  @AMD-IMPORT-01 @documented
  Rule: An import is an at-sign followed by a path that does not begin with a hyphen

    Scenario Outline: The text "<text>"
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples: a path after the at-sign
        | text          | files                            |
        | see @b.md now | "/project/b.md"                  |
        | @@b.md        | "/project/b.md"                  |
        | @b.md@c.md    | "/project/b.md", "/project/c.md" |
        | @_b.md        | "/project/_b.md"                 |
        | @9.md         | "/project/9.md"                  |
        | @a-b_c~d.md   | "/project/a-b_c~d.md"            |

      Examples: no path after the at-sign or no at-sign
        | text   | files   |
        | @-b.md | nothing |
        | @ b.md | nothing |
        | b.md   | nothing |

  @AMD-IMPORT-02 @documented
  Rule: After an at-sign, a path with a slash is an import whatever its extension

    Scenario Outline: The text "<text>", a path with a slash
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples:
        | text            | files                     |
        | @src/main.go    | "/project/src/main.go"    |
        | @src/Makefile   | "/project/src/Makefile"   |
        | @docs/README.MD | "/project/docs/README.MD" |
        | @docs/a.md.bak  | "/project/docs/a.md.bak"  |

  @AMD-IMPORT-03 @documented
  Rule: After an at-sign, a path without a slash is an import if its extension is .md, .txt, .mdx, .yaml, .yml, .json or .toml

    Scenario Outline: The text "<text>", a listed extension
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples:
        | text    | files             |
        | @a.md   | "/project/a.md"   |
        | @a.txt  | "/project/a.txt"  |
        | @a.mdx  | "/project/a.mdx"  |
        | @a.yaml | "/project/a.yaml" |
        | @a.yml  | "/project/a.yml"  |
        | @a.json | "/project/a.json" |
        | @a.toml | "/project/a.toml" |
        | @a.b.md | "/project/a.b.md" |

  @AMD-IMPORT-04 @documented
  Rule: After an at-sign, a path without a slash is not an import if the list of import extensions lacks its extension

    Scenario Outline: The text "<text>", no listed extension
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then no file is imported
      And no warning is given

      Examples:
        | text               |
        | thanks to @someone |
        | mail @example.com  |
        | the @property here |
        | build @main.go     |
        | not @a.md.bak      |
        | nor @b.            |
        | nor @b.md-x        |

  @AMD-IMPORT-05 @clarified
  Rule: The extension of an import is compared case-sensitively

    Scenario Outline: The text "<text>", an extension with upper-case letters
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then no file is imported

      Examples:
        | text   |
        | @f.MD  |
        | @f.Md  |
        | @f.TXT |

  @AMD-IMPORT-06 @derived
  Rule: An import needs no white space before its at-sign

    Scenario Outline: The text "<text>", an at-sign inside a word
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples: the rest of the word is a path
        | text                              | files                              |
        | bob@company.md                    | "/project/company.md"              |
        | foo@b.md                          | "/project/b.md"                    |
        | bob@example.com/inbox             | "/project/example.com/inbox"       |
        | https://medium.com/@user/post     | "/project/user/post"               |
        | ssh://git@github.com/org/repo.git | "/project/github.com/org/repo.git" |

      Examples: the rest of the word is not a path with a slash or a listed extension
        | text                        | files   |
        | bob@example.com             | nothing |
        | git@github.com:org/repo.git | nothing |

  @AMD-IMPORT-07 @derived
  Rule: A scoped package name such as "@types/node" is an import

    Scenario: A package without a file of the same path
      Given an instruction file containing "install @types/node first"
      When the instructions are loaded
      Then the only file imported is "/project/types/node"
      And a warning is given

    Scenario: A package with a file of the same path
      Given an instruction file containing "install @types/node first"
      And the file "/project/types/node"
        """
        Use version 20.
        """
      When the instructions are loaded
      Then in any order, the loaded files are "/project/agents.md", "/project/types/node"

  @AMD-IMPORT-08 @derived
  Rule: A dot at the end of a path is part of the path, even if the dot ends a sentence

    Scenario: A path with a slash at the end of a sentence
      Given an instruction file containing "see @rules/s.md."
      When the instructions are loaded
      Then the only file imported is "/project/rules/s.md."
      And a warning is given

    Scenario: A path without a slash at the end of a sentence
      Given an instruction file containing "see @b.md."
      When the instructions are loaded
      Then no file is imported
      And no warning is given

    Scenario Outline: The text "<text>", which continues after the dot
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples: a path with a slash
        | text                         | files                               |
        | See @rules/s.md. Then go on. | "/project/rules/s.md."              |
        | See @rules/s.md.\nThen go.   | "/project/rules/s.md."              |
        | @./s.md.\r\n\tand @./t.md..  | "/project/s.md.", "/project/t.md.." |

      Examples: a path without a slash
        | text                     | files   |
        | See @b.md. Then go on.   | nothing |
        | See @b.md.\nThen go on.  | nothing |
        | (See @b.md.) Then go on. | nothing |

  @AMD-IMPORT-09 @derived
  Rule: Punctuation other than . _ ~ / - ends the path of an import

    Scenario Outline: The text "<text>", a path next to punctuation
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples: punctuation that ends the path
        | text        | files           |
        | @b.md, then | "/project/b.md" |
        | @b.md; then | "/project/b.md" |
        | @b.md: then | "/project/b.md" |
        | @b.md:12    | "/project/b.md" |
        | @b.md#part  | "/project/b.md" |
        | @b.md?      | "/project/b.md" |
        | @b.md!      | "/project/b.md" |
        | (@b.md)     | "/project/b.md" |
        | [@b.md]     | "/project/b.md" |
        | <@b.md>     | "/project/b.md" |
        | '@b.md'     | "/project/b.md" |
        | **@b.md**   | "/project/b.md" |
        | @b.md\|x    | "/project/b.md" |

      Examples: punctuation that belongs to the path
        | text      | files   |
        | _@b.md_   | nothing |
        | ~~@b.md~~ | nothing |
        | @b.md-    | nothing |

  @AMD-IMPORT-10 @derived
  Rule: Markdown code, comments and backslashes do not disable an import

    Scenario: In a code span
      Given an instruction file containing "write `@b.md` or ``@c.md`` to import"
      When the instructions are loaded
      Then the files imported are "/project/b.md", "/project/c.md"

    Scenario: In code blocks
      Given the instruction file "/project/agents.md"
        """
        For example:
        ```text
        @b.md
        ```
        or
        ~~~
        @c.md
        ~~~
        or

            @d.md
        """
      When the instructions are loaded
      Then the files imported are "/project/b.md", "/project/c.md", "/project/d.md"

    Scenario: In comments
      Given an instruction file containing "<!-- @b.md -->\n<!--\n@c.md\n-->"
      When the instructions are loaded
      Then the files imported are "/project/b.md", "/project/c.md"

    Scenario: After a backslash
      Given an instruction file containing "\\@b.md"
      When the instructions are loaded
      Then the only file imported is "/project/b.md"

  @AMD-IMPORT-11 @derived
  Rule: The path of an import contains only ASCII letters, ASCII digits and the characters . _ ~ / -

    Scenario Outline: The text "<text>", a character that no path contains
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples:
        | text            | files              |
        | @规则/s.md        | nothing            |
        | @rules/a样式.md   | "/project/rules/a" |
        | @dir/my file.md | "/project/dir/my"  |
        | @dir/a+b.md     | "/project/dir/a"   |
        | @dir/a%20b.md   | "/project/dir/a"   |
        | @dir/a\\b.md    | "/project/dir/a"   |
        | @b.mdé          | "/project/b.md"    |
        | @b.md。          | "/project/b.md"    |

  @AMD-IMPORT-13 @clarified
  Rule: Line endings, byte order marks, null bytes and invalid UTF-8 next to an import are not part of the import

    Scenario Outline: The text "<text>", special bytes next to an import
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the only file imported is "/project/b.md"

      Examples:
        | text              |
        | A\r\n@b.md\r\nB   |
        | \ufeff@b.md       |
        | \x00@b.md\x00     |
        | \xff\xfe@b.md\xff |

  @AMD-IMPORT-14 @derived
  Rule: All imports on one line are followed

    Scenario: Three imports on one line
      Given an instruction file containing "@a.md, @b.md and @rules/c.md"
      When the instructions are loaded
      Then the files imported are "/project/a.md", "/project/b.md", "/project/rules/c.md"

  @AMD-IMPORT-15 @clarified
  Rule: The extension of an import begins at its last dot, even if that dot is the first character

    Scenario Outline: The text "<text>", a path with a leading dot
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples:
        | text            | files                     |
        | @.md            | "/project/.md"            |
        | @.json          | "/project/.json"          |
        | @.env           | nothing                   |
        | @.github/owners | "/project/.github/owners" |

  @AMD-IMPORT-21 @clarified
  Rule: After an at-sign, a path of dots is an import only if the path contains a slash

    Scenario Outline: The text "<text>", a path of dots
      Given an instruction file containing "<text>"
      When the instructions are loaded
      Then the files imported are <files>

      Examples:
        | text | files      |
        | @.   | nothing    |
        | @..  | nothing    |
        | @... | nothing    |
        | @./  | "/project" |
        | @../ | "/"        |
