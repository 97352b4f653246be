package files

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// formats lists text formats that are not read: how a file begins, and the expression of Python that reads it.
var formats = []struct {
	start        *regexp.Regexp
	name, python string
}{
	{begins(`\s*(?:<\?xml[^>]*>\s*)?<gexf`), "GEXF", "networkx.read_gexf(%q)"},
	{begins(`\s*(?:<\?xml[^>]*>\s*)?<graphml`), "GraphML", "networkx.read_graphml(%q)"},
	{begins(`(?:\s|#.*\n|Creator .*\n|Version .*\n)*graph\s*\[`), "GML", "networkx.read_gml(%q)"},
	{begins(`(?i)\s*\*(?:vertices|network)`), "Pajek", "networkx.read_pajek(%q)"},
	{begins(`\s*\{(?s:.*)"links"`), "JSON", `networkx.node_link_graph(json.load(open(%q)), edges="links")`},
	{begins(`\s*\{(?s:.*)"edges"`), "JSON", `networkx.node_link_graph(json.load(open(%q)), edges="edges")`},
	{begins(`\s*[\[{]`), "JSON", "pandas.read_json(%q)"},
	{begins(`PAR1`), "Parquet", "pandas.read_parquet(%q)"},
}

func begins(pattern string) *regexp.Regexp { return regexp.MustCompile("^" + pattern) }

// section is the line of a node in LGL, which precedes the lines of its neighbours.
var section = regexp.MustCompile(`(?m)^#[ \t]*(\S+)[ \t\r]*$`)

// foreign returns an error for a file in a format that is not read.
func foreign(path string, content []byte) error {
	if bytes.HasPrefix(content, []byte("version https://git-lfs.github.com")) {
		return fmt.Errorf("%s: a pointer of Git LFS, not the data: run git lfs pull", path)
	}
	for _, f := range formats {
		if f.start.Match(content) {
			return fmt.Errorf("%s: %s is not read: %s", path, f.name, convert(path, f.python))
		}
	}
	nodes := section.FindAllSubmatchIndex(content, 100)
	for _, at := range nodes {
		row := append([]byte("\n"), content[at[2]:at[3]]...)
		if rest := content[nodes[0][1]:]; nodes[0][0] == 0 && (bytes.Contains(rest, append(row, ' ')) ||
			bytes.Contains(rest, append(row, '\n'))) {
			return fmt.Errorf("%s: LGL is not read: convert it in Python, igraph.Graph.Read_Lgl(%q).write_ncol(%q)",
				path, path, renamed(path, ".ncol"))
		}
	}
	return nil
}

// convert returns the advice to convert a file that an expression of Python reads, into CSV.
func convert(path, python string) string {
	read := fmt.Sprintf(python, path)
	if strings.HasPrefix(python, "networkx.") {
		read = "networkx.to_pandas_edgelist(" + read + ")"
	}
	return fmt.Sprintf("convert it in Python, %s.to_csv(%q, index=False)", read, renamed(path, ".csv"))
}

func renamed(path, ending string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ending
}
