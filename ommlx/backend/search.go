package backend

import (
	"bufio"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gomlx/go-xla/pjrt"
)

// pluginName extracts the name of a plugin from its file name, by the conventions of go-xla (pjrt/dynamiclib_base.go,
// v0.4.1).
var pluginName = regexp.MustCompile(`^(?:pjrt_c_api_(.+)_plugin|pjrt[-_]plugin[-_](.+))\.(?:so|dylib)$`)

// findPlugins returns the plugin files in dirs by name; an earlier folder wins. It does the search of
// pjrt.AvailablePlugins, which panics on a file that cannot be loaded (go-xla v0.4.1), without loading anything.
func findPlugins(dirs []string) map[string]string {
	found := map[string]string{}
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(dir, "pjrt*")) // fails only on a malformed pattern
		if info, err := os.Stat(dir); err == nil && info.Mode().IsRegular() {
			files = []string{dir} // the path of a plugin itself instead of its folder
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
	names := slices.Sorted(maps.Keys(found))
	rank := func(name string) int {
		switch {
		case pjrt.IsCUDAName(name):
			return 0
		case name == "cpu":
			return 1
		case strings.HasPrefix(name, "cpu_v"):
			return 2
		}
		return 3
	}
	names = slices.DeleteFunc(names, func(name string) bool { return rank(name) == 0 && !hasGPU() })
	if len(names) == 0 {
		return ""
	}
	return found[slices.MinFunc(names, func(a, b string) int { return rank(a) - rank(b) })]
}

// systemDirs lists go-xla's default search path (pjrt/dynamiclib_posix.go and dynamiclib_darwin.go, v0.4.1).
func systemDirs() []string {
	var dirs []string
	if home, err := os.UserHomeDir(); err == nil {
		lib := filepath.Join(home, ".local", "lib")
		dirs = append(dirs, filepath.Join(lib, "go-xla"), filepath.Join(lib, "go-xla", "nvidia"), filepath.Join(lib, "gomlx", "pjrt"))
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
	return append(dirs, loaderDirs("/etc/ld.so.conf")...)
}

// loaderDirs reads the folders of the system's dynamic loader; a file that cannot be read holds none.
func loaderDirs(conf string) []string {
	f, err := os.Open(conf)
	if err != nil {
		return nil
	}
	defer f.Close()
	var dirs []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if pattern, ok := strings.CutPrefix(line, "include "); ok {
			files, _ := filepath.Glob(strings.TrimSpace(pattern))
			for _, file := range files {
				dirs = append(dirs, loaderDirs(file)...)
			}
		} else if filepath.IsAbs(line) {
			dirs = append(dirs, line)
		}
	}
	return dirs
}

// checkLibrary refuses a file that the dynamic loader would fail on or, when it is cut off, kill the process on.
func checkLibrary(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("there is no such file")
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	lib, err := elf.Open(file)
	if err != nil {
		return fmt.Errorf("it is not a shared library, or cut off")
	}
	defer lib.Close()
	if lib.Type != elf.ET_DYN {
		return fmt.Errorf("it is not a shared library")
	}
	for _, part := range lib.Progs {
		if end := part.Off + part.Filesz; end > uint64(info.Size()) {
			return fmt.Errorf("it is cut off: %d bytes of at least %d", info.Size(), end)
		}
	}
	return nil
}
