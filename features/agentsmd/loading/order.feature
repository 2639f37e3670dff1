Feature: The order of files
  The instructions contain one file after the other. The document fixes the order
  of configured files, and that an imported file comes after its importing file. The
  rest of the order is our choice: depth first. The loaded files are the files whose
  content the instructions contain.

  @AMD-ORDER-03 @documented
  Rule: The instructions contain the configured files in the configured order

    Scenario: Three files shown in an order other than by name
      Given the files
        | path       | content |
        | /p/zeta.md | First.  |
        | /p/beta.md | Second. |
        | /p/iota.md | Third.  |
      And the configured files "/p/zeta.md", "/p/beta.md", "/p/iota.md"
      When the instructions are loaded
      Then the loaded files are "/p/zeta.md", "/p/beta.md", "/p/iota.md"
      And the section of "/p/iota.md" is exactly
        """
        Third.
        """

  @AMD-ORDER-11 @documented
  Rule: Configured files are read in the configured order

    Scenario: Three files without an import
      Given the files
        | path       | content |
        | /p/zeta.md | First.  |
        | /p/beta.md | Second. |
        | /p/iota.md | Third.  |
      And the configured files "/p/zeta.md", "/p/beta.md", "/p/iota.md"
      When the instructions are loaded
      Then the files read are "/p/zeta.md", "/p/beta.md", "/p/iota.md"

  @AMD-ORDER-12 @documented
  Rule: The instructions contain an imported file after the file that imports it

    Scenario: A chain of three files
      Given the files
        | path    | content      |
        | /p/c.md | First @a.md  |
        | /p/a.md | Second @b.md |
        | /p/b.md | Third        |
      And the configured file "/p/c.md"
      When the instructions are loaded
      Then "/p/a.md" comes after "/p/c.md"
      And "/p/b.md" comes after "/p/a.md"

  @AMD-ORDER-01 @clarified
  Rule: In the instructions, the imports of a file directly follow the file, in depth-first order

    Scenario: Two branches, one of them with two further branches
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md @e.md |
        | /p/c.md | C @f.md       |
        | /p/d.md | D             |
        | /p/e.md | E             |
        | /p/f.md | F             |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md", "/p/d.md", "/p/e.md", "/p/c.md", "/p/f.md"

  @AMD-ORDER-02 @clarified
  Rule: The instructions contain the imports of a file in the order of their first occurrence in the file

    Scenario: Imports in an order other than by name, one of them repeated
      Given the files
        | path    | content                   |
        | /p/a.md | A @z.md @m.md @b.md @m.md |
        | /p/b.md | B                         |
        | /p/m.md | M                         |
        | /p/z.md | Z                         |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/z.md", "/p/m.md", "/p/b.md"

  @AMD-ORDER-04 @clarified
  Rule: The instructions contain the imports of a configured file before the next configured file

    Scenario: Two configured files, the first with an import
      Given the files
        | path    | content |
        | /p/a.md | A @i.md |
        | /p/b.md | B       |
        | /p/i.md | I       |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/i.md", "/p/b.md"

  @AMD-ORDER-05 @clarified
  Rule: Files are read in the order in which the instructions contain them

    Scenario: Two branches and a second configured file
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C             |
        | /p/d.md | D             |
        | /p/e.md | E             |
      And the configured files "/p/a.md", "/p/e.md"
      When the instructions are loaded
      Then the files read are "/p/a.md", "/p/b.md", "/p/d.md", "/p/c.md", "/p/e.md"
