package artifact_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
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

// unsized are the whole numbers of a configuration on which no memory depends: seeds, and when something happens.
var unsized = []string{"seeds", "data_seed", "seed", "eval_every", "schedule"}

// TestNoConfigurationTakesAllMemory: each size in the configuration of each kind of experiment, as `omm train --config`
// reads it, is refused where it is absurd, before anything is allocated.
func TestNoConfigurationTakesAllMemory(t *testing.T) {
	grid, well, hydrogen := rl.Paper("GridRoom-4", "omm_seq", 11, 1), pde.PaperWell(), pde.PaperHydrogen("omm_seq")
	encoder, graph := images.Quick("omm", images.Projected), graphs.Quick("omm")
	for _, e := range []any{&grid, &well, &hydrogen, &encoder, &graph} {
		read := func() error {
			_, err := artifact.ReadJob(testkit.Must(json.Marshal(e)))
			return err
		}
		require.NoError(t, read())
		checked := 0
		eachSize(reflect.ValueOf(e).Elem(), func(name string, size reflect.Value) {
			before := size.Int()
			size.SetInt(1 << 40)
			require.Error(t, read(), "%T: %s", e, name)
			size.SetInt(before)
			checked++
		})
		require.Greater(t, checked, 3)
	}
}

// eachSize visits the whole numbers of a configuration but for those that are no size, with their names in JSON.
func eachSize(v reflect.Value, visit func(name string, size reflect.Value)) {
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		field := reflect.Indirect(v.Field(i))
		switch {
		case slices.Contains(unsized, name):
		case field.Kind() == reflect.Int:
			visit(name, field)
		case field.Kind() == reflect.Struct:
			eachSize(field, visit)
		case field.Kind() == reflect.Slice && field.Len() > 0 && field.Index(0).Kind() == reflect.Int:
			visit(name, field.Index(0))
		}
	}
}

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
