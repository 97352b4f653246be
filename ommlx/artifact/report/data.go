package report

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"operator-omm/ommlx/artifact/lab"
)

// Data are data of the paper that a machine may not have.
type Data struct {
	Name     string // as "the official mazes"
	StandIns string // what the profiles of minutes take in their place
	Command  string // that downloads them
	Here     func() bool
	Fetch    func(context.Context) error // downloads and verifies them
}

// fetchWithin is how long a figure or a table waits for data.
const fetchWithin = 10 * time.Second

// Missing is a sentence, without its full stop, that the data are not here and how to get them.
func (d *Data) Missing() string {
	return fmt.Sprintf("%s are not on this machine; `%s` downloads them", d.Name, d.Command)
}

// Prepare fetches the data of entries that are not on this machine, where the lab may, each once and within ten
// seconds. It says in one line what came of it, and what stands in for data that cannot be had: nothing under the paper
// profile. It is silent about data that are here.
func Prepare(ctx context.Context, l *lab.Lab, entries []Entry) {
	done := map[*Data]bool{nil: true}
	for _, e := range entries {
		if !done[e.Data] {
			done[e.Data] = true
			e.Data.prepare(ctx, l)
		}
	}
}

func (d *Data) prepare(ctx context.Context, l *lab.Lab) {
	if d.Here() {
		return
	}
	text := d.Name + " are not on this machine"
	if l.Online {
		ctx, cancel := context.WithTimeoutCause(ctx, fetchWithin,
			fmt.Errorf("it took longer than %s", fetchWithin))
		defer cancel()
		err := d.Fetch(ctx)
		if err == nil {
			l.Say("fetched %s and verified them", d.Name)
			return
		}
		if of, ok := errors.AsType[*url.Error](err); ok {
			err = of.Err // without what it was doing
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		text = fmt.Sprintf("%s cannot be fetched (%v)", d.Name, err)
	}
	if l.Profile != lab.Paper {
		l.Say("%s; %s stand in for them, as each picture and table says; `%s` tries again", text, d.StandIns, d.Command)
	} else if l.Online {
		l.Say("%s", text)
	}
}
