Feature: The names of stored files
  People choose the names of instruction files. A backend that builds an address, a pattern or a command from a name
  without escaping reads another file, or no file. A store can refuse a name that the store cannot hold, and a refusal
  passes the rules. A store never changes the name. In a name, \n, \uXXXX and \xXX stand for characters. A store that
  ignores case declares a posture, and is judged by BACKEND-22.

  @BACKEND-14 @clarified
  Rule: A backend never takes a name with characters of a URL for another name

    Scenario Outline: The name <name>, with a character of addresses
      Given a stored file named "<name>"
      And a stored file named "notes"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | name             |
        | notes%2emd       |
        | notes%           |
        | 100%zz.md        |
        | notes#section.md |
        | notes?version=2  |
        | notes+more.md    |
        | notes&more=1.md  |
        | notes:stream     |
        | notes;v=1        |
        | notes@2          |
        | http%3a/notes    |

  @BACKEND-15 @clarified
  Rule: A backend never takes a name with wildcards or characters of a shell for another name

    Scenario Outline: The name <name>, with a character of patterns
      Given a stored file named "<name>"
      And a stored file named "notes.md"
      And a stored file named "home/notes.md"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | name            |
        | *.md            |
        | no*es.md        |
        | notes.m[d]      |
        | {notes,more}.md |
        | $HOME.md        |
        | $(notes).md     |
        | ~/notes.md      |
        | !notes.md       |
        | notes.md^       |
        | notes,more.md   |

  @BACKEND-16 @clarified
  Rule: A backend never takes a name with quotes, backslashes or control characters for another name

    Scenario Outline: <character> in a name
      Given a stored file named "<name>"
      And a stored file named "docs/notes.md"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | character            | name              |
        | A quote              | it's.md           |
        | Double quotes        | \x22notes\x22.md  |
        | A backtick           | `notes`.md        |
        | A backslash          | docs\x5cnotes.md  |
        | A backslash and an n | docs\x5cnew\x5cn.md |
        | A line feed          | notes\n.md        |
        | A carriage return    | notes\r.md        |
        | A tab                | notes\t.md        |
        | A control character  | notes\x07.md      |
        | A delete character   | notes\x7f.md      |

  @BACKEND-17 @clarified
  Rule: Two names that differ only in the Unicode form are two files, unless the backend refuses one of them

    Scenario Outline: Two names: <names>
      Given a stored file named "<first>"
      And a stored file named "<second>"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | names                                | first           | second           |
        | A composed and a decomposed letter   | caf\u00e9.md    | cafe\u0301.md    |
        | A sign and its canonical twin        | \u212b.md       | \u00c5.md        |
        | A ligature and its letters           | \ufb01le.md     | file.md          |
        | Full-width and usual digits          | notes\uff12.md  | notes2.md        |
        | A no-break space and a space         | my\u00a0notes   | my notes         |
        | A zero-width space and none          | my\u200bnotes   | mynotes          |

    Scenario Outline: Only the second of two names is stored: <names>
      Given the stored file "<stored>" containing "Be brief."
      When the stored files are read from the backend one after the other, and "<name>" last
      Then each content read equals the stored bytes, and reading "<name>" fails

      Examples:
        | names                       | name           | stored    |
        | A sign and its ASCII twin   | more\u037e.md  | more;.md  |
        | Full-width and usual digits | notes\uff12.md | notes2.md |

  @BACKEND-18 @clarified
  Rule: A backend never takes a long name for another name

    Scenario Outline: <count> times "<text>"
      Given a stored file whose name is "<text>" <count> times
      And a stored file named "notes.md"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples: In bytes around the limit of most disks
        | text | count |
        | n    | 64    |
        | n    | 143   |
        | n    | 254   |
        | n    | 255   |
        | n    | 256   |

      Examples: In characters of two, three and four bytes
        | text       | count |
        | \u00fc     | 127   |
        | \u89c4     | 85    |
        | 😀         | 63    |

      Examples: In deep folders
        | text  | count |
        | docs/n | 30   |

    Scenario Outline: Two names of <count> characters that differ in the last one
      Given a stored file whose name is "n" <before> times, then "1"
      And a stored file whose name is "n" <before> times, then "2"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | count | before |
        | 65    | 64     |
        | 129   | 128    |
        | 255   | 254    |
        | 256   | 255    |

    Scenario: A stored name of 255 letters, and a name of 256 of them
      Given a stored file whose name is "n" 255 times
      When a name of 256 characters is written to the backend, and read with the stored files
      Then each content read equals the stored bytes, and the written file is read or refused

  @BACKEND-19 @clarified
  Rule: A name that begins or ends with a dot, a dash or a space is refused by the backend or kept apart from other names

    Scenario Outline: The name "<name>"
      Given a stored file named "<name>"
      And a stored file named "notes"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | name       |
        | -notes     |
        | --help     |
        | .notes     |
        | ...        |
        | notes.     |
        | notes-     |
        | \x20notes  |
        | notes\x20  |
        | docs /notes |
        | nul        |

  @BACKEND-21 @clarified @axis:case-of-names
  Rule: In a store without the posture case-of-names=one-name, two names that differ only in case are two files

    Scenario Outline: The names "<first>" and "<second>"
      Given a stored file named "<first>"
      And a stored file named "<second>"
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes, unless the backend refuses the name

      Examples:
        | first         | second        |
        | notes.md      | NOTES.md      |
        | agents.md     | AGENTS.md     |
        | docs/notes.md | Docs/notes.md |
        | \u00e9t\u00e9  | \u00c9t\u00e9  |

  @BACKEND-22 @clarified @axis:case-of-names=one-name
  Rule: In a store with the posture case-of-names=one-name, two names that differ only in case are one file

    Scenario Outline: A read of "<other>" where "<stored>" is stored
      Given the stored file "<stored>" containing "Answer in French."
      When calls of the backend are made in order
        | call | path     |
        | read | <stored> |
        | read | <other>  |
      Then read 1 returns "Answer in French."
      And read 2 returns "Answer in French."

      Examples: In the root
        | stored        | other         |
        | notes.md      | NOTES.md      |
        | AGENTS.md     | agents.md     |
        | Agents.MD     | aGENTS.md     |
        | README        | readme        |

      Examples: In folders
        | stored        | other         |
        | docs/notes.md | Docs/notes.md |
        | Docs/Notes.md | docs/notes.md |
        | A/b/C.md      | a/B/c.md      |

    Scenario Outline: A write of "<other>" where "<stored>" is stored
      Given the stored file "<stored>" containing "one"
      When calls of the backend are made in order
        | call  | path     | content |
        | read  | <stored> |         |
        | write | <other>  | two     |
        | read  | <stored> |         |
        | read  | <other>  |         |
      Then read 1 returns "one"
      And read 2 returns "two"
      And read 3 returns "two"

      Examples:
        | stored        | other         |
        | notes.md      | NOTES.md      |
        | AGENTS.md     | Agents.md     |
        | docs/notes.md | Docs/notes.md |
        | Docs/notes.md | docs/NOTES.MD |

    Scenario: Writes of a file under three names
      Given the stored file "notes.md" containing "one"
      When calls of the backend are made in order
        | call  | path     | content |
        | write | NOTES.md | two     |
        | write | Notes.md | three   |
        | write | notes.md | four    |
        | read  | NOTES.md |         |
        | read  | Notes.md |         |
        | read  | notes.md |         |
      Then read 1 returns "four"
      And read 2 returns "four"
      And read 3 returns "four"

    Scenario: A new file in a folder under another name
      Given the stored file "docs/notes.md" containing "one"
      When calls of the backend are made in order
        | call  | path          | content |
        | write | DOCS/more.md  | two     |
        | read  | docs/more.md  |         |
        | read  | DOCS/notes.md |         |
      Then read 1 returns "two"
      And read 2 returns "one"

    Scenario Outline: A name with other characters: <missing>
      Given the stored file "<stored>" containing "Answer in French."
      When calls of the backend are made in order
        | call | path      |
        | read | <other>   |
        | read | <missing> |
      Then read 1 returns "Answer in French."
      And read 2 fails with a missing-file error

      Examples:
        | stored       | other        | missing      |
        | notes.md     | NOTES.md     | NOTE.md      |
        | notes.md     | NOTES.md     | NOTES.mdx    |
        | notes.md     | NOTES.md     | N0TES.md     |
        | notes[1].md  | NOTES[1].md  | notes{1}.md  |
        | notes_1.md   | NOTES_1.md   | notes-1.md   |

  @BACKEND-20 @clarified
  Rule: A backend stores a written file under the given name or refuses the name

    Scenario Outline: Writing a file: <name>
      Given a stored file named "notes.md"
      And a stored file named "docs/more.md"
      When "<path>" is written to the backend, and read with the stored files
      Then each content read equals the stored bytes, and the written file is read or refused

      Examples: Names that most stores can store
        | name               | path          |
        | A new file         | new.md        |
        | A file in a new folder | new/notes.md |

      Examples: Names that many stores cannot store
        | name                     | path               |
        | A name with a zero byte  | notes.md\x00.md    |
        | A name below a file      | notes.md/inner.md  |
        | The name of a folder     | docs               |
        | A name with a line feed  | notes\n.md         |
        | A name that ends with a slash | new.md/       |
        | A name with doubled slashes | docs//new.md    |
        | A name with a dot segment | docs/./new.md     |

    Scenario: A name of 5,000 characters
      Given a stored file named "notes.md"
      When a name of 5000 characters is written to the backend, and read with the stored files
      Then each content read equals the stored bytes, and the written file is read or refused
