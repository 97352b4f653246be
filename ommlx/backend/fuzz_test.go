package backend

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// requireSentence wants one line that a terminal shows as it is.
func requireSentence(t *testing.T, text string) {
	t.Helper()
	require.NotEmpty(t, text)
	require.Equal(t, say.Printable(text), text)
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
			if config == "" {
				require.Contains(t, err.Error(), "PJRT_PLUGIN_LIBRARY_PATH=")
				return
			}
			engine, _, _ := strings.Cut(config, ":")
			require.NotContains(t, compute.List(), engine)
			require.Contains(t, err.Error(), "GOMLX_BACKEND=")
			return
		}
		require.Contains(t, []string{KindXLACPU, KindXLACUDA, KindXLA, KindGo}, c.Kind)
		requireSentence(t, c.Reason)
		if c.Plugin != "" {
			require.True(t, filepath.IsAbs(c.Plugin))
			require.True(t, strings.HasPrefix(c.Config, "xla:"+c.Plugin) || c.Config == config)
		}
		if config != "" {
			require.Equal(t, config, c.Config)
		}
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
		lib := must(elf.NewFile(bytes.NewReader(content)))
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

// FuzzCheckStamp: only a stamp of this very file vouches for it; any other neither hides a wrong file nor refuses the
// right one.
func FuzzCheckStamp(f *testing.F) {
	dir := f.TempDir()
	file := touch(f, dir, "plugin.so")
	sum := must(fsx.SHA256(file))
	f.Add(stampOf(file, sum))
	for _, text := range []string{
		"", "null", "{}", `{"sha256":"` + sum + `"}`, `{"sha256":1}`, `{"of":1}`,
	} {
		f.Add([]byte(text))
	}
	altered := strings.Repeat("0", len(sum))
	f.Add(stampOf(file, altered))
	f.Add(bytes.Replace(stampOf(file, altered), []byte(`"}`), []byte(`1"}`), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, want := range []string{sum, altered} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, stampName), text, 0o600))
			err := checkStamp(file, want)
			if stamp := stampOf(file, altered); want == sum || stamp != nil && bytes.Equal(text, stamp) {
				require.NoError(t, err)
				continue
			}
			_, damaged := errors.AsType[*fsx.Damaged](err)
			require.True(t, damaged, "%v", err)
			requireSentence(t, err.Error())
		}
	})
}
