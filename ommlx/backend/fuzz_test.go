package backend

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"
)

// requireSentence wants one line that a terminal shows as it is.
func requireSentence(t *testing.T, text string) {
	t.Helper()
	require.NotEmpty(t, text)
	require.Equal(t, printable(text), text)
	require.True(t, utf8.ValidString(text))
}

// FuzzChoose: any GOMLX_BACKEND and PJRT_PLUGIN_LIBRARY_PATH give a choice that can be described, or one sentence that
// names the setting; so does opening an engine that does not exist.
func FuzzChoose(f *testing.F) {
	f.Chdir(f.TempDir())
	for _, name := range []string{
		"pjrt_c_api_cpu_plugin.so", "pjrt-plugin-tpu.so", "pjrt_c_api__plugin.so", "[a]", "b,c",
	} {
		touch(f, "plugins", name)
	}
	for _, config := range []string{
		"", "go", "go:ops_sequential", "xla:cpu", "xla:/tmp/pjrt_c_api_cuda_plugin.so,tf32=false", "nosuch:thing", ":",
		"go\n",
	} {
		f.Add(config, "plugins")
	}
	for _, path := range []string{
		"plugins/pjrt-plugin-tpu.so", "nowhere:plugins", "::", "plugins/[a]", "no\nwhere", "\x00", "plugins/*",
	} {
		f.Add("", path)
	}
	f.Fuzz(func(t *testing.T, config, pluginPath string) {
		p := machine(t, nil)
		p.config, p.pluginPath = config, pluginPath
		c, err := p.choose()
		if err != nil {
			requireSentence(t, err.Error())
			require.Contains(t, err.Error(), "PJRT_PLUGIN_LIBRARY_PATH=")
			return
		}
		require.Contains(t, []string{KindXLACPU, KindXLACUDA, KindXLA, KindGo}, c.Kind)
		requireSentence(t, c.Reason)
		if c.Plugin != "" {
			require.True(t, filepath.IsAbs(c.Plugin))
			require.True(t, strings.HasPrefix(c.Config, "xla:"+c.Plugin) || c.Config == config)
		}
		if config == "" {
			return
		}
		require.Equal(t, config, c.Config)
		if engine, _, _ := strings.Cut(config, ":"); !slices.Contains(compute.List(), engine) {
			_, err := c.open()
			requireSentence(t, err.Error())
		}
	})
}

// FuzzLoaderDirs: whatever two configuration files hold, that may include each other, reading them ends with absolute
// folders that one of them names.
func FuzzLoaderDirs(f *testing.F) {
	f.Add("include /etc/ld.so.conf.d/*.conf\n",
		"# Multiarch support\n/usr/local/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu\n")
	f.Add("include ld.so.conf\n/opt/cuda # 13", "include /etc/ld.so.conf")
	f.Add("include /etc/ld.so.conf.d/[\ninclude *\ninclude /\ninclude ../..", "include ..\ninclude /etc/*/*")
	f.Add("/a\r\n\t/b\n/c\x00", strings.Repeat("/", 1<<17))
	f.Fuzz(func(t *testing.T, first, second string) {
		dirs := loaderDirs(fstest.MapFS{
			"etc/ld.so.conf": {Data: []byte(first)}, "etc/ld.so.conf.d/x.conf": {Data: []byte(second)},
		}, "etc/ld.so.conf")
		for _, dir := range dirs {
			require.True(t, filepath.IsAbs(dir))
			require.NotContains(t, dir, "\n")
			require.True(t, strings.Contains(first, dir) || strings.Contains(second, dir))
		}
		require.LessOrEqual(t, len(dirs), strings.Count(first+second, "/"), "each file is read once")
	})
}

// FuzzCheckELF: nothing makes the look into a library panic, and what passes has the bytes that the loader will map.
func FuzzCheckELF(f *testing.F) {
	library := smallELF(f, 64)
	f.Add(library)
	f.Add(library[:len(library)-1])
	f.Add([]byte("not a library"))
	overflowing := slices.Clone(library)
	copy(overflowing[64+8:], bytes.Repeat([]byte{0xff}, 8)) // offset of the segment
	f.Add(overflowing)
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := checkELF(bytes.NewReader(content), uint64(len(content))); err != nil {
			requireSentence(t, err.Error())
			return
		}
		lib, err := elf.NewFile(bytes.NewReader(content))
		require.NoError(t, err)
		require.Equal(t, elf.ET_DYN, lib.Type)
		for _, part := range lib.Progs {
			require.LessOrEqual(t, part.Filesz, uint64(len(content)))
			require.LessOrEqual(t, part.Off, uint64(len(content))-part.Filesz)
		}
	})
}

// smallELF returns a shared library of one segment of that many bytes.
func smallELF(f *testing.F, size uint64) []byte {
	var out bytes.Buffer
	head := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT),
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1,
	}
	segment := elf.Prog64{Type: uint32(elf.PT_LOAD), Off: 120, Filesz: size, Memsz: size}
	require.NoError(f, errors.Join(
		binary.Write(&out, binary.LittleEndian, head), binary.Write(&out, binary.LittleEndian, segment)))
	return append(out.Bytes(), make([]byte, size)...)
}

// FuzzPipComplaint: whatever pip prints, one short line of it explains its failure.
func FuzzPipComplaint(f *testing.F) {
	f.Add("WARNING: Retrying …\n" +
		"ERROR: Could not find a version that satisfies the requirement x==1 (from versions: none)\n" +
		"ERROR: No matching distribution found for x==1\n")
	f.Add("/usr/bin/python3: No module named pip\n")
	f.Add("ERROR: \n\n")
	f.Add("\x1b[31mERROR: red\x1b[0m\r\n")
	f.Add("   10%\r   20%\rERROR: cut off\xff")
	f.Add(strings.Repeat("long ", 1000))
	f.Fuzz(func(t *testing.T, output string) {
		said := pipComplaint(output, errors.New("exit status 1"))
		requireSentence(t, said)
		require.LessOrEqual(t, utf8.RuneCountInString(said), longestComplaint+2)
		require.True(t, said == "exit status 1" || strings.ContainsFunc(output, func(r rune) bool { return r > ' ' }))
	})
}

// FuzzExtract: of any archive nothing but the files that are asked for is written, plain and into their folder, whole
// or with an error that names the wheel.
func FuzzExtract(f *testing.F) {
	w := &wheel{file: "fake.whl", plugin: "fake/pjrt_c_api_cpu_plugin.so", licences: []string{"info/LICENSE"}}
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
	good := archive(map[string]string{w.plugin: "plugin", "info/LICENSE": "free", "fake/__init__.py": ""}, 0o644)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(archive(map[string]string{w.plugin: "/etc/passwd", "info/LICENSE": "../.."}, 0o777|fs.ModeSymlink))
	f.Add(archive(map[string]string{
		"../../evil": "x", "/evil": "x", "info/../../evil": "x", `..\evil`: "x", w.plugin: "y",
	}, 0o644))
	f.Add(archive(map[string]string{w.plugin + "/": "", "info/LICENSE/x": "x"}, 0o755|fs.ModeDir))
	f.Fuzz(func(t *testing.T, content []byte) {
		around := t.TempDir()
		file, dir := filepath.Join(around, "wheel"), filepath.Join(around, "to")
		require.NoError(t, errors.Join(os.WriteFile(file, content, 0o600), os.Mkdir(dir, 0o755)))
		err := w.extract(file, dir)
		if err != nil {
			require.ErrorContains(t, err, w.file)
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

// FuzzCheckStamp: only a stamp with size and time of the file vouches for it; any other neither hides a wrong file nor
// refuses the right one.
func FuzzCheckStamp(f *testing.F) {
	dir := f.TempDir()
	file := touch(f, dir, "plugin.so")
	sum, err := fileSHA256(file)
	require.NoError(f, err)
	require.NoError(f, writeStamp(file, sum))
	good, err := os.ReadFile(filepath.Join(dir, stampName))
	require.NoError(f, err)
	f.Add(good)
	for _, text := range []string{
		"", "null", "{}", `{"sha256":"` + sum + `"}`, `{"sha256":1}`, `{"mtime":"yesterday"}`,
	} {
		f.Add([]byte(text))
	}
	altered := strings.Repeat("0", len(sum))
	for _, size := range []string{"0", "1"} {
		f.Add([]byte(`{"sha256":"` + altered + `","size":` + size + `,"mtime":"1970-01-01T00:00:01Z"}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		// Not the time of the good stamp.
		require.NoError(t, os.Chtimes(file, time.Time{}, time.Unix(1, 0)))
		var s stamp
		vouched := json.Unmarshal(text, &s) == nil && s.MTime.Equal(time.Unix(1, 0)) && s.Size == 0
		for _, want := range []string{sum, altered} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, stampName), text, 0o600))
			err := checkStamp(file, want)
			if want == sum || vouched && s.SHA256 == altered {
				require.NoError(t, err)
				continue
			}
			_, damaged := errors.AsType[*damagedError](err)
			require.True(t, damaged, "%v", err)
			requireSentence(t, err.Error())
		}
	})
}
