package artifact_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/internal/testkit"
)

// FuzzReadJob: any file that `omm train --config` is given is a job, or is refused.
func FuzzReadJob(f *testing.F) {
	encoder, graph := images.Quick("omm", images.Projected), graphs.Quick("omm")
	for _, e := range []any{rl.Paper("GridRoom-4", "allo", 11, 2), pde.PaperWell(), encoder, graph} {
		text := string(testkit.Must(json.Marshal(e)))
		for _, change := range [][2]string{{"", ""}, {`"batch":`, `"batch":0,"x":`}, {`"batch":`, `"batch":9`},
			{`"k":`, `"k":-`}, {`"seeds":[`, `"seeds":[1,`}, {`"train":{`, `"train":{"steps":0,`},
			{`{`, `{"probe":{},`}} {
			f.Add([]byte(strings.Replace(text, change[0], change[1], 1)))
		}
	}
	for _, text := range []string{"", "null", "[]", `{"environment":1}`, `{"graph":{}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		job, err := artifact.ReadJob(text)
		if err == nil {
			require.Len(t, job.Key, 32)
			require.NotEmpty(t, job.Seeds)
			require.False(t, math.IsNaN(job.Cost.Seconds))
		}
	})
}
