package backend

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// pluginName extracts the name of a plugin from its file name, by the conventions of go-xla (pjrt/dynamiclib_base.go,
// v0.4.1).
var pluginName = regexp.MustCompile(`^(?:pjrt_c_api_(.+)_plugin|pjrt[-_]plugin[-_](.+))\.(?:so|dylib)$`)

// findPlugins returns the plugin files by name in places, which are folders or files; an earlier place wins. It does
// the search of pjrt.AvailablePlugins, which panics on a file that cannot be loaded (go-xla v0.4.1), without loading
// anything. What cannot be read holds none.
func findPlugins(places []string) map[string]string {
	found := map[string]string{}
	for _, place := range places {
		files := []string{place}
		if entries, err := os.ReadDir(place); err == nil {
			files = nil
			for _, e := range entries {
				files = append(files, filepath.Join(place, e.Name()))
			}
		}
		for _, file := range files {
			m := pluginName.FindStringSubmatch(filepath.Base(file))
			if m == nil {
				continue
			}
			name := m[1] + m[2] // one of them is empty
			file, err := filepath.Abs(file)
			if _, have := found[name]; !have && err == nil {
				found[name] = file
			}
		}
	}
	return found
}

// pickPlugin prefers CUDA (only where there is a GPU), then CPU, then the first other name, as go-xla does.
func pickPlugin(found map[string]string, hasGPU func() bool) string {
	rank := func(name string) int {
		switch {
		case isCUDA(name):
			return 0
		case name == "cpu":
			return 1
		case strings.HasPrefix(name, "cpu_v"):
			return 2
		}
		return 3
	}
	names := slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b))
	})
	for _, name := range names {
		if !isCUDA(name) || hasGPU() {
			return found[name]
		}
	}
	return ""
}

// systemDirs lists go-xla's default search path (pjrt/dynamiclib_posix.go and dynamiclib_darwin.go, v0.4.1).
func systemDirs() []string {
	var dirs []string
	if home, err := os.UserHomeDir(); err == nil {
		lib := filepath.Join(home, ".local", "lib")
		dirs = append(dirs, filepath.Join(lib, "go-xla"), filepath.Join(lib, "go-xla", "nvidia"),
			filepath.Join(lib, "gomlx", "pjrt"))
		if runtime.GOOS == "darwin" {
			dirs = append(dirs, filepath.Join(home, "Library", "Application Support", "go-xla"))
		}
	}
	dirs = append(dirs, "/usr/local/lib/go-xla", "/usr/local/lib/go-xla/nvidia", "/usr/local/lib/gomlx/pjrt")
	for _, dir := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		if filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, loaderDirs(os.DirFS("/"), "etc/ld.so.conf")...)
}

// loaderDirs reads the folders of the dynamic loader from its configuration file, a path of system, the root of the
// file system. A file that cannot be read holds none; one that is included again is not read again.
func loaderDirs(system fs.FS, conf string) (dirs []string) {
	read := map[string]bool{}
	var include func(conf string)
	include = func(conf string) {
		text, err := fs.ReadFile(system, conf)
		if err != nil || read[conf] {
			return
		}
		read[conf] = true
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			if len(words) > 0 && words[0] == "include" {
				for _, pattern := range words[1:] {
					if !path.IsAbs(pattern) {
						pattern = path.Join("/", path.Dir(conf), pattern)
					}
					files, _ := fs.Glob(system, path.Clean(pattern)[1:]) // a malformed pattern names nothing
					for _, file := range files {
						include(file)
					}
				}
			} else if line = strings.TrimSpace(line); path.IsAbs(line) {
				dirs = append(dirs, line)
			}
		}
	}
	include(conf)
	return dirs
}

// checkLibrary refuses a file that the dynamic loader would fail on or, when it is cut off, kill the process on.
func checkLibrary(file string) error {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return errors.New("there is no such file")
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	defer f.Close()
	return checkELF(f, uint64(info.Size()))
}

// checkELF refuses what is not a whole shared library of size bytes.
func checkELF(content io.ReaderAt, size uint64) error {
	lib, err := elf.NewFile(content)
	if err != nil || lib.Type != elf.ET_DYN {
		return errors.New("it is not a shared library, or cut off")
	}
	for _, part := range lib.Progs {
		if end := part.Off + part.Filesz; end > size {
			return fmt.Errorf("it is cut off: %d bytes of at least %d", size, end)
		}
	}
	return nil
}
