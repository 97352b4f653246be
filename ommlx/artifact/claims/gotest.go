package claims

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

type event struct {
	Action     string
	Package    string
	Test       string
	Key, Value string // of an attribute
	Output     string
	Elapsed    float64
}

// TestRun is what a run of `go test -json` says.
type TestRun struct {
	Evidence map[string][]Evidence // by claim
	Failed   []string              // tests that failed, and packages that failed without one
}

// ReadTests reads the output of `go test -json` for packages of this module, calling progress for each package that
// ends. The error tells of a damaged record or of a line that is not JSON.
func ReadTests(r io.Reader, progress func(pkg string, seconds float64)) (TestRun, error) {
	run := TestRun{Evidence: map[string][]Evidence{}}
	said := map[[2]string][]event{} // by package and test
	failedIn := map[string]bool{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return run, fmt.Errorf("go test -json wrote a line that is not JSON: %.120q", scanner.Text())
		}
		key := [2]string{e.Package, e.Test}
		ended := e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
		switch {
		case e.Test != "" && (e.Action == "attr" || e.Action == "output"):
			said[key] = append(said[key], e)
		case e.Test == "" && ended:
			if e.Action == "fail" && !failedIn[e.Package] {
				run.Failed = append(run.Failed, e.Package)
			}
			progress(e.Package, e.Elapsed)
		case ended:
			if e.Action == "fail" && !strings.Contains(e.Test, "/") {
				failedIn[e.Package] = true
				run.Failed = append(run.Failed, e.Test)
			}
			if err := run.take(e, said[key]); err != nil {
				return run, err
			}
			delete(said, key)
		}
	}
	// A test that had not ended when its process died has no verdict.
	byName := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, key := range slices.SortedFunc(maps.Keys(said), byName) {
		if err := run.take(event{Action: "fail", Package: key[0], Test: key[1]}, said[key]); err != nil {
			return run, err
		}
	}
	return run, scanner.Err()
}

// take adds the records of a test that ended with e, which said that before.
func (run *TestRun) take(e event, said []event) error {
	outcome := map[string]Outcome{"pass": Done, "skip": Skipped, "fail": Failed}[e.Action]
	reason := ""
	for _, s := range said {
		if _, text, found := strings.Cut(s.Output, ".go:"); found && outcome == Skipped {
			_, reason, _ = strings.Cut(strings.TrimSpace(text), ": ")
		}
	}
	name, _, _ := strings.Cut(e.Test, "/")
	_, folder, _ := strings.Cut(e.Package, "/") // without the module's own name
	for _, s := range said {
		if s.Key != attribute {
			continue
		}
		var r Record
		if err := json.Unmarshal([]byte(s.Value), &r); err != nil {
			return fmt.Errorf("%q: a test's record of a claim cannot be read (%w): %.80q", e.Test, err, s.Value)
		}
		run.Evidence[r.Claim] = append(run.Evidence[r.Claim], Evidence{
			Source: folder + "." + name, Command: fmt.Sprintf("go test ./%s -run '^%s$' -v", folder, name),
			Seconds: e.Elapsed, Outcome: outcome, Reason: reason, Record: r,
		})
	}
	return nil
}
