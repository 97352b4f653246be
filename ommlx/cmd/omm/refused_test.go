package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/testkit"
)

// TestWhatIsRefused holds the sentence for each command line that is wrong. Words are divided by |, if there is one.
func TestWhatIsRefused(t *testing.T) {
	const tables = "tab2, choices, spread, beyond, hard, hydrogen, oscillator, well, tab1, tab3"
	const fromWhere = "name the folder with the text files: --from DIR"
	refused := func(line string) string {
		args := strings.Fields(line)
		if strings.Contains(line, "|") {
			args = strings.Split(line, "|")
		}
		code, stdout, stderr := omm(t, args...)
		assert.Equal(t, exitWrongUse, code, line)
		assert.Empty(t, stdout, line)
		return stderr
	}
	for line, want := range map[string]string{
		"train --k 0": "k for the 104 states of GridRoom-4 is 0; it must be from 1 to 104",
		"run --for 30": `invalid argument "30" for "--for" flag: time: missing unit in duration "30"; see ` +
			"`omm run --help`",
		"bench --rounds 0":  "--rounds is 0; it must be at least 1",
		"bench --rounds -1": "--rounds is -1; it must be at least 1",
		"tables|tab2|":      `there is nothing called ""; choose one of ` + tables,
		"tables fig1":       `there is nothing called "fig1"; choose one of ` + tables,

		"figures|--out|": "--out is empty; give it a value, or leave it out; see `omm figures --help`",
		"run|--key|":     "--key is empty; give it a value, or leave it out; see `omm run --help`",
		"run --for 5s --key a,b": "if any flags in the group [key for] are set none of the others can be; [for key] " +
			"were all set; see `omm run --help`",

		"nonsense":                   `unknown command "nonsense" for "omm"; see ` + "`omm --help`",
		"doctor extra":               `unknown command "extra" for "omm doctor"; see ` + "`omm doctor --help`",
		"data convert ogbn-products": fromWhere,
		"data convert mine":          fromWhere,
		"data convert ogbn-products --from x --classes 3": "--split and --classes are for other graphs: " +
			"ogbn-products has its own",
	} {
		assert.Equal(t, "omm: "+want+"\n", refused(line), line)
	}
	for help, lines := range map[string][]string{ // the sentences of these are tested where they are made
		"; see `omm setup --help`":    {"setup --nosuch"},
		"; see `omm data --help`":     {"data nosuch"},
		"; see `omm data get --help`": {"data get grids extra"},
		"; see `omm train --help`":    {"train --steps many"},
		"": {
			"figures --profile best", "figures fig9", "figures extra",
			"train --env GridRoom-5", "train --method nosuch", "bench --case nosuch",
			"run nosuch", "run --profile best", "run --for -1h", "run --key abc", "keep fig1 nosuch",
			"data get grids cifar100 --from http://x",
		},
	} {
		for _, line := range lines {
			said := refused(line)
			assert.Regexp(t, "^omm: [^\n]+"+help+"\n$", said)
			assert.Equal(t, help != "", strings.Contains(said, "; see `omm "), said)
		}
	}
}

// TestWhateverIsInAConfiguration the sentence about it is one line that a terminal shows and a reader ends.
func TestWhateverIsInAConfiguration(t *testing.T) {
	t.Chdir(t.TempDir())
	for field, value := range map[string]string{
		"environment": "a\nb\x1b[2J", "method": strings.Repeat("m", 100_000), "walks": "\u202e\x00\x9b1m",
	} {
		config := map[string]any{}
		require.NoError(t, json.Unmarshal(testkit.Must(json.Marshal(small(1, 20))), &config))
		config[field] = value
		require.NoError(t, os.WriteFile("c.json", testkit.Must(json.Marshal(config)), 0o644))
		code, stdout, stderr := omm(t, "train", "--config", "c.json")
		assert.Equal(t, exitWrongUse, code, field)
		assert.Empty(t, stdout, field)
		line := strings.TrimSuffix(stderr, "\n")
		assert.Equal(t, say.Printable(line), line, field)
		assert.Less(t, len(line), 1_100, field)
	}
}

// TestWhatIsNoNotebook is told before anything is installed.
func TestWhatIsNoNotebook(t *testing.T) {
	t.Chdir(testkit.Must(fsx.Checkout()))
	t.Setenv("PATH", "") // nothing can be installed
	for _, file := range []string{"nowhere.ipynb", "README.md", "notebooks"} {
		code, stdout, stderr := omm(t, "notebooks", "notebooks/00_start_here.ipynb", file)
		assert.Equal(t, exitWrongUse, code, file)
		assert.Empty(t, stdout, file)
		assert.Equal(t, "omm: there is no notebook "+file+"; they are in notebooks/\n", stderr, file)
	}
}

// TestOutsideACheckout: the working directory is the wrong one for every command that needs a checkout.
func TestOutsideACheckout(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"figures", "tables", "plan", "run", "keep", "check", "notebooks", "lab", "compare",
	} {
		code, _, stderr := omm(t, strings.Fields(name)...)
		assert.Equal(t, exitWrongUse, code, name)
		assert.Contains(t, stderr, "is not inside a checkout of omm-go; change into the cloned repository", name)
	}
}

// TestStoppedWorkGoesOn with the same command, so its exit code says so.
func TestStoppedWorkGoesOn(t *testing.T) {
	t.Setenv("OMM_DATA", t.TempDir())
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("terminated signal received"))
	var out, errs bytes.Buffer
	args := []string{"data", "get", "grids", "--from", "http://localhost:1"}
	assert.Equal(t, exitStopped, execute(ctx, args, &out, &errs))
	assert.Contains(t, errs.String(), "stopped")
}

// TestFiguresTakeNames as arguments, several of them, each once.
func TestFiguresTakeNames(t *testing.T) {
	names := func(line ...string) (list []string) {
		for _, e := range testkit.Must(report.Select(artifact.Figures(), line)) {
			list = append(list, e.Short)
		}
		return list
	}
	assert.Len(t, names(), len(artifact.Figures()))
	assert.Equal(t, []string{"fig3", "fig1"}, names("fig3", "fig1_laplacian_rl", "fig3_grids"))
	code, stdout, stderr := omm(t, "figures", "fig1", "fig8", "fig8", "--profile", "smoke", "--kept")
	require.Equal(t, exitOK, code, stderr)
	assert.Equal(t, 2, strings.Count(stdout, " (smoke profile)\n"), stdout)
}
