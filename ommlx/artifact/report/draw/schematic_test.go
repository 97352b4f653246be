package draw

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

var update = flag.Bool("update", false, "write figures/schematic.png and .svg")

// TestSchematicIsCommitted: the pictures in figures/ are those that the code draws. -update writes them.
func TestSchematicIsCommitted(t *testing.T) {
	root := testkit.Must(fsx.Checkout())
	figure := testkit.Must(Schematic{}.Figure())
	for ending, content := range map[string][]byte{
		"svg": testkit.Must(SVG(figure)), "png": testkit.Must(PNG(figure))} {
		file := filepath.Join(root, "figures", "schematic."+ending)
		if *update {
			require.NoError(t, os.WriteFile(file, content, 0o644))
		}
		require.Equal(t, testkit.Must(os.ReadFile(file)), content, "%s is old; run this test with -update", file)
	}
}

// TestSchematicFits: no text is wider than the page or outside it.
func TestSchematicFits(t *testing.T) {
	r := record(Schematic{})
	require.NotEmpty(t, r.texts)
	for _, text := range r.texts {
		inside := text.Min.X >= 0 && text.Min.Y >= 0 && text.Max.X <= r.Width && text.Max.Y <= r.Height
		require.True(t, inside, text.words)
	}
}
