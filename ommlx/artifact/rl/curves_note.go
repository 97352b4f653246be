package rl

import (
	"fmt"
	"slices"
	"strings"
)

// notes are the texts under the pictures over steps and over seconds. about says what the results are.
func (d CurvesData) notes(about string) (steps, seconds string) {
	about += " Lines are means over the runs, bands ± one sample standard deviation where there are two runs or more." +
		d.diverged() + "\n"
	var records []string
	for _, r := range d.Records {
		records = append(records, r.String())
	}
	steps = about + strings.Join(records, "; ") + ". Ahead is a mean by more than Welch's 95% interval of the " +
		"difference and more than 0.01."
	seconds = about + "Seconds are steps times the seconds per step of the method in the environment: wall time of " +
		"its fastest run, on what ran the other methods too; other work on the machine can make it longer. A run " +
		"that was trained with others in one program has an equal share of its time." + d.devices() +
		" Each panel has its own range."
	return steps, seconds
}

// diverged is the sentence that counts the runs that diverged; "" without any.
func (d CurvesData) diverged() string {
	var list []string
	for _, env := range d.Environments {
		for _, c := range env.Curves {
			if c.Diverged > 0 {
				list = append(list, fmt.Sprintf("%s on %s %d of %d", c.Method, env.Name, c.Diverged, c.Runs+c.Diverged))
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " Diverged runs, left out: " + strings.Join(list, "; ") + "."
}

// devices is the sentence on what the runs of the seconds computed on; "" where no result tells.
func (d CurvesData) devices() string {
	var names []string
	for _, env := range d.Environments {
		if env.TimedOn != "" && !slices.Contains(names, env.TimedOn) {
			names = append(names, env.TimedOn)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " Timed on " + names[0] + "."
	}
	return " Timed on different machines or cores, so that panels do not compare: " + strings.Join(names, "; ") + "."
}
