package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// resultFormat is part of every key; it is raised when the meaning of a configuration changes.
const resultFormat = 1

// Key names a configuration: the first half of the SHA-256 of its JSON, in hexadecimal. A value without JSON is an
// error that says so.
func Key(config any) (string, error) {
	text, err := json.Marshal(struct {
		Format int
		Config any
	}{resultFormat, config})
	if err != nil {
		return "", fmt.Errorf("naming a configuration: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// IsOf returns an error where a kept configuration is not the one that key names.
func IsOf(config any, key string) error {
	own, err := Key(config)
	if err == nil && own != key {
		err = fmt.Errorf("it is the result of another configuration, %s", own)
	}
	return err
}

// SameSeeds returns an error where the number of runs or their seeds are not those of the configuration.
func SameSeeds(want []int64, runs int, of func(run int) int64) error {
	if runs != len(want) {
		return fmt.Errorf("it holds %d runs instead of %d", runs, len(want))
	}
	for i, seed := range want {
		if of(i) != seed {
			return fmt.Errorf("run %d has the seed %d instead of %d", i, of(i), seed)
		}
	}
	return nil
}

// Lengths returns an error where one of the scores of a run has not the length that it must have.
func Lengths(run, want int, scores ...[]float64) error {
	for _, s := range scores {
		if len(s) != want {
			return fmt.Errorf("run %d has %d scores where there must be %d", run, len(s), want)
		}
	}
	return nil
}

// Seeds returns the seeds 1, 2, … of independent runs.
func Seeds(runs int) []int64 {
	s := make([]int64, runs)
	for i := range s {
		s[i] = int64(i + 1)
	}
	return s
}
