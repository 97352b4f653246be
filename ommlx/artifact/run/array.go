package run

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strings"
	"text/template"
	"time"
)

// Array is a number of workers for a scheduler: an array of Slurm or a Job of Kubernetes. Every worker is `omm run`
// with the same names, and takes the next training that no other works on, by the locks in .omm/runs of a folder that
// all of them share. The scheduler starts workers, starts them again and keeps their logs. A worker that is lost costs
// the time since its last checkpoint, 30 s at most; any worker resumes from there.
type Array struct {
	Root      string // the checkout, absolute
	Profile   Profile
	Only      []string // names of figures and tables; nil for all
	Trainings int      // that have no result
	Workers   int
	Memory    int64 // bytes for each worker
	// Limit is the time after which a worker stops at a checkpoint and queues again.
	Limit time.Duration
	GPU   bool   // each worker has a GPU
	Image string // of the containers, for Kubernetes
}

const (
	arrayWorkers = 8               // at most, unless the user edits the file
	arrayCores   = 2               // of a worker, as [Cost] assumes
	arrayNotice  = 5 * time.Minute // to save a checkpoint of a graph with millions of nodes
)

// NewArray returns the workers for open, single seeds without a result. Each gets a quarter more memory than the
// largest estimate, and as a limit 20 minutes and twice its share of the time, at most a day. The error says that
// nothing is open.
func NewArray(l *Lab, open []Job) (Array, error) {
	if len(open) == 0 {
		return Array{}, errors.New("nothing to submit: every training has its result")
	}
	a := Array{Root: l.Root, Profile: l.Profile, Trainings: len(open), Workers: min(arrayWorkers, len(open))}
	for _, j := range open {
		a.Memory = max(a.Memory, j.Cost.Memory+j.Cost.Memory/4)
	}
	share := time.Duration(2*Seconds(open)/float64(a.Workers)) * time.Second
	a.Limit = min(24*time.Hour, (20*time.Minute + share).Round(time.Minute))
	return a, nil
}

// Command is what a worker runs.
func (a Array) Command() string {
	return strings.Join(append([]string{".omm/bin/omm run --workers 1 --profile", string(a.Profile)}, a.Only...), " ")
}

var (
	//go:embed kubernetes.tmpl
	kubernetes string
	//go:embed slurm.tmpl
	slurm string
)

// Kubernetes returns a Job with a claim for the volume of its results, in YAML, for Kubernetes 1.26 or later.
func (a Array) Kubernetes() (string, error) { return a.fill(kubernetes) }

// Slurm returns a script for sbatch. Logs go to .omm in the checkout, which compute nodes must have at the same path.
// The error names a path that cannot stand in a script.
func (a Array) Slurm() (string, error) {
	if strings.ContainsAny(a.Root, "\"\\\n") {
		return "", fmt.Errorf("the checkout is at %q; move it to a path without quotes and backslashes", a.Root)
	}
	return a.fill(slurm)
}

func (a Array) fill(text string) (string, error) {
	var out strings.Builder
	err := template.Must(template.New("").Parse(text)).Execute(&out, struct {
		Array
		Cores, Mebibytes, Minutes, Notice int
	}{a, arrayCores, int(math.Ceil(float64(a.Memory) / (1 << 20))), int(a.Limit.Minutes()), int(arrayNotice.Seconds())})
	return out.String(), err
}
