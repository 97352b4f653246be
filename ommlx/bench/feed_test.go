package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/train"
)

// TestFedBatchesAreThoseOnTheDevice: what is compared is the same training.
func TestFedBatchesAreThoseOnTheDevice(t *testing.T) {
	f := feeding{batch: 8, width: 3, rows: 24, hidden: 32}
	const steps = 7 // more than the table has batches
	var histories [2][]train.Point
	for i, p := range []train.Problem{f.resident(), f.fed()} {
		c, o := train.Config{Steps: steps, EvalEvery: 1}, train.Options{Backend: pureGo(t)}
		result, err := train.Run(context.Background(), p, c, o)
		require.NoError(t, err)
		histories[i] = result.History
	}
	assert.Equal(t, histories[0], histories[1])
	assert.NotEqual(t, histories[0][1].Loss, histories[0][4].Loss)
}

func TestFeedIsMeasured(t *testing.T) {
	out := report(t, pureGo(t), "feed", 0.01)
	for _, name := range []string{"points", "pictures"} {
		assert.Regexp(t, `(?m)^`+name+` +\d.*resident, a call each +\d`, out)
		assert.Regexp(t, `(?m)^`+name+` +\d.*resident, one call +\d`, out)
	}
}
