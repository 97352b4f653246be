package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx/internal/fsx"
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
	content, err := encode(header{Key: r.options.Key, Identity: r.identity, Fed: tensorShapes(r.fed), Step: r.step,
		Seconds: r.elapsed(), Waited: r.waited, Sessions: r.sessions, History: r.history}, state)
	if err == nil {
		err = fsx.Write(filepath.Join(r.options.Dir, checkpointName(r.step)), content)
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
	if r.problem.Feed != nil { // whose first batch has not come yet
		for _, s := range h.Fed {
			shape, err := s.shape()
			if err != nil {
				return fmt.Errorf("checkpoint %s cannot be used: %w", name, err)
			}
			r.fed = append(r.fed, shape)
		}
	}
	if err := r.identify(); err != nil {
		return err
	}
	if differing := r.identity.differences(h.Identity); differing != "" {
		return fmt.Errorf("checkpoint %s %w, which differs in: %s; %s", name, ErrForeign, differing, remedy)
	}
	r.step, r.history, r.seconds, r.waited, r.sessions = h.Step, h.History, h.Seconds, h.Waited, h.Sessions
	if len(r.sessions) == 0 { // written before they were recorded
		r.sessions = []Session{{}}
	}
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
