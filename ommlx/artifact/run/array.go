package run

import (
	_ "embed"
	"errors"
	"math"
	"strings"
	"text/template"
	"time"
)

// Array describes workers for a scheduler: a Slurm array or a Kubernetes Job. Every worker runs `omm run` with the same
// names in a shared folder. The locks in .omm/runs make each worker take a training that no other worker is running.
// The scheduler starts and restarts workers and keeps their logs. A lost worker costs at most the 30 s since its last
// checkpoint; any worker resumes from there.
type Array struct {
	Root      string // the checkout, absolute
	Profile   Profile
	Only      []string // names of figures and tables; nil for all
	Trainings int      // number of trainings without a result
	Workers   int
	Memory    int64 // bytes for each worker
	// Limit is the time after which a worker stops at a checkpoint and requeues itself.
	Limit time.Duration
	GPU   bool   // each worker has a GPU
	Image string // container image, for Kubernetes
}

const (
	arrayWorkers = 8               // maximum, unless the user edits the file
	arrayCores   = 2               // per worker, as [Cost] assumes
	arrayNotice  = 5 * time.Minute // enough to save a checkpoint of a graph with millions of nodes
)

// NewArray returns workers for open, the single seeds without a result. Each worker gets 1.25 times the largest memory
// estimate. Its limit is 20 minutes plus twice its share of the time, at most a day. No open seed is an error.
func NewArray(l *Lab, open []Job) (Array, error) {
	if len(open) == 0 {
		return Array{}, errors.New("nothing to submit: every training has a result")
	}
	a := Array{Root: l.Root, Profile: l.Profile, Trainings: len(open), Workers: min(arrayWorkers, len(open))}
	for _, j := range open {
		a.Memory = max(a.Memory, j.Cost.Memory+j.Cost.Memory/4)
	}
	share := time.Duration(2*Seconds(open)/float64(a.Workers)) * time.Second
	a.Limit = min(24*time.Hour, (20*time.Minute + share).Round(time.Minute))
	return a, nil
}

// Command returns the command line of a worker.
func (a Array) Command() string {
	return strings.Join(append([]string{".omm/bin/omm run --profile", string(a.Profile)}, a.Only...), " ")
}

var (
	//go:embed kubernetes.tmpl
	kubernetes string
	//go:embed slurm.tmpl
	slurm string
)

// Kubernetes returns a Job and a volume claim for its results, as YAML for Kubernetes 1.26 or later.
func (a Array) Kubernetes() string { return a.fill(kubernetes) }

// Slurm returns a script for sbatch. Logs go to .omm in the checkout, which compute nodes must mount at the same path.
func (a Array) Slurm() string { return a.fill(slurm) }

func (a Array) fill(text string) string {
	var out strings.Builder
	err := template.Must(template.New("").Parse(text)).Execute(&out, struct {
		Array
		Cores, Mebibytes, Minutes, Notice int
	}{a, arrayCores, int(math.Ceil(float64(a.Memory) / (1 << 20))), int(a.Limit.Minutes()), int(arrayNotice.Seconds())})
	if err != nil {
		panic(err) // a mistake in the template
	}
	return out.String()
}
