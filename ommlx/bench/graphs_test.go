package bench

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	graphs "operator-omm/ommlx/sparse"
)

func TestConversionIsMeasured(t *testing.T) {
	out := report(t, pureGo(t), "conversion", 0.1)
	assert.Regexp(t, `(?m)^one core +\d.*gzip alone, one core +\d`, out)
	assert.Regexp(t, `(?m)^one core +\d.*itself on all cores +\d`, out)
	assert.Regexp(t, `(?m)^\d+\.\d MB of text: converted at \d+ MB/s on one core and \d+ MB/s on \d+, unpacked at `+
		`\d+ MB/s on one; target ≥ \d+ MB/s on one core, (reached|missed by \d+ %)$`, out)
}

func TestProductIsMeasured(t *testing.T) {
	out := report(t, pureGo(t), "product", 0.1)
	for _, line := range []string{
		`(?m)^table +\d.*copy +\d.* ≤ 3\.00 `, `(?m)^table +\d.*copy, each byte once +\d`,
		`(?m)^vector +\d.*SciPy CSR +no-such-interpreter cannot be run`,
		`(?m)^table of 500 nodes, \d+ edges, 47 columns: \d+\.\d GB/s of 0\.\d+ GB, the copy \d+\.\d GB/s; each byte ` +
			`once`,
	} {
		assert.Regexp(t, line, out)
	}
}

func TestGrowthWithEdgesIsMeasured(t *testing.T) {
	s := report(t, pureGo(t), "edges", 0.1)
	for _, name := range []string{"conversion", "product", "Lanczos"} {
		assert.Regexp(t, `(?m)^`+name+` +2\d{5} edges +\d.* ms +\d+\.\d MB$`, s)
		assert.Regexp(t, `(?m)^`+name+`: time grows as edges\^-?\d+\.\d+, memory as edges\^-?\d+\.\d+; target 1$`,
			s)
	}
}

func TestLanczosIsMeasured(t *testing.T) {
	out := report(t, pureGo(t), "lanczos", 0.1)
	assert.Regexp(t, `(?m)^200 nodes +\d.*SciPy eigsh +no-such-interpreter cannot be run`, out)
	assert.Regexp(t, `(?m)^200 nodes, \d+ edges: \d+ products take \d+ % of the time, memory -?\d+\.\d MB, largest `+
		`residual \d\.\de-1\d$`, out)
}

func TestMemoryOfWork(t *testing.T) {
	var kept []byte
	most, err := memoryOf(func() error {
		kept = make([]byte, 64<<20)
		for i := range kept {
			kept[i] = 1
		}
		return nil
	})
	require.NoError(t, err)
	assert.InDelta(t, len(kept), most, 8<<20)
}

func TestCommunitiesAreADrawnGraph(t *testing.T) {
	a := community(10_000)
	assert.Equal(t, a, community(10_000))
	assert.InDelta(t, 10_000*degree/2, a.Edges(), 50_000) // of which some are drawn twice
	most := 0
	for i := range a.Nodes() {
		most = max(most, a.Degree(i))
	}
	assert.Greater(t, most, 5*degree, "degrees follow a power law")
	s := session{options: Options{scale: 1}, ctx: context.Background()}
	solved, err := s.eigenvectors(a)
	require.NoError(t, err)
	assert.Greater(t, solved.Values[classes-1], 0.4, "there is an eigenvector for each class")
	assert.Positive(t, solved.products)
}

// TestSciPyHasTheSameGraph: the product and the eigenvalues are ours.
func TestSciPyHasTheSameGraph(t *testing.T) {
	python := os.Getenv("OMM_PYTHON")
	if python == "" {
		t.Skip("OMM_PYTHON names no interpreter with SciPy to compare with")
	}
	a := community(500)
	file, err := filed(t.TempDir(), a)
	require.NoError(t, err)
	f := script(context.Background(), python, "SciPy", scipyGraph)
	defer f.stop()
	var answer struct {
		timing
		Product, Eigenvalues []float64
		Residual, Memory     float64
	}
	file.K, file.Tolerance = 3, 1e-10
	for _, file.Columns = range []int{classes, 1, 0} {
		err := f.tell(question{Steps: 1, Adjacency: file}, &answer)
		if errors.Is(err, errNotInstalled) {
			t.Skipf("%s, which OMM_PYTHON names, has no SciPy", python)
		}
		require.NoError(t, err)
		assert.Positive(t, answer.Wall)
		if file.Columns == 0 {
			continue
		}
		want := make([]float64, a.Nodes()*file.Columns)
		graphs.Multiply(a.Symmetric(), want, cosines[float64](len(want)), file.Columns)
		assert.InDeltaSlice(t, want[:min(1000, len(want))], answer.Product, 1e-5)
	}
	ours, err := (&session{ctx: context.Background()}).eigenvectors(a)
	require.NoError(t, err)
	assert.Less(t, apart(ours.Values, answer.Eigenvalues), 1e-9)
	assert.Less(t, answer.Residual, 1e-8)
	assert.Equal(t, 0.5, apart([]float64{1, 2}, []float64{1.5, 2.25}))
}
