package rl

import (
	"fmt"
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
	seconds = about + fmt.Sprintf("Seconds are steps times the wall time of a step, measured with nothing else at "+
		"work, the methods taking turns, on %s, %d cores. Each panel has its own range.", d.Timed.Device, d.Timed.Cores)
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
