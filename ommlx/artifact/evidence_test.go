package artifact

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// Every result that claims name is there and can be judged, as in the checkout that these tests belong to.
func TestCommittedResultsAreEvidence(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	for _, k := range Evidence() {
		_, ok := claims.Find(k.Claim)
		require.True(t, ok, k.Claim)
		for _, p := range k.Entry.Profiles() {
			text, err := os.ReadFile(filepath.Join(root, k.Entry.File(p)))
			if p == run.Paper && errors.Is(err, fs.ErrNotExist) {
				continue // no result of it at that scale yet
			}
			require.NoError(t, err, k.Claim)
			var e claims.Evidence
			_, err = k.Measured(text, &e)
			require.NoError(t, err, k.Claim)
			if p == run.Quick && e.Outcome == claims.Skipped { // the quick table has the parts of one protocol
				require.NotEmpty(t, e.Reason, k.Claim)
				continue
			}
			require.NotEmpty(t, e.Notes, k.Claim)
			for _, note := range e.Notes {
				require.NotContains(t, note, "NaN", k.Claim)
				require.NotContains(t, note, "%!", k.Claim)
			}
		}
	}
}

// FuzzKept: what a figure's or a table's file holds measures a claim, or is refused in one line.
func FuzzKept(f *testing.F) {
	for _, text := range []string{
		"{}", "null", "[]", `{"environments":[{"cells":[{}]},{}]}`, `{"results":[{}]}`, `{"results":[null]}`,
		`{"rows":[{}]}`, `{"results":[{"config":{"k":1000000000000000}}]}`, `{"rows":[{"result":null}]}`,
		`{"methods":[{"result":null}]}`, `{"cells":[{}]}`,
		`{"results":[{"runs":[{}],"config":{"k":16}}]}`,
		`{"results":[{"config":{"method":"sanger","system":"hydrogen","k":16},"runs":[{"seed":1}]}]}`,
	} {
		f.Add([]byte(text))
	}
	root, seen := testkit.Committed(f, "figures/*.json", "tables/*.json"), map[string]bool{}
	for _, k := range Evidence() {
		file := k.Entry.File(run.Quick)
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || seen[file] {
			continue
		}
		seen[file] = true
		var whole any
		require.NoError(f, json.Unmarshal(text, &whole))
		eachObject(whole, func(at map[string]any) {
			for name, v := range at {
				if list, is := v.([]any); is {
					at[name] = list[:min(2, len(list))]
				}
			}
		})
		f.Add(testkit.Must(json.Marshal(whole)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, k := range Evidence() {
			e := claims.Evidence{Outcome: claims.Done, Record: claims.Record{Claim: k.Claim}}
			if _, err := k.Measured(text, &e); err != nil {
				require.NotContains(t, err.Error(), "\n")
				require.Contains(t, err.Error(), k.Entry.File(run.Quick))
			}
		}
	})
}
