package versions

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLockTakesTheWheelsThatFit asks docker/lock.py which wheels it takes up, and how it tells licences.
func TestLockTakesTheWheelsThatFit(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const program = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "../../../docker")
import lock
for name in """a-1-py3-none-any a-1-py2.py3-none-any a-1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64
a-1-cp38-abi3-manylinux_2_28_aarch64 a-1-cp314-cp314-macosx_11_0_arm64 a-1-py3-none-manylinux_2_27_x86_64
a-1-cp310-cp310-manylinux_2_17_x86_64 a-1-cp314-cp314t-manylinux_2_28_x86_64 a-1-pp311-pypy311_pp73-macosx_11_0_arm64
a-1-cp311-cp311-musllinux_1_2_x86_64 a-1-cp311-cp311-win_amd64 a-1-py2-none-any""".split():
    print(name.count("-") == 4 and lock.fits(name + ".whl"), end=" ")
print()
print(lock.licence({"license_expression": "MIT"}), lock.licence({"license": "BSD"}), sep="|", end="|")
print(lock.licence({"license": "UNKNOWN", "classifier": ["Topic :: X", "License :: OSI Approved :: ISC"]}), end="|")
print(lock.licence({"license": "many\nlines"}))
`
	cmd := exec.CommandContext(t.Context(), python, "-c", program)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "True True True True True True False False False False False False \n"+
		"MIT|BSD|ISC|in its package\n", string(out))
}
