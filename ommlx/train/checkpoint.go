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

	"omm-go/ommlx/internal/fsx"
)

// keptCheckpoints is how many are kept: the newest, and the one before it for when that one is damaged.
const keptCheckpoints = 2

func checkpointName(step int) string { return fmt.Sprintf("step-%012d", step) + whole }

// What a file in the folder is, by the end of its name.
const (
	whole      = ".ckpt"
	unfinished = fsx.Unfinished // of a process that was killed while it wrote
	damaged    = ".damaged"     // found not to be what was written
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
func (r *runner) save() error {
	state, err := r.division.whole(r.layout, r.lists)
	if err != nil {
		return fmt.Errorf("checkpoint at step %d: %w", r.step, err)
	}
	content, err := encode(header{Key: r.options.Key, Identity: r.identity, Step: r.step, Seconds: r.elapsed(),
		Sessions: r.sessions, History: r.history}, state)
	if err == nil {
		err = fsx.Write(filepath.Join(r.options.Dir, checkpointName(r.step)), content)
	}
	if err != nil {
		return fmt.Errorf("checkpoint at step %d: %w; once there is room, or %s can be written, the same command "+
			"goes on from the checkpoint before", r.step, err, r.options.Dir)
	}
	names, err := files(r.options.Dir, whole)
	if err != nil {
		return err
	}
	for _, old := range names[min(keptCheckpoints, len(names)):] {
		if err := os.Remove(old); err != nil && !r.pilingUp { // an old file that stays does no harm but for its size
			r.pilingUp = true
			r.warn("old checkpoints pile up in %s: %v; the training goes on, and they may be removed by hand",
				r.options.Dir, err)
		}
	}
	return nil
}

// restore takes up the newest checkpoint that is whole, and returns the loop's list of it without data; none, with nil,
// is not an error. One that cannot be read now, on a file system that fails or without permission, is.
func (r *runner) restore() ([]*tensors.Tensor, error) {
	stale, _ := files(r.options.Dir, unfinished)
	for _, name := range stale { // nobody writes them any more: we hold the lock
		_ = os.Remove(name)
	}
	names, err := files(r.options.Dir, whole)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("checkpoint: %w; run the same command again once it can be read, or remove it to "+
				"go back to the one before it", err)
		}
		h, state, err := decode(content)
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
		return state, r.takeUp(name, h)
	}
	return nil, nil
}

// ErrForeign is wrapped by the error of a training whose folder holds a checkpoint of another one, as one of a build
// that computed something else.
var ErrForeign = errors.New("belongs to another training")

// takeUp continues the checkpoint if it is one of this training.
func (r *runner) takeUp(name string, h header) error {
	const remedy = "use another folder for this one, or remove that one to start anew"
	if h.Key != r.options.Key {
		return fmt.Errorf("checkpoint %s %w, of configuration %s and not %s; %s",
			name, ErrForeign, h.Key, r.options.Key, remedy)
	}
	if differing := r.identity.differences(h.Identity); differing != "" {
		return fmt.Errorf("checkpoint %s %w, which differs in: %s; %s", name, ErrForeign, differing, remedy)
	}
	r.step, r.history, r.seconds, r.sessions = h.Step, h.History, h.Seconds, h.Sessions
	return nil
}

func (r *runner) warn(format string, args ...any) {
	if r.options.Warn != nil {
		fmt.Fprintf(r.options.Warn, format+"\n", args...)
	}
}

// Clear removes the checkpoints of a training that is done, once its result is safely elsewhere. It leaves the folder
// alone while another process works in it.
func Clear(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := acquire(dir)
	if errors.Is(err, ErrHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Close()
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

// A checkpoint file is: magic, SHA-256 of all that follows, length of the header (uint64, little endian), the header in
// JSON, the raw bytes of the tensors.
const magic = "OMMCKPT2"

type header struct {
	Key      string        `json:"key"`
	Identity identity      `json:"identity"`
	Step     int           `json:"step"`
	Seconds  float64       `json:"seconds"`
	Sessions []Session     `json:"sessions,omitempty"`
	History  []Point       `json:"history"`
	Tensors  []tensorShape `json:"tensors"`
}

type tensorShape struct {
	DType string `json:"dtype"`
	Dims  []int  `json:"dims"`
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
		if d < 0 {
			return nil, fmt.Errorf("shape %v has a negative dimension", s.Dims)
		}
		if d > 0 && size > rest.Len()/d {
			return nil, fmt.Errorf("shape %v needs more than the %d bytes left", s.Dims, rest.Len())
		}
		size *= d
	}
	t := tensors.FromShape(shapes.Make(dtype, s.Dims...))
	var readErr error
	err = t.MutableBytes(func(b []byte) { _, readErr = io.ReadFull(rest, b) })
	return t, errors.Join(err, readErr)
}
