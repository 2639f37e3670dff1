package loopspec

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

func TestEveryExportedNameIsDocumented(t *testing.T) {
	sources := func(file fs.FileInfo) bool { return !strings.HasSuffix(file.Name(), "_test.go") }
	set := token.NewFileSet()
	parsed, err := parser.ParseDir(set, ".", sources, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, file := range parsed["loopspec"].Files {
		files = append(files, file)
	}
	documented := func(name, text string) {
		first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "A "), "An "), " ")
		if ast.IsExported(name) && first != name {
			t.Errorf("the documentation of %s begins with %q", name, first)
		}
	}
	pkg, err := doc.NewFromFiles(set, files, "loopspec")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range pkg.Funcs {
		documented(one.Name, one.Doc)
	}
	for _, named := range pkg.Types {
		documented(named.Name, named.Doc)
		for _, one := range append(named.Funcs, named.Methods...) {
			documented(one.Name, one.Doc)
		}
	}
	if len(pkg.Types) < 30 || pkg.Doc == "" {
		t.Errorf("%d types are documented", len(pkg.Types))
	}
}
