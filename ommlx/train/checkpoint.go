package train

import (
	"bytes"
	"cmp"
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
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

const lockName = "lock"

// ErrHeld is wrapped by the errors of [Lock] and [Run] if the folder is already locked, by this process or another.
var ErrHeld = errors.New("this result is being computed")

// lockTimeout is how long Lock tries, since [FolderStatus] holds the lock for a moment.
const lockTimeout = 200 * time.Millisecond

// Lock locks a folder of checkpoints by flock(2), creating it if needed, so that no other process trains there. The
// lock ends when it is closed or the process ends. The folder may be removed before that. On a shared file system,
// flock must work between machines, as on NFS 4.
//
// [Run] locks its folder itself, unless Options.Locked is set. A caller that stores the result elsewhere holds the lock
// until it has stored it.
func Lock(dir string) (io.Closer, error) {
	path := filepath.Join(dir, lockName)
	for last := time.Now().Add(lockTimeout); ; {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("training: checkpoint folder: %w", err)
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o644))
		locked, err := lock.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist): // another process removed the folder a moment ago
		case err != nil:
			return nil, fmt.Errorf("training: checkpoint lock %s: %w", path, err)
		case locked && isAt(lock, path):
			host, _ := os.Hostname()
			line := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
			_ = os.WriteFile(path, []byte(line), 0o644) // only for the message of ErrHeld
			return lock, nil
		case locked: // a file that another process has removed or replaced since
			_ = lock.Close()
		case time.Now().After(last):
			return nil, fmt.Errorf("%w by %s (lock %s); wait for it to end, or stop it and run the command again",
				ErrHeld, holder(path), path)
		default:
			time.Sleep(lockTimeout / 10)
		}
	}
}

// isAt reports whether a lock is on the file that is now at path.
func isAt(lock *flock.Flock, path string) bool {
	ours, err := lock.Stat()
	there, pathErr := os.Stat(path)
	return err == nil && pathErr == nil && os.SameFile(ours, there)
}

// holder returns the line in a lock that names its holder.
func holder(path string) string {
	text, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	return cmp.Or(say.Printable(line), "another process")
}

// FolderStatus reports whether a folder of checkpoints is locked and whether it has a checkpoint. It changes nothing. A
// folder that cannot be read counts as empty.
func FolderStatus(dir string) (held, begun bool) {
	names, _ := checkpoints(dir)
	lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	_ = lock.Close()
	return err == nil && !free, len(names) > 0
}

// ErrForeign is wrapped by the error of [Run] if the folder contains a checkpoint of another training, or one written
// by another version of this package.
var ErrForeign = errors.New("belongs to another training")

// A checkpoint file is magic, the SHA-256 of everything after it, the length of the header (uint64, little endian), the
// header in JSON, and the bytes of the tensors.
const magic = "OMMCKPT3"

// version is the header's Version; files before it have none.
const version = 4

type header struct {
	Version int     `json:"version"`
	Key     string  `json:"key"`     // Options.Key
	Problem string  `json:"problem"` // Problem.digest
	Step    int     `json:"step"`
	Seconds float64 `json:"seconds"`
	History []Point `json:"history"`
}

// digest is the SHA-256 of a training's initial tensors and settings. It cannot include the loss, a function:
// Options.Key must identify that.
func (p Problem) digest(engine string, c Config) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %d %d %v %v %#v\n", engine, c.Steps, c.EvalEvery, c.EMA, p.Seeds, c.optimiser())
	for _, t := range slices.Concat(p.Params, p.State, p.Data) {
		fmt.Fprintln(sum, t.Shape())
		if err := t.ConstBytes(func(b []byte) { sum.Write(b) }); err != nil {
			return "", fmt.Errorf("training: reading the initial tensors: %w", err)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// checkpoints lists the checkpoints in a folder, newest first.
func checkpoints(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range slices.Backward(entries) {
		if strings.HasPrefix(e.Name(), "step-") && strings.HasSuffix(e.Name(), ".ckpt") {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names, err
}

// save writes a checkpoint atomically. It keeps the previous one, in case of damage, and removes older ones.
func (r *runner) save() error {
	h := r.header
	h.Step, h.History, h.Seconds = r.step, r.history, r.elapsed()
	content, err := encode(h, r.state())
	if err == nil {
		err = fsx.Write(filepath.Join(r.options.Dir, fmt.Sprintf("step-%012d.ckpt", r.step)), content)
	}
	if err != nil {
		return fmt.Errorf("training: checkpoint at step %d: %w; the previous checkpoint is kept", r.step, err)
	}
	names, _ := checkpoints(r.options.Dir)
	for _, old := range names[min(2, len(names)):] {
		_ = os.Remove(old) // if it fails, the file only takes space
	}
	return nil
}

// restore loads the newest undamaged checkpoint, if any. It returns an error if a file cannot be read, which may be
// temporary, and [ErrForeign] for another training.
func (r *runner) restore() error {
	unfinished, _ := fs.Glob(os.DirFS(r.options.Dir), "step-*"+fsx.Unfinished)
	for _, name := range unfinished { // left by a killed process, since this one holds the lock
		_ = os.Remove(filepath.Join(r.options.Dir, name))
	}
	names, err := checkpoints(r.options.Dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("training: checkpoint: %w; try again, or remove it to use the previous one", err)
		}
		h, raw, err := decode(content)
		if err != nil {
			fmt.Fprintf(r.options.Warn, "checkpoint %s is damaged and was renamed: %v; using the previous one, if "+
				"there is one\n", name, err)
			if err := os.Rename(name, name+".damaged"); err != nil {
				return fmt.Errorf("training: checkpoint: %w", err)
			}
			continue
		}
		if differs := r.header.differs(h); differs != "" {
			return fmt.Errorf("training: checkpoint %s %w: %s; use another folder, or remove this one to start again",
				name, ErrForeign, differs)
		}
		r.step, r.history, r.seconds, r.owned = h.Step, h.History, h.Seconds, true
		for i, t := range r.state() {
			r.list[i] = tensors.FromShape(t.Shape())
			if err := r.list[i].MutableBytes(func(b []byte) { raw = raw[copy(b, raw):] }); err != nil {
				return fmt.Errorf("training: checkpoint %s: %w", name, err)
			}
		}
		return nil
	}
	return nil
}

// differs describes the first difference between two headers, or returns "".
func (h header) differs(there header) string {
	switch {
	case there.Version != version:
		return "it was written by another version of this program"
	case there.Key != h.Key:
		return fmt.Sprintf("its key is %q, not %q", there.Key, h.Key)
	case there.Problem != h.Problem:
		return "its steps, seeds, optimiser, data or initial parameters differ"
	}
	return ""
}

func encode(h header, state []*tensors.Tensor) ([]byte, error) {
	head, err := json.Marshal(h)
	body := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	for _, t := range state {
		err = errors.Join(err, t.ConstBytes(func(b []byte) { body = append(body, b...) }))
	}
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body), err
}

// decode returns the header and the bytes of the tensors, or an error if encode did not write the content.
func decode(content []byte) (h header, raw []byte, err error) {
	const start = len(magic) + sha256.Size
	if len(content) < start+8 || !bytes.HasPrefix(content, []byte(magic)) {
		return h, nil, fmt.Errorf("not a checkpoint (%d bytes)", len(content))
	}
	body := content[start:]
	size := binary.LittleEndian.Uint64(body)
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], content[len(magic):start]) || size > uint64(len(body)-8) {
		return h, nil, errors.New("its SHA-256 does not match its content")
	}
	return h, body[8+size:], json.Unmarshal(body[8:8+size], &h)
}
