package learn_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheREADMEsProgramRunsFromAnotherModule follows the README as a new user does: a module of its own beside the
// clone, in a workspace with it, and the program that the README shows, which prints what the README says.
func TestTheREADMEsProgramRunsFromAnotherModule(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```go\n(package main\n.*?)```\n\n```\n(.*?)```").FindSubmatch(readme)
	require.Len(t, shown, 3, "the README has a program and its output")
	require.Contains(t, string(readme), "go work init . ../operator-omm")

	dir := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), shown[1], 0o644))
	var out []byte
	for _, command := range [][]string{{"mod", "init", "mine"}, {"work", "init", ".", root}, {"run", "."}} {
		cmd := exec.Command("go", command...)
		cmd.Dir = dir
		var stderr []byte
		out, err = cmd.Output()
		if exit, ok := err.(*exec.ExitError); ok {
			stderr = exit.Stderr
		}
		require.NoError(t, err, "go %v: %s", command, stderr)
	}
	require.Equal(t, string(shown[2]), string(out))
}

// TestEveryOperatorHasAnExample in the file that the README names.
func TestEveryOperatorHasAnExample(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	require.True(t, strings.Contains(string(readme), "(ommlx/learn/example_test.go)"))
	examples := functions(t, "example_test.go")
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	operators := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for name := range functions(t, file) {
			if operator, is := strings.CutSuffix(name, ".Task"); is {
				operators++
				require.Contains(t, examples, "Example"+operator)
			}
		}
	}
	require.GreaterOrEqual(t, operators, 8)
}

// functions are the names of a file's functions, and of its methods with their types.
func functions(t *testing.T, file string) map[string]bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, d := range parsed.Decls {
		if f, is := d.(*ast.FuncDecl); is {
			name := f.Name.Name
			if f.Recv != nil {
				if of, plain := f.Recv.List[0].Type.(*ast.Ident); plain {
					name = of.Name + "." + name
				}
			}
			names[name] = true
		}
	}
	return names
}
