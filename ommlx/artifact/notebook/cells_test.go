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

// TestNotebooksCompile type-checks each cell as GoNB compiles it: with the declarations of earlier cells.
func TestNotebooksCompile(t *testing.T) {
	code := map[string][]string{}
	all, _ := notebooks(t)
	for name, cells := range all {
		for _, c := range cells {
			if c.Type == "code" {
				code[name] = append(code[name], c.source())
			}
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
		var before declarations
		for _, path := range standard {
			before.imports = append(before.imports, strconv.Quote(path))
		}
		for i, cell := range cells {
			program := before.program(cell)
			set := token.NewFileSet()
			file := testkit.Must(parser.ParseFile(set, fmt.Sprintf("%s, cell %d", name, i+1), program, 0))
			check := types.Config{Importer: compiled, Error: func(err error) {
				if text := err.Error(); !strings.Contains(text, " imported ") { // unused imports, which GoNB removes
					assert.Fail(t, text)
				}
			}}
			_, _ = check.Check("main", set, []*ast.File{file}, nil) // errors are reported above
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

// declarations are the imports and declarations of the cells so far.
type declarations struct {
	imports []string // import specs
	names   [][]string
	texts   []string
}

// program returns the program that GoNB builds from a cell. The part before a line %% replaces declarations of the same
// names; the part after it is the body of main.
func (d *declarations) program(cell string) string {
	lines := strings.Split(cell, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "!") })
	body := ""
	if at := slices.Index(lines, "%%"); at >= 0 {
		body = strings.Join(lines[at+1:], "\n")
		lines = lines[:at]
	}
	text, set := "package main\n"+strings.Join(lines, "\n"), token.NewFileSet()
	file := testkit.Must(parser.ParseFile(set, "", text, 0))
	within := func(n ast.Node) string { return text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset] }
	for _, spec := range file.Imports {
		if text := within(spec); !slices.Contains(d.imports, text) {
			d.imports = append(d.imports, text)
		}
	}
	for _, declared := range file.Decls {
		if names := namesOf(declared); names != nil {
			for i := len(d.names) - 1; i >= 0; i-- {
				if slices.ContainsFunc(d.names[i], func(old string) bool { return slices.Contains(names, old) }) {
					d.names, d.texts = slices.Delete(d.names, i, i+1), slices.Delete(d.texts, i, i+1)
				}
			}
			d.names, d.texts = append(d.names, names), append(d.texts, within(declared))
		}
	}
	program := "package main\n"
	for _, spec := range d.imports {
		program += "import " + spec + "\n"
	}
	return program + strings.Join(d.texts, "\n") + "\nfunc main() {\n" + body + "\n}\n"
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
