package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
)

// fakeWheel puts what pip installs of a wheel with the given plugin content into a folder of its project in store, and
// returns its description.
func fakeWheel(t *testing.T, store, project, content string) *wheel {
	t.Helper()
	w := &wheel{about: project, project: project, version: "1.0", sha256: "0123", folder: "1.0",
		plugin: "fake/pjrt_c_api_cpu_plugin.so", licences: []string{"info/LICENSE"}}
	for name, text := range map[string]string{w.plugin: content, "info/LICENSE": "free", "fake/__init__.py": ""} {
		write(t, filepath.Join(store, project, name), text)
	}
	w.pluginSHA256 = fsx.SHA256Of([]byte(content))
	return w
}

// fakePip installs from a store what is asked for by its hash, and returns the file with one line per call.
func fakePip(t *testing.T, store string) (calls string) {
	t.Helper()
	return fakePython(t, `cd '`+store+`' || exit; for p in *; do
	grep -q "^$p==1.0 --hash=sha256:0123$" "$lock" && cp -r "$p"/. "$dest" && exit; done
echo 'ERROR: No matching distribution found' >&2; exit 1`)
}

// machine is a probe of a machine with an empty cache, no GPU, no plugin and no setting.
func machine(t testing.TB, cpu *wheel) probe {
	t.Helper()
	return probe{
		platform: "linux/amd64", cache: filepath.Join(t.TempDir(), "cache"), cpu: cpu,
		systemDirs: func() []string { return nil },
		hasGPU:     func() bool { return false },
		pythonCUDA: func() string { return "" },
	}
}

// touch writes an empty file named as a plugin and returns its path.
func touch(t testing.TB, elem ...string) string {
	t.Helper()
	file := filepath.Join(elem...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	return file
}

// filesUnder lists the regular files below dir, relative to it.
func filesUnder(t *testing.T, dir string) (files []string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, rel)
		}
		return err
	}))
	return files
}

// ready is a machine whose plugin pip can install, and the store from which it does.
func ready(t *testing.T) (p probe, store string) {
	t.Helper()
	store = t.TempDir()
	fakePip(t, store)
	return machine(t, fakeWheel(t, store, "fake", "plugin")), store
}

// installed is a machine whose plugin is installed.
func installed(t *testing.T) (probe, Choice) {
	t.Helper()
	p, _ := ready(t)
	return p, must(p.setup(t.Context(), &strings.Builder{}))
}

// fakePython puts a python3 on the PATH that runs the given shell lines with pip's arguments; in them $dest is the
// folder after --target, and $lock a file with its standard input. It returns the file to which it appends one line per
// call.
func fakePython(t *testing.T, lines string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\nlock='" + dir + "'/lock.$$; cat >\"$lock\"\n" +
		"for a in \"$@\"; do [ \"$last\" = --target ] && dest=$a; last=$a; done\n" + lines + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

// must is testkit.Must, which this package's tests cannot import: package testkit imports this package.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		panic(err)
	}
	return a, b
}
