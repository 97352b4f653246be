package ogb

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// blockBytes is about how much text is parsed at once.
const blockBytes = 1 << 20

// maxLine is how long a line may be, in bytes: a row of features has some thousand.
const maxLine = 1 << 20

// block is some whole lines of a file.
type block struct {
	path  string
	first int    // number of the first line, counted from 1
	text  []byte // each line with its end
}

// lines calls do with the text of each line, without its end. Its errors are given the file and the line.
func (b block) lines(do func(text []byte) error) error {
	line := b.first
	for rest := b.text; len(rest) > 0; line++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if err := do(bytes.TrimSuffix(text, []byte{'\r'})); err != nil {
			return fmt.Errorf("%s, line %d: %w", b.path, line, err)
		}
	}
	return nil
}

// scan reads the lines of a gzip-compressed text. parse turns blocks into values, on all cores at once; take gets the
// values in the order of the lines. progress, if not nil, is told from 0 to 1 how far it is. Errors name the file, and
// the line where there is one. A file without a line is an error.
func scan[T any](ctx context.Context, path string, progress func(fraction float64), parse func(block) (T, error),
	take func(T) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	type parsed struct {
		value T
		err   error
		read  float64 // fraction of the file that was read by then
	}
	type job struct {
		block
		read float64
		done chan parsed
	}
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan job), make(chan job, 2*workers)
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for j := range work {
				value, err := parse(j.block)
				j.done <- parsed{value, err, j.read}
			}
		})
	}
	var readErr error
	busy.Go(func() {
		defer close(order)
		defer close(work)
		counted := &counter{from: file}
		readErr = cut(counted, path, func(b block) error {
			j := job{b, float64(counted.bytes.Load()) / float64(max(1, info.Size())), make(chan parsed, 1)}
			select {
			case order <- j:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			select {
			case work <- j:
				return nil
			case <-ctx.Done():
				j.done <- parsed{err: context.Cause(ctx)}
				return context.Cause(ctx)
			}
		})
	})
	for j := range order {
		p := <-j.done
		if p.err == nil {
			p.err = context.Cause(ctx)
		}
		if p.err == nil {
			p.err = take(p.value)
		}
		if p.err != nil {
			err = p.err
			stop(p.err)
			break
		}
		if progress != nil {
			progress(p.read)
		}
	}
	stop(err)
	for j := range order { // of what was on the way
		<-j.done
	}
	busy.Wait()
	if err == nil {
		err = readErr
	}
	return err
}

// counter counts the bytes that went through it.
type counter struct {
	from  io.Reader
	bytes atomic.Int64
}

func (c *counter) Read(p []byte) (n int, err error) {
	n, err = c.from.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

// cut unpacks a text and cuts it into blocks of whole lines.
func cut(packed io.Reader, path string, do func(block) error) error {
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("%s is no gzip-compressed file (%w); get it again", path, err)
	}
	next, rest := 1, []byte(nil)
	for {
		text := make([]byte, len(rest)+blockBytes)
		n := copy(text, rest)
		m, err := io.ReadFull(unpacked, text[n:])
		text = text[:n+m]
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && ended(unpacked)
		if err != nil && !last {
			return fmt.Errorf("%s cannot be read beyond line %d (%w); get it again", path,
				next+bytes.Count(text, []byte{'\n'}), err)
		}
		whole := bytes.LastIndexByte(text, '\n') + 1
		if last && whole < len(text) {
			text = append(text, '\n')
			whole = len(text)
		}
		if len(text)-whole > maxLine {
			return fmt.Errorf("%s, line %d: it has more than %d bytes; is this the right file?", path, next, maxLine)
		}
		if whole > 0 {
			if err := do(block{path, next, text[:whole]}); err != nil {
				return err
			}
			next += bytes.Count(text[:whole], []byte{'\n'})
		}
		if last {
			if next == 1 {
				return fmt.Errorf("%s is empty; get it again", path)
			}
			return nil
		}
		rest = bytes.Clone(text[whole:])
	}
}

// ended tells the end of a text, which io.ReadFull reports like one that is cut off, from the latter.
func ended(unpacked io.Reader) bool {
	_, err := unpacked.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}
