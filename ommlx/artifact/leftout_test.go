package artifact_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/artifact/rl"
)

// leftOut names the kept results of a folder that are of the configuration of a planned job but for the seeds, and
// whose seed that job has not: a figure or table shows fewer runs of it than there are.
func leftOut(t *testing.T, dir string, entries []report.Entry) (names []string) {
	t.Helper()
	type plan struct {
		entry string
		seeds []int64
	}
	planned, lists := map[string][]plan{}, map[string][]int64{} // by key; by itself in words
	for _, e := range entries {
		jobs, err := e.Jobs(lab.Paper)
		require.NoError(t, err)
		for _, j := range jobs {
			planned[j.Key] = append(planned[j.Key], plan{e.Short, j.Seeds})
			lists[fmt.Sprint(j.Seeds)] = j.Seeds
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var result struct{ Config map[string]any }
		require.NoError(t, json.Unmarshal(text, &result))
		kept := int64(result.Config["seeds"].([]any)[0].(float64))
		for _, seeds := range lists {
			result.Config["seeds"] = seeds
			config, err := json.Marshal(result.Config)
			require.NoError(t, err)
			job, err := artifact.ReadJob(config)
			require.NoError(t, err)
			for _, p := range planned[job.Key] {
				if !slices.Contains(p.seeds, kept) {
					names = append(names, fmt.Sprintf("%s shows %s without seed %d, which is kept as %s", p.entry,
						job.Label, kept, filepath.Base(file)))
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// What was trained is shown: no run that is kept is left out of a figure or table that has its configuration. The sweep
// compares single runs, as its note says, and takes no other of OMM beside them.
func TestNoKeptRunIsLeftOut(t *testing.T) {
	entries := slices.DeleteFunc(slices.Concat(artifact.Figures(), artifact.Tables()),
		func(e report.Entry) bool { return e.Short == rl.Sweep().Short })
	require.Empty(t, leftOut(t, filepath.Join("..", "..", filepath.FromSlash(lab.Committed)), entries))
}
