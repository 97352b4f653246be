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
	steps = fmt.Sprintf("%s%s. Ahead is a mean by more than %d standard errors of the difference, or by more than %g "+
		"where both have a single run.", about, strings.Join(records, "; "), aheadErrors, aheadSingle)
	seconds = about + "Seconds are steps times the seconds per step of the method in the environment: wall time as " +
		"measured, with other work beside it where the machine had some, which can make a method look many times " +
		"slower than it is. A run that was trained with others in one program has an equal share of its time." +
		d.devices() + " Each panel has its own range."
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

// devices is the sentence on what the runs were trained on; "" where no result tells.
func (d CurvesData) devices() string {
	var names []string
	for _, t := range d.Provenance.Trained {
		if t.Device != "" && !slices.Contains(names, t.Device) {
			names = append(names, t.Device)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " Trained on " + names[0] + "."
	}
	return " Trained on different devices, whose times do not compare: " + strings.Join(names, "; ") + "."
}
