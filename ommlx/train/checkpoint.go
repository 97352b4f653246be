package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// A checkpoint file is: magic, SHA-256 of all that follows, length of the header (uint64, little endian),
// the header in JSON, the raw bytes of the tensors.
const magic = "OMMCKPT2"

type header struct {
	Key     string        `json:"key"`
	Step    int           `json:"step"`
	Seconds float64       `json:"seconds"`
	History []Point       `json:"history"`
	Watched []string      `json:"watched,omitempty"` // names that the causes of divergence refer to
	Tensors []tensorShape `json:"tensors"`
}

type tensorShape struct {
	DType string `json:"dtype"`
	Dims  []int  `json:"dims"`
}

// keptCheckpoints is how many are kept: the newest, and the one before it for when that one is damaged.
const keptCheckpoints = 2

func checkpointName(step int) string { return fmt.Sprintf("step-%012d", step) + whole }

// What a file in the folder is, by the end of its name.
const (
	whole      = ".ckpt"
	unfinished = ".tmp"     // of a process that was killed while it wrote
	damaged    = ".damaged" // found not to be what was written
)

// files lists those in dir of one kind, newest first.
func files(dir, kind string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "step-") && strings.HasSuffix(e.Name(), kind) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.Reverse(names)
	return names, err
}

// save writes the state (without data) so that a crash at any moment leaves the checkpoints before it whole.
func (r *runner) save(seconds float64) error {
	state := r.list[:len(r.list)-len(r.data)]
	content, err := encode(header{Key: r.options.Key, Step: r.step, Seconds: seconds, History: r.history, Watched: r.watched}, state)
	if err == nil {
		err = writeAtomically(filepath.Join(r.options.Dir, checkpointName(r.step)), content)
	}
	if err != nil {
		return fmt.Errorf("checkpoint at step %d: %w", r.step, err)
	}
	names, err := files(r.options.Dir, whole)
	if err != nil {
		return err
	}
	for _, old := range names[min(keptCheckpoints, len(names)):] {
		_ = os.Remove(old) // an old file that stays does no harm
	}
	return nil
}

// encode returns the content of a file; it describes the tensors of the state in the header.
func encode(h header, state []*tensors.Tensor) ([]byte, error) {
	var raw bytes.Buffer
	h.Tensors = nil
	for _, t := range state {
		h.Tensors = append(h.Tensors, tensorShape{t.DType().String(), t.Shape().Dimensions})
		if err := t.ConstBytes(func(b []byte) { raw.Write(b) }); err != nil {
			return nil, fmt.Errorf("reading the state from the device: %w", err)
		}
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	body := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, raw.Bytes())
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body), nil
}

// writeAtomically writes data beside path, flushes it to the disk and renames it.
func writeAtomically(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+unfinished)
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails, as it should, after the rename
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// restore takes up the newest checkpoint that is whole; none is not an error.
func (r *runner) restore() error {
	stale, _ := files(r.options.Dir, unfinished)
	for _, name := range stale { // nobody writes them any more: we hold the lock
		_ = os.Remove(name)
	}
	names, err := files(r.options.Dir, whole)
	if err != nil {
		return err
	}
	for i, name := range names {
		h, state, err := readCheckpoint(name)
		if err != nil {
			next := "the one before it is used"
			if i == len(names)-1 {
				next = "there is none before it, so the training starts anew"
			}
			r.warn("checkpoint %s cannot be used: %v; %s", name, err, next)
			// Where it is, it would count as one of those that are kept, at the cost of whole ones of fewer steps.
			_ = os.Rename(name, name+damaged)
			continue
		}
		if h.Key != r.options.Key {
			return fmt.Errorf("checkpoint %s belongs to another configuration (%s, not %s); remove the folder or use another one",
				name, h.Key, r.options.Key)
		}
		if err := r.matches(state); err != nil {
			return fmt.Errorf("checkpoint %s does not fit this program: %w; remove the folder to start anew", name, err)
		}
		r.step, r.history, r.seconds, r.watched = h.Step, h.History, h.Seconds, h.Watched
		r.list, r.owned = append(state, r.data...), true
		return nil
	}
	return nil
}

func (r *runner) matches(state []*tensors.Tensor) error {
	if want := len(r.list) - len(r.data); len(state) != want {
		return fmt.Errorf("it holds %d tensors, want %d", len(state), want)
	}
	for i, t := range state {
		if !t.Shape().Equal(r.list[i].Shape()) {
			return fmt.Errorf("tensor %d has shape %s, want %s", i, t.Shape(), r.list[i].Shape())
		}
	}
	return nil
}

func (r *runner) warn(format string, args ...any) {
	if r.options.Warn != nil {
		fmt.Fprintf(r.options.Warn, format+"\n", args...)
	}
}

func readCheckpoint(path string) (header, []*tensors.Tensor, error) {
	all, err := os.ReadFile(path)
	if err != nil {
		return header{}, nil, err
	}
	return decode(all)
}

// decode reads what encode wrote, and refuses what has another sum or does not fit itself.
func decode(all []byte) (header, []*tensors.Tensor, error) {
	var h header
	const start = len(magic) + sha256.Size
	if len(all) < start+8 || string(all[:len(magic)]) != magic {
		return h, nil, fmt.Errorf("it is cut off or not a checkpoint (%d bytes)", len(all))
	}
	body := all[start:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], all[len(magic):start]) {
		return h, nil, fmt.Errorf("its SHA-256 does not match its content, so it is cut off or altered")
	}
	size := binary.LittleEndian.Uint64(body)
	if size > uint64(len(body)-8) {
		return h, nil, fmt.Errorf("its header is longer than the file")
	}
	if err := json.Unmarshal(body[8:8+size], &h); err != nil {
		return h, nil, fmt.Errorf("its header is not readable: %w", err)
	}
	rest := bytes.NewReader(body[8+size:])
	var state []*tensors.Tensor
	for i, shape := range h.Tensors {
		t, err := readTensor(rest, shape)
		if err != nil {
			return h, nil, fmt.Errorf("tensor %d: %w", i, err)
		}
		state = append(state, t)
	}
	if rest.Len() > 0 {
		return h, nil, fmt.Errorf("it has %d bytes too many", rest.Len())
	}
	return h, state, nil
}

func readTensor(rest *bytes.Reader, s tensorShape) (*tensors.Tensor, error) {
	dtype, err := dtypes.DTypeString(s.DType)
	if err != nil || !dtype.IsSupported() {
		return nil, fmt.Errorf("unknown element type %q", s.DType)
	}
	size := dtype.Size()
	for _, d := range s.Dims { // divided, not multiplied, so that no dimension overflows or claims memory
		if d < 0 || d > 0 && size > rest.Len()/d {
			return nil, fmt.Errorf("shape %v needs more than the %d bytes left", s.Dims, rest.Len())
		}
		size *= d
	}
	t := tensors.FromShape(shapes.Make(dtype, s.Dims...))
	var readErr error
	err = t.MutableBytes(func(b []byte) { _, readErr = io.ReadFull(rest, b) })
	return t, errors.Join(err, readErr)
}

// Clear removes the checkpoints of a training that is done, once its result is safely elsewhere. It leaves the
// folder alone while another process works in it.
func Clear(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := acquire(dir)
	if errors.Is(err, errHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.release()
	for _, kind := range []string{whole, unfinished, damaged} {
		names, listErr := files(dir, kind)
		err = errors.Join(err, listErr)
		for _, name := range names {
			err = errors.Join(err, os.Remove(name))
		}
	}
	if remaining, listErr := os.ReadDir(dir); listErr == nil && len(remaining) == 1 && remaining[0].Name() == lockName {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}
