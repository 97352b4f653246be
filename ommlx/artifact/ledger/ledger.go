// Package ledger checks the paper's claims: it collects what tests and kept results measured, judges every claim and
// writes tables/claims.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/claims"
)

// Row is a claim of the paper with what was found.
type Row struct {
	Number int `json:"number"`
	claims.Claim
	Evidence []claims.Evidence `json:"evidence"`
	Verdict  claims.Verdict    `json:"verdict"`
}

type data struct {
	Table      string         `json:"table"`
	Note       string         `json:"note"`
	Provenance lab.Provenance `json:"provenance"`
	Rows       []Row          `json:"rows"`
}

// The names of the two tables.
const (
	name      = "claims"
	misprints = "misprints"
)

// Options say what [Check] puts up with.
type Options struct {
	Accept   bool // take over worse verdicts and less evidence, and say which
	Complete bool // fail where a claim cannot be checked because data is missing
}

// Check regenerates the ledger of the paper's claims, tables/claims, and beside it the list of misprints. It runs the
// tests that measure claims, reads the kept results, judges every claim and prints a summary. The committed files stay
// if a test failed, or if a verdict is worse than the committed one or rests on less: a test, result or measurement is
// gone, or a tolerance is wider. The new ones then go to .omm/check, and the error names the claims. So they do,
// without an error, if a claim cannot be checked because data is missing here.
func Check(ctx context.Context, l *lab.Lab, sources []Source, o Options) error {
	start := time.Now()
	run, err := runTests(ctx, l)
	if err != nil {
		return err
	}
	rows, err := judge(l.Root, run.Evidence, sources)
	if err != nil {
		return err
	}
	before, err := Committed(l.Root)
	if err != nil {
		return err
	}
	worse, notHere := compare(before, rows)
	summary(l, rows, time.Since(start))
	for _, line := range notHere {
		l.Say("  not checked here: %s", line)
	}
	if o.Accept {
		for _, line := range worse {
			l.Say("  accepted: %s", line)
		}
		worse = nil
	}
	if len(notHere) > 0 {
		l.Say("tables/claims stays as it is, for want of data that is not here.")
	}
	origin, err := l.Here()
	if err != nil {
		return err
	}
	origin.Seconds = time.Since(start).Seconds()
	if lab.Uncommitted(origin.Commit) {
		worse = append(worse, fmt.Sprintf("this program is of commit %s, which does not say what it computes: commit "+
			"the files of ommlx in a clone with git, and build it there", origin.Commit))
	}
	dir := filepath.Join(l.Root, "tables")
	if len(run.Failed)+len(worse)+len(notHere) > 0 {
		dir = filepath.Join(l.Root, ".omm", "check", "tables")
	}
	if err := report.WriteTableIn(dir, l, name, data{name, note, origin, rows}, text(rows)); err != nil {
		return err
	}
	if err := report.WriteTableIn(dir, l, misprints, claims.Misprints(), misprintText()); err != nil {
		return err
	}
	switch {
	case len(run.Failed) > 0:
		return fmt.Errorf("these tests failed, so that tables/claims was left as it is: %s",
			strings.Join(run.Failed, ", "))
	case o.Complete && len(notHere) > 0:
		return fmt.Errorf("these claims could not be checked, for data that is not here (`omm data` lists what "+
			"there is): %s",
			strings.Join(notHere, "; "))
	case len(worse) > 0:
		return fmt.Errorf("tables/claims was left as it is, for what follows is worse than what is committed "+
			"(`omm check --accept` takes it over): %s", strings.Join(worse, "; "))
	}
	return nil
}

// judge adds results to what tests say of claims and judges them, in the order of the paper.
func judge(root string, byClaim map[string][]claims.Evidence, sources []Source) ([]Row, error) {
	for _, s := range sources {
		e, err := s.evidence(root)
		if err != nil {
			return nil, err
		}
		byClaim[s.Claim] = append(byClaim[s.Claim], e)
	}
	var rows []Row
	for i, c := range claims.All() {
		evidence := byClaim[c.ID]
		rows = append(rows, Row{i + 1, c, evidence, c.Judge(evidence)})
		delete(byClaim, c.ID)
	}
	for id := range byClaim {
		return nil, fmt.Errorf("a result names the claim %q, which the list of claims does not have", id)
	}
	return rows, nil
}

// Committed reads the ledger of a checkout; there may be none. The error names a damaged file.
func Committed(root string) ([]Row, error) {
	path := filepath.Join(root, "tables", name+".json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var l data
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w); restore it with git", path, err)
	}
	return l.Rows, nil
}

// compare names the claims whose verdict is worse than before or whose evidence has shrunk, and those that were not
// checked because something is not installed or not downloaded here, which is no worse verdict. A claim that is gone is
// worse.
func compare(before, now []Row) (worse, notHere []string) {
	for _, old := range before {
		i := slices.IndexFunc(now, func(r Row) bool { return r.ID == old.ID })
		if i < 0 {
			worse = append(worse, fmt.Sprintf("%s (%s) is not in the list any more", old.ID, old.Verdict))
			continue
		}
		r, reason := now[i], skipped(now[i].Evidence)
		switch {
		case !r.Verdict.WorseThan(old.Verdict):
		case r.Verdict == claims.NotRun && reason != "":
			notHere = append(notHere, fmt.Sprintf("%d %s (committed: %s): %s", r.Number, r.ID, old.Verdict, reason))
		default:
			worse = append(worse, fmt.Sprintf("%d %s: %s, was %s", r.Number, r.ID, r.Verdict, old.Verdict))
		}
		if reason == "" {
			worse = append(worse, shrunk(old, r)...)
		}
	}
	return worse, notHere
}

// On are the rows that rest on a file.
func On(rows []Row, file string) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		return !slices.ContainsFunc(r.Evidence, func(e claims.Evidence) bool { return e.Source == file })
	})
}

// skipped returns why some of the evidence is missing, or nothing.
func skipped(evidence []claims.Evidence) string {
	for _, e := range evidence {
		if e.Outcome == claims.Skipped {
			return e.Reason
		}
	}
	return ""
}

func summary(l *lab.Lab, rows []Row, elapsed time.Duration) {
	count := map[claims.Verdict]int{}
	for _, r := range rows {
		count[r.Verdict]++
	}
	l.Say("%d claims of the paper, checked in %s:", len(rows), elapsed.Round(time.Second))
	for _, v := range claims.Verdicts() {
		if count[v] > 0 {
			l.Say("  %3d  %s", count[v], v)
		}
	}
}
