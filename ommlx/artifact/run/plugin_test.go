package run

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// TestDigestOfTheRunningPlugin also covers the user's own plugin, which is not verified. It opens each plugin in
// another process, since a process can open only one.
func TestDigestOfTheRunningPlugin(t *testing.T) {
	const child = "OMM_TEST_DIGEST"
	if os.Getenv(child) != "" {
		here := testkit.Must((&Lab{Root: t.TempDir()}).Here())
		fmt.Printf("%s has the digest %s\n", here.Backend, here.SHA256)
		return
	}
	installed, err := backend.Choose()
	if err != nil || installed.Kind != backend.KindXLACPU {
		t.Skip("the engine here is not the XLA CPU plugin")
	}
	own := t.TempDir()
	require.NoError(t, os.Symlink(installed.Plugin, filepath.Join(own, "pjrt_c_api_cpu_plugin.so")))
	digest := testkit.Must(fsx.SHA256(installed.Plugin))
	for plugins, kind := range map[string]string{"": backend.KindXLACPU, own: backend.KindXLA} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", pjrt.PJRTPluginPathsEnv+"="+plugins)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), kind+" has the digest "+digest+"\n")
	}
}
