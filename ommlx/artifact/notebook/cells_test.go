package notebook

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

type cell struct {
	Type    string `json:"cell_type"`
	Source  []string
	Outputs []struct {
		Text []string
		Data struct {
			Markdown []string `json:"text/markdown"`
		}
	}
	Metadata struct {
		Folded    bool `json:"jp-MarkdownHeadingCollapsed"`
		Execution any  `json:"execution"` // execution times; must be absent
		Jupyter   struct {
			Hidden bool `json:"source_hidden"`
		} `json:"jupyter"`
	} `json:"metadata"`
}

// notebooks returns the cells of every committed notebook by file name, and the folder of the notebooks. It also
// extracts the others.
func notebooks(t *testing.T, others ...string) (all map[string][]cell, folder string) {
	folder = filepath.Join(testkit.Committed(t, append(others, "notebooks")...), "notebooks")
	files := testkit.Must(filepath.Glob(filepath.Join(folder, "*.ipynb")))
	require.NotEmpty(t, files)
	all = map[string][]cell{}
	for _, file := range files {
		text := testkit.Must(os.ReadFile(file))
		var read struct{ Cells []cell }
		require.NoError(t, json.Unmarshal(text, &read), file)
		all[filepath.Base(file)] = read.Cells
	}
	return all, folder
}

// source returns the text of a cell.
func (c cell) source() string { return strings.Join(c.Source, "") }

// printed returns the outputs of cells, with tables in Markdown.
func printed(cells []cell) string {
	var out strings.Builder
	for _, c := range cells {
		for _, o := range c.Outputs {
			out.WriteString(strings.Join(o.Text, ""))
			if o.Data.Markdown != nil {
				out.WriteString(strings.Join(o.Data.Markdown, "") + "\n")
			}
		}
	}
	return out.String()
}

// standard lists the packages that GoNB imports automatically.
var standard = []string{"cmp", "context", "encoding/json", "fmt", "log", "math", "os", "runtime/debug", "slices",
	"strconv", "strings", "sync", "time"}

// TestNotebooksCompile type-checks each cell as GoNB compiles it, with the declarations of earlier cells. It does the
// same with each change that a notebook suggests; `make -f .ci/Makefile tries` runs the changed cells. Every notebook
// has a section Try, and each line of that section suggests a change.
func TestNotebooksCompile(t *testing.T) {
	all, folder := notebooks(t, ".ci/tries")
	copies := t.TempDir()
	out, err := exec.Command(filepath.Join(folder, "..", ".ci", "tries"), "--to", copies).CombinedOutput()
	require.NoError(t, err, string(out))
	code := map[string][]string{}
	for name, cells := range all {
		suggestions := 0
		for _, c := range cells {
			if c.Type == "code" {
				code[name] = append(code[name], c.source())
			}
			_, try, _ := strings.Cut(c.source(), "## Try\n\n")
			list, _, _ := strings.Cut(try, "\n\n")
			for line := range strings.Lines(list) {
				assert.Regexp(t, "^- .*`[^`]+` → `[^`]+`", line, "%s: no suggested change", name)
				suggestions++
			}
		}
		assert.Positive(t, suggestions, "%s: no suggestions", name)
		var changed struct{ Cells []struct{ Source string } }
		require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join(copies, name))), &changed))
		for _, c := range changed.Cells {
			code["changed "+name] = append(code["changed "+name], c.Source)
		}
	}
	compile(t, code)
}

func compile(t *testing.T, all map[string][]string) {
	imported, imports := slices.Clone(standard), regexp.MustCompile(`(?m)^(?:import |\t)(?:\. )?"([^"]+)"$`)
	for _, cells := range all {
		for _, found := range imports.FindAllStringSubmatch(strings.Join(cells, "\n"), -1) {
			imported = append(imported, found[1])
		}
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", exported(imported))
	for name, cells := range all {
		set, all := token.NewFileSet(), declarations{}
		for _, path := range standard {
			all.imports = append(all.imports, &ast.ImportSpec{Path: &ast.BasicLit{Value: strconv.Quote(path)}})
		}
		for i, cell := range cells {
			text := body(cell)
			file := testkit.Must(parser.ParseFile(set, fmt.Sprintf("%s, cell %d", name, i+1), text, 0))
			check := types.Config{Importer: compiled, Error: func(err error) {
				if text := err.Error(); !strings.Contains(text, " imported ") { // unused imports, which GoNB removes
					assert.Fail(t, text)
				}
			}}
			_, _ = check.Check("main", set, []*ast.File{all.with(file)}, nil) // errors are reported above
		}
	}
}

// exported returns a lookup of compiled export data for packages and all their imports.
func exported(packages []string) func(path string) (io.ReadCloser, error) {
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, packages...)
	out := testkit.Must(exec.Command("go", args...).Output())
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// body returns a cell as a file of Go. The part after a line %% is the body of main.
func body(cell string) string {
	ofShell := func(line string) bool { return strings.HasPrefix(line, "!") }
	lines := slices.DeleteFunc(strings.Split(cell, "\n"), ofShell)
	declared, body, _ := strings.Cut("\n"+strings.Join(lines, "\n"), "\n%%\n")
	return "package main\n" + declared + "\nfunc main() {\n" + body + "\n}\n"
}

// declarations are the imports and declarations of the cells so far.
type declarations struct {
	imports []ast.Spec
	others  []ast.Decl
}

// with returns the program that GoNB builds from a cell, whose declarations replace earlier ones of the same names.
func (d *declarations) with(cell *ast.File) *ast.File {
	for _, spec := range cell.Imports {
		text := func(spec *ast.ImportSpec) string { return fmt.Sprint(spec.Name, spec.Path.Value) }
		same := func(old ast.Spec) bool { return text(old.(*ast.ImportSpec)) == text(spec) }
		d.imports = append(slices.DeleteFunc(d.imports, same), spec)
	}
	for _, declared := range cell.Decls {
		names := namesOf(declared)
		d.others = slices.DeleteFunc(d.others, func(old ast.Decl) bool {
			return slices.ContainsFunc(namesOf(old), func(name string) bool { return slices.Contains(names, name) })
		})
		if names != nil {
			d.others = append(d.others, declared)
		}
	}
	imports := &ast.GenDecl{Tok: token.IMPORT, Specs: d.imports}
	return &ast.File{Name: cell.Name, Decls: append([]ast.Decl{imports}, d.others...)}
}

// namesOf returns the names that a declaration declares; none for an import.
func namesOf(declared ast.Decl) (names []string) {
	switch d := declared.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = types.ExprString(d.Recv.List[0].Type) + "." + name
		}
		names = append(names, name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
