package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
)

// measuring is in the call of claims.Of, or of a helper of tests, with which a test measures a claim.
const measuring = `.Of(t, "`

// ledgerTest compares the committed ledger with the list of claims; what makes a new ledger cannot wait for it.
const ledgerTest = "TestTheCommittedLedgerIsOfTheseClaims"

// overDevices ends the names of tests that train on several devices, which measure no claim and take a minute.
const overDevices = "OverSeveralDevices"

func runTests(ctx context.Context, l *run.Lab) (claims.TestRun, error) {
	packages, err := measuringPackages(l.Root)
	if err != nil {
		return claims.TestRun{}, err
	}
	l.Say("Running the tests of %d packages (a minute or two) …", len(packages))
	skip := "^" + ledgerTest + "$|" + overDevices + "$"
	args := append([]string{"test", "-count=1", "-timeout=1h", "-json", "-skip", skip}, packages...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = l.Root, 5*time.Second
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return claims.TestRun{}, err
	}
	if err := cmd.Start(); err != nil {
		return claims.TestRun{}, fmt.Errorf("starting go test: %w", err)
	}
	run, readErr := claims.ReadTests(out, func(pkg string, seconds float64) { l.Say("  %s %.0f s", pkg, seconds) })
	err = cmd.Wait()
	if ctx.Err() != nil {
		return run, errors.New("interrupted; nothing was written, and the same command begins again")
	}
	if readErr != nil {
		return run, readErr
	}
	if err != nil && len(run.Failed) == 0 {
		complaint, _, _ := strings.Cut(strings.TrimSpace(complaints.String()), "\n")
		return run, fmt.Errorf("go test could not run (%w): %s", err, complaint)
	}
	return run, nil
}

// measuringPackages lists the folders of the packages whose tests measure claims, by their sources: what `go list`
// knows of imports does not tell them from tests that read verdicts.
func measuringPackages(root string) (packages []string, err error) {
	checkout := os.DirFS(root)
	err = fs.WalkDir(checkout, "ommlx", func(file string, _ fs.DirEntry, err error) error {
		folder := "./" + path.Dir(file)
		if err != nil || !strings.HasSuffix(file, "_test.go") || slices.Contains(packages, folder) {
			return err
		}
		source, err := fs.ReadFile(checkout, file)
		if bytes.Contains(source, []byte(measuring)) {
			packages = append(packages, folder)
		}
		return err
	})
	slices.Sort(packages)
	return packages, err
}
