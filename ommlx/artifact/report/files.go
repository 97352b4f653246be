package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// Profiles lists the profiles with files of the exhibit in the checkout, the paper's scale first. An exhibit without
// trainings has one set of files for all profiles.
func (x Exhibit) Profiles() []run.Profile {
	if !x.Trains() {
		return []run.Profile{run.Paper}
	}
	return []run.Profile{run.Paper, run.Quick}
}

// File returns the path of the exhibit's JSON in the checkout, such as figures/fig1_laplacian_rl.json at the paper's
// scale, figures/quick/fig1_laplacian_rl.json under the quick profile and, under the smoke profile,
// .omm/smoke/figures/fig1_laplacian_rl.json.
func (x Exhibit) File(p run.Profile) string {
	folder, name := string(x.Kind), x.Name
	if p != run.Paper {
		name = cmp.Or(x.QuickName, x.Name)
	}
	if p == run.Smoke {
		folder = ".omm/smoke/" + folder
	} else if p == run.Quick && x.Trains() {
		folder += "/quick"
	}
	return folder + "/" + name + ".json"
}

// Read returns the JSON of the exhibit in a checkout and its profile: the paper's scale if it exists, otherwise quick.
// The profile is "" if neither exists.
func (x Exhibit) Read(root string) (p run.Profile, text []byte, err error) {
	for _, p := range x.Profiles() {
		text, err := os.ReadFile(filepath.Join(root, x.File(p)))
		if errors.Is(err, fs.ErrNotExist) || err == nil && x.Suffices != nil && !x.Suffices(text) {
			continue
		}
		return p, text, err
	}
	return "", nil, nil
}

// files returns the files of the content by their endings.
func (c Content) files() (files map[string][]byte, err error) {
	if c.Drawing == nil {
		files = map[string][]byte{".md": []byte(c.Text.markdown()), ".csv": []byte(c.Text.csv()),
			".tex": []byte(c.Text.latex())}
	} else if fig, err := c.Drawing.Figure(); err != nil {
		return nil, err
	} else if files, err = draw.Files(fig); err != nil {
		return nil, err
	} else if film, is := c.Drawing.(*draw.Film); is {
		if files[".gif"], err = film.GIF(); err != nil {
			return nil, err
		}
	}
	text, err := json.MarshalIndent(c.Data, "", " ")
	files[".json"] = append(text, '\n')
	return files, err
}

// write writes the files of the content. It keeps the old files if only the origin of the drawing differs, and in the
// quick profile also if only the origins and times of the trainings differ. At the paper's scale it does not replace
// committed files if the program has uncommitted changes.
func (x Exhibit) write(l *run.Lab, c Content) error {
	files, err := c.files()
	if err != nil {
		return err
	}
	file := x.File(l.Profile)
	if l.Profile == run.Smoke && l.Target != "" { // which has no folder .omm
		file = x.File(run.Quick)
	}
	base := filepath.Join(cmp.Or(l.Target, l.Root), strings.TrimSuffix(file, ".json"))
	if same(base, files, l.Profile) {
		l.Say("%s (%s profile): no number has changed", x.Name, l.Profile)
		return nil
	}
	if l.Profile == run.Paper {
		commit, home := run.BuiltFrom(l.Root), filepath.Clean(l.Root)
		if filepath.Clean(cmp.Or(l.Target, home)) == home && run.Uncommitted(commit) {
			l.Say("%s: not written to %s: commit %s does not identify this program; commit the "+
				"changes, or choose another folder with OUT=FOLDER", x.Name, x.Kind, commit)
			return nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return unwritable(err)
	}
	var endings []string
	for _, ending := range slices.Sorted(maps.Keys(files)) {
		if err := fsx.Write(base+ending, files[ending]); err != nil {
			return unwritable(err)
		}
		endings = append(endings, ending[1:])
	}
	l.Say("wrote %s.{%s}", base, strings.Join(endings, ","))
	return nil
}

// unwritable adds a remedy to the error of a folder that cannot be written.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w; choose another folder with OUT=FOLDER", err)
	}
	return err
}

// same reports whether the existing files equal these, ignoring the origin of the drawing and the time in PDF files,
// and in the quick profile the [Circumstances] of trainings.
func same(base string, files map[string][]byte, p run.Profile) bool {
	for ending, text := range files {
		old, err := os.ReadFile(base + ending)
		if err == nil && ending == ".json" {
			old, text = stripped(old, p), stripped(text, p)
		}
		if err != nil || ending != ".pdf" && !bytes.Equal(old, text) {
			return false
		}
	}
	return true
}

// Circumstances lists the fields of a figure's or table's JSON that say by which program, where and how fast its
// results were trained.
var Circumstances = []string{"provenance", "seconds", "hours", "cost_of_tuning"}

// stripped returns the JSON of a figure or table without the origin of the drawing, and in the quick profile without
// [Circumstances]; nil if it is invalid.
func stripped(text []byte, p run.Profile) []byte {
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return nil
	}
	EachObject(tree, func(at map[string]any) {
		delete(at, "drawn")
		for _, name := range Circumstances {
			if p == run.Quick {
				delete(at, name)
			}
		}
	})
	text, _ = json.Marshal(tree) // cannot fail: it was read from JSON
	return text
}

// EachObject visits the objects of decoded JSON, each before the objects in it.
func EachObject(tree any, visit func(map[string]any)) {
	switch at := tree.(type) {
	case []any:
		for _, v := range at {
			EachObject(v, visit)
		}
	case map[string]any:
		visit(at)
		for _, v := range at {
			EachObject(v, visit)
		}
	}
}
