package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/fsx"
)

// WriteFigure writes the numbers of a figure as JSON, and its picture.
func WriteFigure(l *lab.Lab, name string, data any, d draw.Drawing) error {
	base := filepath.Join(output(l, Figure), name)
	if err := writeJSON(base+".json", data); err != nil {
		return err
	}
	fig, err := d.Figure()
	if err != nil {
		return err
	}
	if err := draw.Save(fig, base); err != nil {
		return err
	}
	l.Say("wrote %s.{png,svg,pdf,json}", base)
	return nil
}

// WriteText writes the numbers of a figure as a table in Markdown, under its name.
func WriteText(l *lab.Lab, name string, t Text) error {
	path := filepath.Join(output(l, Figure), name+".md")
	if err := writeFile(path, []byte(t.markdown())); err != nil {
		return err
	}
	l.Say("wrote %s", path)
	return nil
}

// writeJSON writes v indented.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return writeFile(path, append(text, '\n'))
}

// writeFile writes atomically and makes the folder if need be.
func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return fsx.Write(path, content)
}
