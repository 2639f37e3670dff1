Feature: Reading at the boundaries of content
  A backend returns all stored bytes. Typical bugs replace invalid UTF-8, normalize text, remove white space, lose the
  end of a file whose size is that of a buffer, or end the lines of a range at characters other than line feeds. In the
  content of a file, \n, \r, \uXXXX and \xXX stand for characters and bytes.

  @BACKEND-07 @clarified
  Rule: A backend returns bytes that are not valid UTF-8 without changes

    Scenario Outline: Not UTF-8: <content>
      Given the stored file "notes.md" containing "<bytes>"
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

      Examples:
        | content                         | bytes                    |
        | A text in Latin-1               | Gr\xfc\xdfe              |
        | A text in UTF-16                | \xff\xfeO\x00n\x00e\x00 |
        | A single continuation byte      | One\x80Two               |
        | A truncated character           | One\xe2\x82              |
        | An overlong slash               | One\xc0\xafTwo           |
        | A surrogate encoded as UTF-8    | One\xed\xa0\x80Two       |
        | A byte that UTF-8 never has     | \xfe                     |
        | A text compressed by gzip       | \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xf3\xcf\x4b\x05\x00\x11\xc0\x21\x42\x03\x00\x00\x00 |

    Scenario Outline: Lines that are not UTF-8: <content>
      Given the stored file "notes.md" containing "<bytes>"
      When 1 lines of "notes.md" are read from the backend, from line 2
      Then the content read is "<line>"

      Examples:
        | content                      | bytes                      | line         |
        | An invalid byte in the range | one\nGr\xfc\xdfe           | Gr\xfc\xdfe  |
        | An invalid byte before the range | \xff\xfe\ntwo         | two          |
        | A truncated character in the range | one\ntwo\xe2\x82    | two\xe2\x82  |

  @BACKEND-08 @clarified
  Rule: A backend does not change the Unicode form of a content

    Scenario Outline: Unicode form: <content>
      Given the stored file "notes.md" containing "<text>"
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

      Examples:
        | content                       | text                 |
        | A composed letter             | caf\u00e9            |
        | A decomposed letter           | cafe\u0301           |
        | A sign with a canonical twin  | 5 \u212b             |
        | A ligature                    | \ufb01le             |
        | Decomposed Hangul             | \u1112\u1161\u11ab   |

  @BACKEND-09 @clarified
  Rule: A backend returns the white space at both ends of a file

    Scenario Outline: White space: <content>
      Given the stored file "notes.md" containing "<text>"
      When "notes.md" is read from the backend
      Then the content read is "<text>"

      Examples:
        | content                    | text              |
        | Spaces before the text     | \x20\x20One       |
        | Spaces after the text      | One\x20\x20       |
        | A tab on each side         | \tOne\t           |
        | Three line feeds at the end | One\n\n\n        |
        | Only line feeds            | \n\n              |
        | Only spaces                | \x20\x20\x20      |
        | A form feed at the end     | One\x0c           |
        | A no-break space at the end | One\u00a0        |

  @BACKEND-10 @clarified
  Rule: A backend returns files of every size in full

    Scenario Outline: A file of <size> bytes
      Given the stored file "notes.md" of <size> bytes
      When "notes.md" is read from the backend
      Then the content read equals the stored bytes

      Examples: Around the usual sizes of buffers
        | size   |
        | 1      |
        | 4095   |
        | 4096   |
        | 4097   |
        | 8192   |
        | 65535  |
        | 65536  |
        | 65537  |
        | 131072 |

      Examples: Larger than the usual limits of messages and parts
        | size     |
        | 1048576  |
        | 10000000 |

    Scenario Outline: Ten files of one line of <size> bytes
      Given the stored files "0.md" to "9.md", each of <size> bytes with different content
      When the stored files are read from the backend one after the other
      Then each content read equals the stored bytes

      Examples: Around the usual limits of lines
        | size   |
        | 65536  |
        | 65537  |
        | 200000 |

  @BACKEND-11 @clarified
  Rule: A range of lines has the line endings of the stored file

    Scenario Outline: Line <first>, and up to <count> lines, of "<text>"
      Given the stored file "notes.md" containing "<text>"
      When <count> lines of "notes.md" are read from the backend, from line <first>
      Then the content read is "<read>"

      Examples:
        | text                   | first | count | read           |
        | one\r\ntwo\r\nthree\r\n | 2     | 1     | two\r\n        |
        | one\r\ntwo\r\nthree\r\n | 1     | 2     | one\r\ntwo\r\n |
        | one\ntwo\r\nthree\n    | 2     | 2     | two\r\nthree\n |
        | one\n\n\nfour\n        | 2     | 2     | \n\n           |
        | one \n two \nthree\n  | 2     | 1     | \x20two\x20\n  |

  @BACKEND-12 @clarified
  Rule: Only a line feed ends a line in a range of lines

    Scenario Outline: <character> inside line 1
      Given the stored file "notes.md" containing "one<sign>still one\ntwo\n"
      When 1 lines of "notes.md" are read from the backend, from line 2
      Then the content read is "two\n"

      Examples:
        | character             | sign   |
        | A carriage return     | \r     |
        | A vertical tab        | \x0b   |
        | A form feed           | \x0c   |
        | A file separator      | \x1c   |
        | A next line character | \u0085 |
        | A line separator      | \u2028 |
        | A zero byte           | \x00   |

  @BACKEND-13 @clarified
  Rule: The text after the last line feed is the last line of a range of lines

    Scenario Outline: From line <first>, <count> lines of "<text>"
      Given the stored file "notes.md" containing "<text>"
      When <count> lines of "notes.md" are read from the backend, from line <first>
      Then the content read is "<read>"

      Examples:
        | text            | first | count | read     |
        | one\ntwo        | 2     | 1     | two      |
        | one\ntwo        | 2     | 0     | two      |
        | one             | 1     | 1     | one      |
        | one\ntwo\nthree | 2     | 5     | two\nthree |
        | one\n\x20       | 2     | 1     | \x20     |

    Scenario: Ranges that end with the file, and the whole file
      Given the stored file "notes.md" containing "one\ntwo"
      When calls of the backend are made in order
        | call | path     | first line | lines |
        | read | notes.md | 2          | 1     |
        | read | notes.md | 2          |       |
        | read | notes.md |            |       |
      Then read 1 returns "two"
      And read 2 returns "two"
      And read 3 returns "one\ntwo"
