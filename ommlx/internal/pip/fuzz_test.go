package pip

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/say"
)

// FuzzComplaint: whatever pip prints, one short line of it explains its failure.
func FuzzComplaint(f *testing.F) {
	f.Add("WARNING: Retrying …\n" +
		"ERROR: Could not find a version that satisfies the requirement x==1 (from versions: none)\n" +
		"ERROR: No matching distribution found for x==1\n")
	f.Add("/usr/bin/python3: No module named pip\n")
	f.Add("ERROR: \n\n")
	f.Add("\x1b[31mERROR: red\x1b[0m\r\n")
	f.Add("   10%\r   20%\rERROR: cut off\xff")
	f.Add(strings.Repeat("long ", 1000))
	f.Fuzz(func(t *testing.T, output string) {
		said := complaint(output, errors.New("exit status 1"))
		require.NotEmpty(t, said)
		require.Equal(t, say.Printable(said), said)
		require.LessOrEqual(t, utf8.RuneCountInString(said), longestComplaint+2)
		require.True(t, said == "exit status 1" || strings.ContainsFunc(output, func(r rune) bool { return r > ' ' }))
	})
}

// FuzzExtract: of any archive nothing but the files that are asked for is written, plain and into their folder, whole
// or with an error that names the wheel.
func FuzzExtract(f *testing.F) {
	w := Wheel{File: "fake.whl"}
	const plugin = "fake/pjrt_c_api_cpu_plugin.so"
	archive := func(content map[string]string, mode fs.FileMode) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for name, text := range content {
			head := &zip.FileHeader{Name: name, Method: zip.Deflate}
			head.SetMode(mode)
			part, err := z.CreateHeader(head)
			require.NoError(f, err)
			_, err = part.Write([]byte(text))
			require.NoError(f, err)
		}
		require.NoError(f, z.Close())
		return out.Bytes()
	}
	good := archive(map[string]string{plugin: "plugin", "info/LICENSE": "free", "fake/__init__.py": ""}, 0o644)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(archive(map[string]string{plugin: "/etc/passwd", "info/LICENSE": "../.."}, 0o777|fs.ModeSymlink))
	f.Add(archive(map[string]string{
		"../../evil": "x", "/evil": "x", "info/../../evil": "x", `..\evil`: "x", plugin: "y",
	}, 0o644))
	f.Add(archive(map[string]string{plugin + "/": "", "info/LICENSE/x": "x"}, 0o755|fs.ModeDir))
	f.Fuzz(func(t *testing.T, content []byte) {
		around := t.TempDir()
		file, dir := filepath.Join(around, "wheel"), filepath.Join(around, "to")
		require.NoError(t, errors.Join(os.WriteFile(file, content, 0o600), os.Mkdir(dir, 0o755)))
		err := w.extract(file, dir, []string{"info/LICENSE", plugin})
		if err != nil {
			require.ErrorContains(t, err, w.File)
		}
		var written []string
		require.NoError(t, filepath.WalkDir(around, func(path string, d fs.DirEntry, err error) error {
			if path != around && path != dir && path != file {
				require.True(t, d.Type().IsRegular(), path)
				written = append(written, strings.TrimPrefix(path, dir+"/"))
			}
			return err
		}))
		require.Subset(t, []string{"LICENSE", "pjrt_c_api_cpu_plugin.so"}, written)
		if err == nil {
			require.Len(t, written, 2)
		}
	})
}
