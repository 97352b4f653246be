// Package batch writes what is to be trained as one array of tasks for a scheduler that people have: an array script of
// Slurm, an Indexed Job of Kubernetes. The scheduler places the tasks, starts them again and keeps their logs; there is
// no broker or coordinator of ours.
//
// A task trains fixed trainings, which their keys name, with `omm run --key`. It may be started as often as one likes:
// what has a result is left alone, what has a checkpoint goes on from it, and the bits are those of a training that
// nobody disturbed. A task that is lost costs the time to start and since its last checkpoint, 30 s at most.
//
// Results are files in .omm/results of one folder that all tasks share, so merging them is reading that folder. Two
// tasks keep off the same training by a lock in .omm/runs; package fsx states what that asks of a network file
// system.
package batch

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/template"
	"time"

	"omm-go/ommlx/artifact/run"
)

// MostTasks is the number of tasks that an array has at the most: Slurm takes 1,000 as it is installed (MaxArraySize is
// 1001).
const MostTasks = 1000

// Cores is the number of processor cores of a task, for which [run.Cost] is estimated.
const Cores = 2

// notice is the time that a task is told ahead that it must end: enough to save the checkpoint of a graph with millions
// of nodes.
const notice = 5 * time.Minute

// Array is what the tasks of an array do, the same for every scheduler.
type Array struct {
	Root    string // the checkout, absolute
	Profile run.Profile
	Tasks   []Task
	Memory  int64 // bytes that a task asks for
	// Limit is the time after which a task ends at a checkpoint and queues again.
	Limit time.Duration
	GPU   bool   // each task has a GPU
	Image string // that containers run, for Kubernetes
}

// Task is what one task trains.
type Task struct {
	Keys []string // one after the other
	Text string   // what that is, in a line
}

// New divides what is open, single seeds in their order, into tasks of one training each, or of as many as make
// [MostTasks] tasks.
//
// A task asks for a quarter more memory than the greatest estimate. Its limit is 20 minutes and twice the longest
// estimate, at most a day. The error says that nothing is open.
func New(l *run.Lab, open []run.Job) (Array, error) {
	a := Array{Root: l.Root, Profile: l.Profile}
	if len(open) == 0 {
		return a, errors.New("every training that was asked for has its result, so there is nothing to submit")
	}
	longest := 0.0
	for part := range slices.Chunk(open, (len(open)+MostTasks-1)/MostTasks) {
		var task Task
		var texts []string
		for _, j := range part {
			task.Keys = append(task.Keys, j.Key)
			texts = append(texts, fmt.Sprintf("%s seed %d", j.Label, j.Seeds[0]))
			a.Memory = max(a.Memory, j.Cost.Memory+j.Cost.Memory/4)
		}
		task.Text = strings.Join(texts, "; ")
		a.Tasks = append(a.Tasks, task)
		longest = max(longest, run.Seconds(part))
	}
	a.Limit = 20*time.Minute + time.Duration(2*longest)*time.Second
	a.Limit = min(24*time.Hour, a.Limit.Round(time.Minute))
	return a, nil
}

func (a Array) fill(text string) (string, error) {
	trainings := 0
	for _, t := range a.Tasks {
		trainings += len(t.Keys)
	}
	sum := sha256.Sum256(fmt.Append(nil, a.Tasks)) // the same plan has the same name, and another one another
	var out strings.Builder
	err := template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join}).Parse(text)).Execute(&out,
		struct {
			Array
			Name                                                       string
			Trainings, Last, AtOnce, Mebibytes, Cores, Minutes, Notice int
		}{
			Array: a, Name: fmt.Sprintf("omm-%s-%x", a.Profile, sum[:4]), Trainings: trainings,
			Last: len(a.Tasks) - 1, AtOnce: min(8, len(a.Tasks)),
			Mebibytes: int(math.Ceil(float64(a.Memory) / (1 << 20))), Cores: Cores, Minutes: int(a.Limit.Minutes()),
			Notice: int(notice.Seconds()),
		})
	return out.String(), err
}

//go:embed kubernetes.tmpl
var kubernetes string

// longest is the number of bytes that Linux takes in one argument of a command, in which a pod's tasks are listed.
const longest = 128 << 10

// Kubernetes returns the array as an Indexed Job with a claim for the volume of its results, in YAML. It needs
// Kubernetes 1.29 or later. A pod that is evicted, or whose node is lost, is started again; an index whose pod fails is
// tried six times. The error says that the list of tasks is too long for the command of a pod.
func (a Array) Kubernetes() (string, error) {
	text, err := a.fill(kubernetes)
	if err == nil && len(text) >= longest {
		return "", fmt.Errorf("the list of tasks has %d KiB, and Linux takes %d in a command; "+
			"name some figures and tables", len(text)>>10, longest>>10)
	}
	return text, err
}

//go:embed slurm.tmpl
var slurm string

// Slurm returns the array as a script for sbatch. A task that Slurm warns of its limit saves a checkpoint and queues
// again, as does one that was killed. Logs go to .omm in the checkout, which compute nodes must have at the same path.
//
// The error says that the path of the checkout cannot stand in a script.
func (a Array) Slurm() (string, error) {
	if strings.ContainsAny(a.Root, "\"\\\n") {
		return "", fmt.Errorf("the checkout is at %q; move it to a path without quotes and backslashes", a.Root)
	}
	return a.fill(slurm)
}
