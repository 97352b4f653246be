package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// output is standard output, which keeps the first error of writing to it: commands print and go on.
type output struct {
	io.Writer
	mutex  sync.Mutex
	failed error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// Stat is for [say.Terminal].
func (o *output) Stat() (fs.FileInfo, error) {
	if file, ok := o.Writer.(*os.File); ok {
		return file.Stat()
	}
	return nil, errors.ErrUnsupported
}

// lost is an error where something could not be written and a command ended with nothing worse.
func (o *output) lost(ended error) error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.failed == nil || ended != nil && !strings.Contains(ended.Error(), o.failed.Error()) {
		return nil
	}
	return fmt.Errorf("the output cannot be written (%w); what is kept in files is not touched by that", o.failed)
}

// beneath is the file behind a writer, for a program that is to see the terminal itself.
func beneath(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.Writer
	}
	return w
}
