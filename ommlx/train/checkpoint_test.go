package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestResume: stopped and taken up again, even more than once, a training ends with the bits of an uninterrupted one.
func TestResume(t *testing.T) {
	o := pureGo(t)
	o.Eval = size
	c := config(200, 6)
	uninterrupted := mustRun(t, toy(16, 1, 2), c, o)
	o.Dir = filepath.Join(t.TempDir(), "a [new] folder", "of a run")
	err := interrupted(t, toy(16, 1, 2), c, o, 40)
	assert.ErrorContains(t, err, "run the same command again")
	err = interrupted(t, toy(16, 1, 2), c, o, 0) // stops at the first opportunity
	assert.ErrorContains(t, err, "of 200; the checkpoint is saved")
	var first *Status
	o.Progress = func(s Status) {
		if first == nil {
			first = &s
		}
	}
	resumed := mustRun(t, toy(16, 1, 2), c, o)
	requireSame(t, uninterrupted, resumed)
	assert.Greater(t, first.FirstStep, 40)
	assert.Equal(t, first.FirstStep+1, first.Step)

	left := testkit.Must(files(o.Dir, whole))
	assert.Len(t, left, keptCheckpoints)
	o.Progress = func(Status) { t.Error("a training that is done was trained again") }
	requireSame(t, uninterrupted, mustRun(t, toy(16, 1, 2), c, o))
	require.NoError(t, Clear(o.Dir))
	assert.NoDirExists(t, o.Dir)
}

func TestInterruptedWithoutFolder(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Run(ctx, toy(4, 1), config(10, 0), pureGo(t))
	require.ErrorIs(t, err, ErrInterrupted)
	assert.ErrorContains(t, err, "at step 1 of 10; nothing was saved")
}

// begun returns a training of whose folder two checkpoints are there, newest first, and its result without a folder.
func begun(t testing.TB) (o Options, p Problem, c Config, names []string, uninterrupted *Result) {
	t.Helper()
	o, p, c = pureGo(t), toy(4, 1), config(80, 3)
	uninterrupted = mustRun(t, p, c, o)
	o.Dir, o.CheckpointEvery = t.TempDir(), 1
	interrupted(t, p, c, o, 30)
	names = testkit.Must(files(o.Dir, whole))
	require.Len(t, names, 2)
	return o, p, c, names, uninterrupted
}

func damage(t *testing.T, name string, change func(content []byte) []byte) {
	t.Helper()
	b := testkit.Must(os.ReadFile(name))
	require.NoError(t, os.WriteFile(name, change(b), 0o600))
}

// TestDamagedCheckpoint is found, named, and the one before it used; the result is that of a training without harm.
func TestDamagedCheckpoint(t *testing.T) {
	flip := func(at float64) func([]byte) []byte {
		return func(b []byte) []byte { b[int(at*float64(len(b)-1))] ^= 1; return b }
	}
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:len(b)-n] } }
	empty := func([]byte) []byte { return nil }
	for name, c := range map[string]struct {
		newest, before func([]byte) []byte
		word           string
	}{
		"magic":      {newest: flip(0), word: "not a checkpoint"},
		"numbers":    {newest: flip(0.9), word: "SHA-256 does not match"},
		"everything": {newest: empty, word: "cut off"},
		"both":       {newest: cut(9), before: flip(0.5), word: "the training starts anew"},
	} {
		t.Run(name, func(t *testing.T) {
			o, p, config, names, uninterrupted := begun(t)
			damage(t, names[0], c.newest)
			_, _ = testkit.Must2(readCheckpoint(names[1]))
			taken := stepOf(t, names[1])
			if c.before != nil {
				damage(t, names[1], c.before)
				taken = 0
			}
			var warnings bytes.Buffer
			o.Warn = &warnings
			var first *Status
			o.Progress = func(s Status) {
				if first == nil {
					first = &s
				}
				// What is damaged must not crowd out what is whole.
				for _, name := range testkit.Must(files(o.Dir, whole)) {
					_, _ = testkit.Must2(readCheckpoint(name))
				}
			}
			requireSame(t, uninterrupted, mustRun(t, p, config, o))
			assert.Equal(t, taken, first.FirstStep)
			lines := strings.Split(strings.TrimSpace(warnings.String()), "\n")
			assert.Contains(t, lines[0], names[0])
			assert.Contains(t, warnings.String(), c.word)
			if c.before == nil {
				assert.Len(t, lines, 1)
				assert.Contains(t, lines[0], "the one before it is used")
			} else {
				assert.Len(t, lines, 2)
				assert.Contains(t, lines[1], names[1])
			}
			require.NoError(t, Clear(o.Dir))
			assert.NoDirExists(t, o.Dir)
		})
	}
}

// TestCheckpointThatCannotBeRead ends the training and stays where it is: a file system that fails for a moment says
// nothing of what is in the file, and the one before it would cost steps.
func TestCheckpointThatCannotBeRead(t *testing.T) {
	o, p, c, names, uninterrupted := begun(t)
	aside := filepath.Join(o.Dir, "aside")
	require.NoError(t, os.Rename(names[0], aside))
	require.NoError(t, os.Mkdir(names[0], 0o700)) // the error of reading a folder is one also for root
	_, err := Run(context.Background(), p, c, o)
	require.ErrorIs(t, err, syscall.EISDIR)
	require.ErrorContains(t, err, names[0])
	require.ErrorContains(t, err, "run the same command again")
	require.NoError(t, os.Remove(names[0]))
	require.NoError(t, os.Rename(aside, names[0]))
	requireSame(t, uninterrupted, mustRun(t, p, c, o))
}

// TestCheckpointsThatCannotBeRemoved pile up, which is said once; a folder in the place of one stays also for root.
func TestCheckpointsThatCannotBeRemoved(t *testing.T) {
	o, p, c, _, uninterrupted := begun(t)
	stuck := filepath.Join(o.Dir, checkpointName(0))
	require.NoError(t, os.MkdirAll(filepath.Join(stuck, "full"), 0o700))
	var warnings bytes.Buffer
	o.Warn = &warnings
	requireSame(t, uninterrupted, mustRun(t, p, c, o))
	require.Equal(t, 1, strings.Count(warnings.String(), "\n"), warnings.String())
	require.Contains(t, warnings.String(), stuck)
	require.Contains(t, warnings.String(), "checkpoints pile up in "+o.Dir)
}

// TestCheckpointThatCannotBeWritten says what is wrong and that nothing of what was saved before is lost.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	o, p, c, names, uninterrupted := begun(t)
	var inTheWay []string
	for step := stepOf(t, names[0]) + 1; step <= c.Steps; step++ {
		inTheWay = append(inTheWay, filepath.Join(o.Dir, checkpointName(step)))
	}
	o.Eval = func(now Snapshot) ([]float64, error) {
		for _, name := range inTheWay { // a folder that is not empty cannot be replaced
			if _, err := os.Stat(name); err != nil {
				require.NoError(t, os.MkdirAll(filepath.Join(name, "full"), 0o700))
			}
		}
		return size(now)
	}
	_, err := Run(context.Background(), p, c, o)
	require.ErrorContains(t, err, "once there is room, or "+o.Dir+" can be written, the same command goes on from the "+
		"checkpoint before")
	for _, name := range inTheWay {
		require.NoError(t, os.RemoveAll(name))
	}
	o.Eval = nil
	requireSame(t, uninterrupted, mustRun(t, p, c, o))
}

func stepOf(t *testing.T, name string) int {
	t.Helper()
	h, _ := testkit.Must2(readCheckpoint(name))
	return h.Step
}

// sealed returns a file with that content and a sum that fits, so that what follows the sum is read.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body)
}

func withHeader(head string, rest ...byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), []byte(head), rest)
}

// hostile are bodies whose header and data do not fit together.
var hostile = map[string][]byte{
	"header is longer than the file":  binary.LittleEndian.AppendUint64(nil, 1<<63),
	"header is not readable":          withHeader(`{"step":`),
	"1 bytes too many":                withHeader(`{}`, 0),
	"unknown element type \"Float7\"": withHeader(`{"tensors":[{"dtype":"Float7"}]}`),
	"unknown element type \"Invali":   withHeader(`{"tensors":[{"dtype":"InvalidDType"}]}`),
	"tensor 1: shape [2] needs": withHeader(`{"tensors":[{"dtype":"Float32","dims":[1]},{"dtype":"Int32","dims":[2]}]}`,
		1, 2, 3, 4, 5),
	"shape [-1 -4]":         withHeader(`{"tensors":[{"dtype":"Float32","dims":[-1,-4]}]}`, make([]byte, 16)...),
	"shape [1099511627776]": withHeader(`{"tensors":[{"dtype":"Float32","dims":[1099511627776]}]}`),
	// 2³² · 2³² overflows to 0.
	"shape [4294967296 4294967296]": withHeader(`{"tensors":[{"dtype":"Float64","dims":[4294967296,4294967296]}]}`,
		make([]byte, 64)...),
}

// TestCheckpointThatDoesNotFitItself is refused for what is wrong, without the memory that it claims to need.
func TestCheckpointThatDoesNotFitItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for word, body := range hostile {
		require.NoError(t, os.WriteFile(path, sealed(body), 0o600))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := readCheckpoint(path)
		runtime.ReadMemStats(&after)
		assert.ErrorContains(t, err, word)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	}
}

// FuzzReadCheckpoint: nothing that a file can hold makes reading it panic or claim more than the file has, with a sum
// that fits and without; what is read is written and read again as it was.
func FuzzReadCheckpoint(f *testing.F) {
	_, _, _, names, _ := begun(f)
	good := testkit.Must(os.ReadFile(names[0]))
	f.Add(good[len(magic)+sha256.Size:])
	for _, body := range hostile {
		f.Add(body)
	}
	f.Add(withHeader(`{"step":-1,"history":[{"step":0},{"loss":["NaN",null,1]}],
		"tensors":[{"dtype":"Bool","dims":[0,1099511627776]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _, err := decode(body)
		require.Error(t, err, "without a sum")
		h, state, err := decode(sealed(body))
		if err != nil {
			return
		}
		require.Len(t, state, len(h.Tensors))
		claimed := int64(0)
		for _, tensor := range state {
			claimed += tensor.ByteSize()
		}
		require.LessOrEqual(t, claimed, int64(len(body)))
		again := testkit.Must(encode(h, state))
		h, state = testkit.Must2(decode(again))
		third := testkit.Must(encode(h, state))
		require.Equal(t, again, third)
	})
}

func TestEveryByteOfACheckpointShowsDamage(t *testing.T) {
	_, _, _, names, _ := begun(t)
	testkit.FindsDamage(t, names[0], func() (any, error) {
		h, state, err := readCheckpoint(names[0])
		if err != nil {
			return nil, err
		}
		return encode(h, state)
	})
}
