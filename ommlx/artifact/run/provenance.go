package run

import (
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/train"
)

// Provenance says on what something was trained or drawn. A result that was joined of several trainings lists them;
// the other fields are of the one that was finished last.
type Provenance struct {
	Profile    Profile           `json:"profile,omitempty"`     // whose plan it is of; "" for `omm train`
	Backend    string            `json:"backend"`               // kind, as in [backend.Choice]
	Plugin     string            `json:"plugin,omitempty"`      // file name of the PJRT plugin
	Version    string            `json:"version,omitempty"`     // of the plugin
	SHA256     string            `json:"sha256,omitempty"`      // of the plugin
	Device     string            `json:"device"`                // what it ran on
	Devices    int               `json:"devices,omitempty"`     // how many; 0: not recorded
	Cores      int               `json:"cores"`                 // that it computed on
	Go         string            `json:"go"`                    // compiler version
	Modules    map[string]string `json:"modules"`               // versions of the modules that compute
	Commit     string            `json:"commit"`                // of this project, as [Uncommitted] reads it
	Finished   time.Time         `json:"finished"`              //
	Seconds    float64           `json:"seconds,omitempty"`     // wall time of the training, shared by its runs
	PeakMemory int64             `json:"peak_memory,omitempty"` // bytes, of the whole process until then
	Together   []int64           `json:"together,omitempty"`    // seeds of one program, if it had several
	Sessions   []Session         `json:"sessions,omitempty"`    // of some results of 2026-11, which were resumed
	Parts      []Part            `json:"parts,omitempty"`       // trainings that it was joined of
}

// Session is the build and the machine that a training was resumed by. No new result has any.
type Session struct {
	Commit  string `json:"commit,omitempty"`
	Engine  string `json:"engine,omitempty"`
	Device  string `json:"device,omitempty"`
	Devices int    `json:"devices,omitempty"`
	Cores   int    `json:"cores,omitempty"`
}

// Part is one training of a result that was joined of several.
type Part struct {
	Key        string     `json:"key"`
	Seeds      []int64    `json:"seeds"`
	Provenance Provenance `json:"provenance"`
}

// Here describes this process on this machine, without the seconds of what was computed. Errors are as for
// [backend.Open].
func (l *Lab) Here() (Provenance, error) {
	b, choice, err := backend.Open()
	if err != nil {
		return Provenance{}, err
	}
	p := Provenance{
		Profile: l.Profile, Backend: choice.Kind, Version: choice.Version, SHA256: choice.SHA256,
		Device: b.DeviceDescription(0) + model(choice), Devices: 1, Cores: backend.Cores(),
		Go: runtime.Version(), Modules: map[string]string{}, Commit: BuiltFrom(l.Root),
	}
	p.ended()
	if choice.Plugin != "" {
		p.Plugin = filepath.Base(choice.Plugin)
	}
	if p.SHA256 == "" { // the user's own plugin was not verified
		if p.SHA256, err = digest(); err != nil {
			return Provenance{}, fmt.Errorf("the plugin that runs cannot be read: %w", err)
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if strings.HasPrefix(m.Path, "github.com/gomlx/") || strings.HasPrefix(m.Path, "gonum.org/") {
				p.Modules[m.Path] = m.Version
			}
		}
	}
	return p, nil
}

// digest is the SHA-256 of the plugin that this process opened, read once; "" without a plugin.
var digest = sync.OnceValues(func() (string, error) {
	_, choice, err := backend.Open()
	if err != nil {
		return "", err
	}
	return choice.VerifyPlugin()
})

// ended notes the time and the memory that was taken until then, 0 where the system does not tell.
func (p *Provenance) ended() {
	kib, _ := strconv.ParseInt(strings.TrimSuffix(ofLinux("/proc/self/status", "VmHWM"), " kB"), 10, 64)
	p.Finished, p.PeakMemory = time.Now().UTC().Truncate(time.Second), kib<<10
}

// model names the hardware behind an engine's words for it, as " (NVIDIA H100 80GB HBM3)", or "" where nothing tells.
func model(c backend.Choice) string {
	name := ofLinux("/proc/cpuinfo", "model name")
	if c.Kind == backend.KindXLACUDA {
		// The program comes with the driver.
		out, _ := exec.Command("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").Output()
		name = strings.Join(slices.Compact(strings.Split(strings.TrimSpace(string(out)), "\n")), ", ")
	}
	return If(name != "", " (%s)", name)
}

// ofLinux is the text after the first colon that follows a name in a file of Linux; "" elsewhere.
func ofLinux(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if of, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(of) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// builtFrom is the commit that the program was built from; the Makefile sets it when linking. A program without it,
// such as a notebook, asks the checkout.
var builtFrom string

// Uncommitted reports whether the commit of a [Provenance] leaves open what was computed: it ends in "+", since files
// of the project had changed, or it is "unknown". One of several commits is enough.
func Uncommitted(commit string) bool {
	return slices.ContainsFunc(strings.Split(commit, then), func(one string) bool {
		return strings.HasSuffix(one, changed) || one == unknown
	})
}

const (
	changed = "+"       // follows a commit when files had changed, as commit.sh says
	unknown = "unknown" // stands for a commit that nothing tells, also in the image
	then    = ", then " // stands between the commits of a training that another build resumed
)

// builds returns the commits of all builds that the training in a folder ran on; this build has the commit here. It
// keeps them in a file next to the checkpoints.
func builds(dir, here string) (string, error) {
	path := filepath.Join(dir, "commit")
	if _, begun := train.Look(dir); begun {
		before, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("the build that began this training: %w; remove %s to start again", err, dir)
		}
		if all := strings.Split(string(before), then); all[len(all)-1] != here {
			here = string(before) + then + here
		} else {
			here = string(before)
		}
	}
	return here, fsx.Write(path, []byte(here))
}

// tellCommit asks a checkout, also for the Makefile.
//
//go:embed commit.sh
var tellCommit string

// BuiltFrom is the commit that this program was built from, or that the checkout at root is at, with + where the
// program differs from it; "unknown" where neither tells.
func BuiltFrom(root string) string {
	if builtFrom != "" {
		return builtFrom
	}
	tell := exec.Command("sh", "-c", tellCommit)
	tell.Dir = root
	id, _ := tell.Output() // nothing where it fails
	return cmp.Or(strings.TrimSpace(string(id)), unknown)
}
