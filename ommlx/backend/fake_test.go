package backend

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeWheel writes a wheel with the given plugin content into dir and returns its description.
func fakeWheel(t *testing.T, dir, content string) *wheel {
	t.Helper()
	w := &wheel{
		project: "fake-pjrt", version: "1.0", file: "fake_pjrt-1.0-py3-none-any.whl",
		plugin: "fake/pjrt_c_api_cpu_plugin.so", licences: []string{"info/LICENSE"}, folder: "1.0",
	}
	f, err := os.Create(filepath.Join(dir, w.file))
	require.NoError(t, err)
	z := zip.NewWriter(f)
	for name, text := range map[string]string{w.plugin: content, "info/LICENSE": "free", "fake/__init__.py": ""} {
		part, err := z.Create(name)
		require.NoError(t, err)
		_, err = part.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	w.sha256, err = fileSHA256(f.Name())
	require.NoError(t, err)
	sum := sha256.Sum256([]byte(content))
	w.pluginSHA256 = hex.EncodeToString(sum[:])
	return w
}

// fakePython puts a python3 on the PATH that runs the given shell lines with pip's arguments; in them $dest is the
// folder after --dest or --target. It returns the file to which it appends one line per call.
func fakePython(t *testing.T, lines string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\n" +
		"for a in \"$@\"; do case \"$last\" in --dest|--target) dest=$a;; esac; last=$a; done\n" + lines + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
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
