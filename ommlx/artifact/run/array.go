package run

import (
	"embed"
	"errors"
	"io"
	"math"
	"strings"
	"text/template"
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
	Mebibytes int    // memory of each worker
	Minutes   int    // time after which a worker stops at a checkpoint and requeues itself
	GPU       bool   // each worker has a GPU
	Image     string // container image, for Kubernetes
}

// NewArray returns at most 8 workers for the seeds of experiments without a result. Each worker gets 1.25 times the
// largest memory estimate. Its limit is 20 minutes plus twice its share of the time, at most a day. No such seed is an
// error.
func NewArray(l *Lab, list []Experiment) (Array, error) {
	open, err := l.Open(list)
	if err == nil && open == nil {
		err = errors.New("nothing to submit: every training has a result")
	}
	if err != nil {
		return Array{}, err
	}
	workers, memory := min(8, len(open)), int64(0)
	for _, e := range open {
		memory = max(memory, e.Cost().Memory)
	}
	share := 2 * Seconds(open) / float64(workers)
	return Array{Root: l.Root, Profile: l.Profile, Trainings: len(open), Workers: workers,
		Mebibytes: int(math.Ceil(1.25 * float64(memory) / (1 << 20))),
		Minutes:   int(min(24*60, math.Round(20+share/60)))}, nil
}

// Command returns the command line of a worker.
func (a Array) Command() string {
	return strings.Join(append([]string{".omm/bin/omm run --profile", string(a.Profile)}, a.Only...), " ")
}

//go:embed *.tmpl
var templates embed.FS

var schedulers = template.Must(template.ParseFS(templates, "*.tmpl"))

// Write writes the workers in a format. The format "slurm" is a script for sbatch: logs go to .omm in the checkout,
// which compute nodes must mount at the same path. The format "k8s" is a Job and a volume claim for its results, as
// YAML for Kubernetes 1.26 or later. Each worker has two cores, as [Cost] assumes.
func (a Array) Write(out io.Writer, format string) error {
	return schedulers.ExecuteTemplate(out, format+".tmpl", a)
}
