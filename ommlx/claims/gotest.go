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
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
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
	outputs := map[[2]string]*strings.Builder{} // by package and test
	failedIn := map[string]bool{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return run, fmt.Errorf("go test -json wrote a line that is not JSON: %.120q", scanner.Text())
		}
		key := [2]string{e.Package, e.Test}
		switch {
		case e.Action == "output" && e.Test != "":
			if outputs[key] == nil {
				outputs[key] = &strings.Builder{}
			}
			outputs[key].WriteString(e.Output)
		case e.Test == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
			if e.Action == "fail" && !failedIn[e.Package] {
				run.Failed = append(run.Failed, e.Package)
			}
			if progress != nil {
				progress(e.Package, e.Elapsed)
			}
		case e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
			if e.Action == "fail" && !strings.Contains(e.Test, "/") {
				failedIn[e.Package] = true
				run.Failed = append(run.Failed, e.Test)
			}
			if err := run.take(e, outputs[key]); err != nil {
				return run, err
			}
			delete(outputs, key)
		}
	}
	// A test that had not ended when its process died has left output and no verdict.
	byName := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, key := range slices.SortedFunc(maps.Keys(outputs), byName) {
		if err := run.take(event{Action: "fail", Package: key[0], Test: key[1]}, outputs[key]); err != nil {
			return run, err
		}
	}
	return run, scanner.Err()
}

// take adds the records in the output of a test that ended.
func (run *TestRun) take(e event, output *strings.Builder) error {
	if output == nil {
		return nil
	}
	outcome := map[string]Outcome{"pass": Done, "skip": Skipped, "fail": Failed}[e.Action]
	reason := ""
	var records []Record
	for line := range strings.Lines(output.String()) {
		record, ok, err := ParseLine(line)
		if err != nil {
			return fmt.Errorf("%q: %w", e.Test, err)
		}
		if ok {
			records = append(records, record)
		} else if _, text, found := strings.Cut(line, ".go:"); found && outcome == Skipped {
			_, reason, _ = strings.Cut(strings.TrimSpace(text), ": ")
		}
	}
	name, _, _ := strings.Cut(e.Test, "/")
	_, folder, _ := strings.Cut(e.Package, "/") // without the module's own name
	for _, r := range records {
		run.Evidence[r.Claim] = append(run.Evidence[r.Claim], Evidence{
			Source: folder + "." + name, Command: fmt.Sprintf("go test ./%s -run '^%s$' -v", folder, name),
			Seconds: e.Elapsed, Outcome: outcome, Reason: reason, Record: r,
		})
	}
	return nil
}
