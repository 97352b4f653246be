package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"

	"operator-omm/ommlx/internal/fsx"
)

// unfinished is the end of the name of a partial file.
const unfinished = ".part"

// partial is what has come of a file. It lies beside the file and is locked by this process; the system drops the lock
// when the process ends, however it ends.
type partial struct {
	file    *os.File
	digest  hash.Hash // SHA-256 of what has come
	size    int64     // bytes that have come
	renamed bool      // to the name of the file
}

// openPartial takes up the partial file of path or makes one. Where another process holds it, it calls waiting and then
// waits until that process lets go or ctx ends.
func openPartial(ctx context.Context, path string, waiting func()) (*partial, error) {
	file, err := fsx.Lock(ctx, path+unfinished, waiting)
	if err != nil {
		return nil, err
	}
	return readPartial(file)
}

// readPartial takes up a locked file to write at its end.
func readPartial(file *os.File) (*partial, error) {
	p := &partial{file: file, digest: sha256.New()}
	var err error
	if p.size, err = io.Copy(p.digest, file); err != nil {
		file.Close()
		return nil, err
	}
	return p, nil
}

// Write implements [io.Writer].
func (p *partial) Write(content []byte) (int, error) {
	n, err := p.file.Write(content)
	p.digest.Write(content[:n])
	p.size += int64(n)
	return n, err
}

// sum returns the SHA-256 of what has come, in hexadecimal.
func (p *partial) sum() string { return hex.EncodeToString(p.digest.Sum(nil)) }

// empty discards what has come.
func (p *partial) empty() error {
	p.digest.Reset()
	p.size = 0
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return p.file.Truncate(0)
}

// publish puts the file in place at path. The lock is kept, so that nobody takes the partial file up on its way.
func (p *partial) publish(path string) error {
	// Everybody may read data, whatever the umask of who fetches it.
	if err := errors.Join(p.file.Chmod(0o644), p.file.Sync()); err != nil {
		return err
	}
	if err := fsx.Rename(p.file.Name(), path); err != nil {
		return err
	}
	p.renamed = true
	return nil
}

// close lets the partial file go, and removes it if it is empty.
func (p *partial) close() {
	if p.size == 0 && !p.renamed {
		_ = os.Remove(p.file.Name()) // an empty file that stays does no harm
	}
	p.file.Close()
}
