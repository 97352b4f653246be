package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact/batch"
	"operator-omm/ommlx/artifact/lab"
)

// The formats of an array.
const (
	slurmFormat = "slurm"
	k8sFormat   = "k8s"
)

// arrayOptions say how a plan is written for a scheduler.
type arrayOptions struct {
	format, image string
	slice         int
	gpu           bool
}

func (o *arrayOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "write an array of tasks for a scheduler: slurm or k8s")
	f.IntVar(&o.slice, "slice", 0, fmt.Sprintf("trainings of each task; 0: one, or what makes at most %d tasks",
		batch.MostTasks))
	f.BoolVar(&o.gpu, "gpu", false, "hours on GPUs, estimated; with --format: each task has a GPU")
	f.StringVar(&o.image, "image", "", "of the containers of k8s (default operator-omm:cpu, or :cuda with --gpu)")
}

// validate returns an error where options do not go together.
func (o *arrayOptions) validate(given func(flag string) bool) error {
	if !slices.Contains([]string{"", slurmFormat, k8sFormat}, o.format) {
		return fmt.Errorf("--format is %q; it must be %s or %s, or left out for a list",
			o.format, slurmFormat, k8sFormat)
	}
	if o.format == "" {
		for _, flag := range []string{"slice", "image"} {
			if given(flag) {
				return fmt.Errorf("--%s is for an array of tasks alone; add --format %s or --format %s",
					flag, slurmFormat, k8sFormat)
			}
		}
	}
	if o.image != "" && o.format != k8sFormat {
		return fmt.Errorf("--image is for --format %s alone, and the format is %s", k8sFormat, o.format)
	}
	if o.slice < 0 {
		return fmt.Errorf("--slice is %d; it must be positive, or left out", o.slice)
	}
	return nil
}

// write writes what is open of figures and tables of these names, or of the whole queue without a name.
func (o *arrayOptions) write(out io.Writer, l *lab.Lab, names []string) error {
	stages, err := stagesOf(names, l.Profile)
	if err != nil {
		return err
	}
	var open []lab.Job
	listed := map[string]bool{}
	for _, jobs := range stages {
		some, err := l.Open(jobs)
		if err != nil {
			return err
		}
		for _, j := range some {
			if !listed[j.Key] {
				open, listed[j.Key] = append(open, j), true
			}
		}
	}
	pace, err := l.Pace(slices.Concat(stages...), batch.Cores)
	if err != nil {
		return err
	}
	array, err := batch.New(l, open, pace, o.slice)
	if err != nil {
		return err
	}
	array.GPU, array.Image = o.gpu, o.image
	text := ""
	if o.format == slurmFormat {
		text, err = array.Slurm()
	} else {
		array.Image = cmp.Or(o.image, map[bool]string{false: "operator-omm:cpu", true: "operator-omm:cuda"}[o.gpu])
		text, err = array.Kubernetes()
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}
