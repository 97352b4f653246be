package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"operator-omm/ommlx/claims"
)

// kept is a claim that rests on a figure or a table that was made before.
type kept struct {
	claim, file string // file as figures/fig4_hydrogen_numerical.json
	command     string // that repeats it at the paper's scale
	// measure reads the file and fills in what it says of the claim. The outcome that it finds set is Done for results of
	// the paper profile and Small for others.
	measure func(text []byte, e *claims.Evidence) error
}

// evidence measures; a file that is not there is a check that was skipped.
func (k kept) evidence(root string) (claims.Evidence, error) {
	e := claims.Evidence{Source: k.file, Command: k.command, Outcome: claims.Done, Record: claims.Record{Claim: k.claim}}
	text, err := os.ReadFile(filepath.Join(root, k.file))
	if errors.Is(err, fs.ErrNotExist) {
		e.Outcome, e.Reason = claims.Skipped, k.file+" has not been made"
		return e, nil
	}
	if err != nil {
		return e, err
	}
	var result struct {
		Provenance Provenance `json:"provenance"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return e, fmt.Errorf("%s cannot be read (%w); make it again", k.file, err)
	}
	e.Seconds = result.Provenance.Seconds
	if result.Provenance.Profile != Paper {
		e.Outcome = claims.Small
	}
	return e, k.measured(text, &e)
}

// measured measures; a file that lacks what is measured, as one that was edited by hand may, is an error that names it.
func (k kept) measured(text []byte, e *claims.Evidence) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s does not have the form that it is written in (%v); make it again", k.file, r)
		}
	}()
	if err := k.measure(text, e); err != nil {
		return fmt.Errorf("%s: %w", k.file, err)
	}
	return nil
}

// allKept lists them by section of the paper.
func allKept() []kept { return slices.Concat(keptNesting, keptLaplacian, keptSchrodinger) }
