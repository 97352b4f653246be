package lab

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

// Profiles lists them, the smallest first.
func Profiles() []Profile { return []Profile{Smoke, Quick, Paper} }

// ParseProfile returns the profile of that name, or an error that lists them.
func ParseProfile(name string) (Profile, error) {
	for _, p := range Profiles() {
		if name == string(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("unknown profile %q; use %s, %s or %s", name, Smoke, Quick, Paper)
}

// Note is the sentence under a figure or table that keeps a quick run from passing for the paper's. less names what a
// quick run has less of than the paper's protocol.
func (p Profile) Note(less string) string {
	switch p {
	case Paper:
		return "Paper profile: the paper's protocol."
	case Quick:
		return "Quick profile: real training with " + less + "."
	}
	return strings.ToUpper(string(p[:1])) + string(p[1:]) +
		" profile: shows only that the program runs; the numbers mean nothing."
}
