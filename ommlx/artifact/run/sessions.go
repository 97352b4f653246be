package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/train"
)

// Session is what a training ran on, from its start or a checkpoint to its end or the next interruption.
type Session struct {
	Commit  string `json:"commit,omitempty"`  // of the build
	Engine  string `json:"engine,omitempty"`  // kind and version
	Device  string `json:"device,omitempty"`  // what it ran on
	Devices int    `json:"devices,omitempty"` // how many of them
	Cores   int    `json:"cores,omitempty"`   // of the processor
}

// String describes the session in a line.
func (s Session) String() string {
	return fmt.Sprintf("commit %s with %s on %d × %s, %d core(s)", cmp.Or(s.Commit, "unknown"),
		cmp.Or(s.Engine, "an engine"), max(1, s.Devices), cmp.Or(strings.TrimSpace(s.Device), "a device"), s.Cores)
}

// enter adds this process to the sessions of the training in a folder, which it returns, each once. They are kept next
// to the checkpoints. It warns if the training began in another session, since builds, engines and devices round
// differently.
func (l *Lab) enter(dir string, here Provenance) (sessions []Session, err error) {
	path := filepath.Join(dir, "sessions.json")
	if _, begun := train.Look(dir); begun {
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &sessions)
		}
		if err != nil {
			return nil, fmt.Errorf("what the training began on: %w; remove %s to start again", err, dir)
		}
	}
	s := Session{Commit: here.Commit, Engine: strings.TrimSpace(here.Backend + " " + here.Version),
		Device: here.Device, Devices: here.Devices, Cores: here.Cores}
	if slices.Contains(sessions, s) {
		return sessions, nil
	}
	if len(sessions) > 0 {
		l.Say("this training was begun by %s and goes on by %s; its result will name both", sessions[0], s)
	}
	sessions = append(sessions, s)
	text, err := json.Marshal(sessions)
	if err == nil {
		err = fsx.Write(path, text)
	}
	return sessions, err
}
