Feature: Imports after mentions
  Some tools leave the mention in the text when they import the mentioned file: the content of the file follows the
  mention. The model sees which file the text is from. A file that the model has received already is not repeated: a
  note says so.

  {name} stands for the usual file name of the tool, for example AGENTS.md.

  @INS-IMPORT-52 @clarified @axis:imports=after-mention
  Rule: In a dialect with imports=after-mention, the content of an imported file follows its mention

    Scenario: A mention between two words, which stays
      Given the Git repository "project"
      And the workspace file "project/notes.md" with nothing but "Be brief."
      And the workspace file "project/{name}" containing "before @./notes.md after\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "before @./notes.md", "Be brief." and "after"

    Scenario: An import of an imported file, relative to the folder of that file
      Given the Git repository "project"
      And the workspace file "project/docs/style.md" with nothing but "Be brief."
      And the workspace file "project/docs/notes.md" with nothing but "first @./style.md last"
      And the workspace file "project/{name}" containing "@./docs/notes.md\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "first @./style.md", "Be brief." and "last"

  @INS-IMPORT-55 @clarified @axis:import-depth=8
  Rule: In a dialect with import-depth=8, only imports up to eight levels deep are loaded

    Scenario: A chain of nine imports
      Given the Git repository "project"
      And workspace files with contents
        | path           | content |
        | project/{name} | @./1.md |
        | project/1.md   | @./2.md |
        | project/2.md   | @./3.md |
        | project/3.md   | @./4.md |
        | project/4.md   | @./5.md |
        | project/5.md   | @./6.md |
        | project/6.md   | @./7.md |
        | project/7.md   | @./8.md |
        | project/8.md   | @./9.md |
        | project/9.md   | Be rich |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md", "project/3.md", "project/4.md", "project/5.md", "project/6.md", "project/7.md", "project/8.md"
      And the loaded text contains "@./9.md"

  @INS-IMPORT-57 @clarified @axis:import-repeat=once-per-file
  Rule: In a dialect with import-repeat=once-per-file, a file that an instruction file imports twice is loaded once for this instruction file

    Scenario: Two mentions of a file in one instruction file
      Given the Git repository "project"
      And the workspace files "project/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: Two instruction files that import the same file
      Given the Git repository "project"
      And the workspace files "project/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n"
      And the workspace file "project/a/{name}" containing "@../notes.md\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md", "project/a/{name}", "project/notes.md"

    Scenario: An import of the instruction file of the folder below, which is loaded twice
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "@./a/{name}\n"
      And the workspace files "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/{name}"

  @INS-IMPORT-58 @clarified @axis:import-cycle=note @axis:imports=after-mention
  Rule: In a dialect with import-cycle=note, a note about the loaded file follows a mention that closes an import cycle

    Scenario: A note after a mention in two files that import each other
      Given the Git repository "project"
      And workspace files with contents
        | path           | content              |
        | project/{name} | @./1.md              |
        | project/1.md   | @./2.md              |
        | project/2.md   | before @./1.md after |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md"
      And the loaded text contains, in this order, "before @./1.md", "1.md" and "after"
