package run

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/train"
)

// Provenance records where and how something was trained or drawn. A result joined from several trainings lists them in
// Parts; its other fields describe the training that finished last.
type Provenance struct {
	Profile    Profile           `json:"profile,omitempty"`     // profile that planned it; "" for `omm train`
	Backend    string            `json:"backend"`               // kind, as in [backend.Choice]
	Plugin     string            `json:"plugin,omitempty"`      // file name of the PJRT plugin
	Version    string            `json:"version,omitempty"`     // of the plugin
	SHA256     string            `json:"sha256,omitempty"`      // of the plugin
	Device     string            `json:"device"`                // what it ran on
	Devices    int               `json:"devices,omitempty"`     // number of devices; 0 if not recorded
	Cores      int               `json:"cores"`                 // number of cores used
	Go         string            `json:"go"`                    // compiler version
	Modules    map[string]string `json:"modules"`               // versions of GoMLX and Gonum modules
	Commit     string            `json:"commit"`                // of this project, see [Uncommitted]
	Finished   time.Time         `json:"finished"`              // when it ended
	Seconds    float64           `json:"seconds,omitempty"`     // wall time of the training, shared by its runs
	PeakMemory int64             `json:"peak_memory,omitempty"` // bytes, of the whole process up to Finished
	Together   []int64           `json:"together,omitempty"`    // seeds trained in one program, if several
	Sessions   json.RawMessage   `json:"sessions,omitempty"`    // in some resumed results of 2026-11
	Parts      []Part            `json:"parts,omitempty"`       // the joined trainings
}

// Part is one training of a joined result.
type Part struct {
	Key        string     `json:"key"`
	Seeds      []int64    `json:"seeds"`
	Provenance Provenance `json:"provenance"`
}

// Here describes this process and machine, with Seconds 0. Errors are as for [backend.Open].
func (l *Lab) Here() (Provenance, error) {
	b, choice, err := l.engine()
	if err != nil {
		return Provenance{}, err
	}
	p := Provenance{
		Profile: l.Profile, Backend: choice.Kind, Version: choice.Version, SHA256: choice.SHA256,
		Device: b.DeviceDescription(0) + model(choice), Devices: 1, Cores: cores(),
		Go: runtime.Version(), Modules: map[string]string{}, Commit: BuiltFrom(l.Root),
	}
	p.ended()
	if choice.Plugin != "" {
		p.Plugin = filepath.Base(choice.Plugin)
	}
	if p.SHA256 == "" { // the user's own plugin
		if p.SHA256, err = choice.VerifyPlugin(); err != nil {
			return Provenance{}, err
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

// cores is the number of cores that graphs use. NPROC limits the threads of the XLA CPU plugin, by default one for each
// core. Programs that share a machine should share its cores, since threads that wait for work spin.
func cores() int {
	if n, err := strconv.Atoi(os.Getenv("NPROC")); err == nil && n > 0 {
		return min(n, runtime.GOMAXPROCS(0))
	}
	return runtime.GOMAXPROCS(0)
}

// ended sets the time and the peak memory.
func (p *Provenance) ended() {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // leaves 0 if it fails
	p.Finished, p.PeakMemory = time.Now().UTC().Truncate(time.Second), usage.Maxrss<<10
}

var processor = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)

// model returns the name of the hardware, such as " (NVIDIA H100 80GB HBM3)", or "" if it is unknown.
func model(c backend.Choice) (name string) {
	if c.Kind == backend.KindXLACUDA {
		// The program comes with the driver.
		out, _ := exec.Command("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").Output()
		name = strings.Join(slices.Compact(strings.Split(strings.TrimSpace(string(out)), "\n")), ", ")
	} else if text, _ := os.ReadFile("/proc/cpuinfo"); processor.Match(text) {
		name = string(processor.FindSubmatch(text)[1])
	}
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// builtFrom is the commit of the program, which the Makefile sets when linking. It is "" in notebooks, which take the
// commit of the checkout.
var builtFrom string

// Uncommitted reports whether the commit of a [Provenance] does not determine the program: one of its commits is
// "unknown", or ends in "+" because files had changed.
func Uncommitted(commit string) bool {
	return slices.ContainsFunc(strings.Split(commit, then), func(one string) bool {
		return strings.HasSuffix(one, changed) || one == unknown
	})
}

const (
	changed = "+"       // suffix of a commit with changed files, see commit.sh
	unknown = "unknown" // an unknown commit, also in the image
	then    = ", then " // separates the commits of a training that another build resumed
)

// builds returns the commits of all builds that ran the training in a folder, with the current commit here last. It
// keeps them in a file next to the checkpoints.
func builds(dir, here string) (string, error) {
	path := filepath.Join(dir, "commit")
	if _, begun := train.FolderStatus(dir); begun {
		before, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("%w; remove %s to start this training again", err, dir)
		}
		all := strings.Split(string(before), then)
		if all[len(all)-1] != here {
			all = append(all, here)
		}
		here = strings.Join(all, then)
	}
	return here, fsx.Write(path, []byte(here))
}

// commitScript prints the commit of a checkout. The Makefile runs it too.
//
//go:embed commit.sh
var commitScript string

// BuiltFrom returns the commit that this program was built from, or else the commit of the checkout at root, with + if
// the program differs from it. It returns "unknown" if neither is known.
func BuiltFrom(root string) string {
	if builtFrom != "" {
		return builtFrom
	}
	script := exec.Command("sh", "-c", commitScript)
	script.Dir = root
	id, _ := script.Output() // empty if it fails
	return cmp.Or(strings.TrimSpace(string(id)), unknown)
}
