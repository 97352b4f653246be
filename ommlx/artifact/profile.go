package artifact

import (
	"fmt"
	"strings"
)

// Profile says how much is computed.
type Profile string

// The profiles.
const (
	Smoke Profile = "smoke" // seconds for each experiment; proves that the path works
	Quick Profile = "quick" // minutes in all on 2 cores; real training, fewer runs or steps than the paper
	Paper Profile = "paper" // the paper's own numbers of runs and steps
)

// ParseProfile returns the profile of that name, or an error that lists them.
func ParseProfile(name string) (Profile, error) {
	for _, p := range []Profile{Smoke, Quick, Paper} {
		if name == string(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("unknown profile %q; use %s, %s or %s", name, Smoke, Quick, Paper)
}

// describe is the line under a figure or table of the grid worlds that keeps a quick run from passing for the paper's.
func (p Profile) describe() string {
	return p.against("fewer runs or steps than the paper's protocol (80,000 steps; 4 runs OMM, 10 runs ALLO)")
}

// describeWaves is the same for Schrödinger equations.
func (p Profile) describeWaves() string {
	return p.against("smaller networks and batches, fewer runs and steps, for some systems fewer modes than in the paper's protocol")
}

func (p Profile) against(quick string) string {
	switch p {
	case Paper:
		return "Paper profile: the paper's numbers of runs and steps."
	case Quick:
		return "Quick profile: real training with " + quick + "."
	}
	return strings.ToUpper(string(p[:1])) + string(p[1:]) + " profile: shows only that the program runs; the numbers mean nothing."
}
