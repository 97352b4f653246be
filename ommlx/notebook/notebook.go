// Package notebook shows progress, figures and tables below a cell of a GoNB notebook. Outside of a notebook it shows
// nothing.
package notebook

import (
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/train"
)

// Lab returns the place for experiments of the checkout whose folder notebooks/ holds the notebook. What it trains is
// kept in .omm/results, so that a cell that is run again reads the result, and its progress is one line below the cell.
func Lab() *lab.Lab {
	return &lab.Lab{Root: "..", Profile: lab.Quick, Out: os.Stdout, Medium: train.Notebook, Display: line(),
		Online: true}
}

// Progress returns what [train.Options].Progress takes: one line below the cell, drawn over itself.
func Progress(label string) func(train.Status) {
	bar := &train.Bar{Medium: train.Notebook, Display: line(), Label: label}
	return bar.Show
}

// line returns a function that replaces the text of one line below the cell.
func line() func(text string) {
	id := "progress_" + gonbui.UniqueId()
	return func(text string) {
		gonbui.UpdateHTML(id, "<pre>"+html.EscapeString(text)+"</pre>")
		gonbui.Sync() // a program that ends would take with it what is still on the way
	}
}

// Show draws below the cell. The error says which number cannot be drawn.
func Show(d draw.Drawing) error {
	figure, err := d.Figure()
	if err != nil {
		return err
	}
	png, err := draw.PNG(figure)
	if err != nil {
		return err
	}
	gonbui.DisplayPng(png)
	gonbui.Sync()
	return nil
}

// Table shows rows of as many cells as the header has; cells may hold formulas.
func Table(header []string, rows [][]string) {
	gonbui.DisplayMarkdown(table(header, rows))
	gonbui.Sync()
}

// table writes a table in Markdown.
func table(header []string, rows [][]string) string {
	var out strings.Builder
	write := func(cells []string) { fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | ")) }
	write(header)
	write(strings.Split(strings.Repeat("--- ", len(header)-1)+"---", " "))
	for _, row := range rows {
		write(row)
	}
	return out.String()
}

// Grid returns an environment as package draw draws it.
func Grid(g *gridworld.Grid) draw.Grid {
	return draw.Grid{Name: g.Name, Rows: strings.Split(strings.TrimSuffix(g.String(), "\n"), "\n"),
		Generated: g.Generated}
}
