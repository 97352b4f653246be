package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgressFoldsFinishedTrainings(t *testing.T) {
	var cell trainings
	require.Equal(t, "<pre>a &lt;50%&gt;</pre>", cell.html("a <50%>", false))
	require.Equal(t, "<pre>a</pre>", cell.html("a", true))
	require.Equal(t, "<pre>a</pre><pre>b</pre>", cell.html("b", false))
	require.Equal(t, "<pre>a\nb</pre>", cell.html("b", true))
	require.Equal(t, "<details><summary>2 trainings have ended.</summary><pre>a\nb</pre></details><pre>c</pre>",
		cell.html("c", true))
}
