package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSchematicFits: no text is wider than the page or outside it.
func TestSchematicFits(t *testing.T) {
	r := record(Schematic{})
	require.NotEmpty(t, r.texts)
	for _, text := range r.texts {
		inside := text.Min.X >= 0 && text.Min.Y >= 0 && text.Max.X <= r.Width && text.Max.Y <= r.Height
		require.True(t, inside, text.words)
	}
}
