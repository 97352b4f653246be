package backend

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func yes() bool { return true }

// TestOrderOfChoice takes away the preferred engine, one after the other, and sees the next one chosen.
func TestOrderOfChoice(t *testing.T) {
	own, system, site := t.TempDir(), t.TempDir(), t.TempDir()
	p, _ := installed(t)
	p.cuda = &wheel{plugin: "x/xla_cuda_plugin.so", folder: "cuda/plugin"}
	p.hasGPU = yes

	p.config = "xla:/somewhere/plugin.so,preallocate=true"
	p.pluginPath = own
	ownFile := touch(t, own, "pjrt_c_api_cpu_plugin.so")
	systemFile := touch(t, system, "pjrt_c_api_cpu_v0.83.1_plugin.so")
	p.systemDirs = func() []string { return []string{system} }
	siteFile := touch(t, site, "jax_plugins", "xla_cuda12", "xla_cuda_plugin.so")
	p.pythonCUDA = func() string { return sitePackagesCUDA(site) }

	choice := func() Choice {
		c := must(p.choose())
		assert.NotEmpty(t, c.Reason)
		return c
	}
	c := choice()
	assert.Equal(t, p.config, c.Config, "GOMLX_BACKEND is taken as it is")
	assert.Equal(t, "/somewhere/plugin.so", c.Plugin)
	assert.Equal(t, KindXLA, c.Kind)

	p.config = ""
	c = choice()
	assert.Equal(t, "xla:"+ownFile, c.Config)
	assert.Equal(t, KindXLA, c.Kind)

	p.pluginPath = ""
	assert.Equal(t, systemFile, choice().Plugin)

	p.systemDirs = func() []string { return nil }
	c = choice()
	assert.Equal(t, "xla:"+siteFile+",tf32=false", c.Config)
	assert.Equal(t, KindXLACUDA, c.Kind)

	p.hasGPU = func() bool { return false }
	c = choice()
	assert.Equal(t, KindXLACPU, c.Kind)
	assert.Equal(t, p.cpu.pluginPath(p.cache), c.Plugin)
	assert.Equal(t, p.cpu.pluginSHA256, c.SHA256)

	p.cache = t.TempDir()
	c = choice()
	assert.Equal(t, "go:ops_sequential", c.Config)
	assert.Contains(t, c.Reason, slower)
	assert.Contains(t, c.Reason, "omm setup")

	p.cpu, p.platform = nil, "plan9/arm64"
	c = choice()
	assert.Equal(t, KindGo, c.Kind)
	assert.Contains(t, c.Reason, "plan9/arm64")
}

// TestSettingsOfTheEnvironment checks that Choose really reads the variables.
func TestSettingsOfTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	file := touch(t, dir, "pjrt_c_api_own_plugin.so")
	t.Setenv("OMM_CACHE", t.TempDir())
	t.Setenv("GOMLX_BACKEND", "go")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", dir)
	c := must(Choose())
	assert.Equal(t, "go", c.Config)
	assert.Equal(t, KindGo, c.Kind)

	t.Setenv("GOMLX_BACKEND", "")
	c = must(Choose())
	assert.Equal(t, file, c.Plugin)

	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", file)
	c = must(Choose())
	assert.Equal(t, file, c.Plugin, "the path of a plugin is as good as its folder")

	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", filepath.Join(dir, "nowhere"))
	_, err := Choose()
	require.ErrorContains(t, err, "PJRT_PLUGIN_LIBRARY_PATH="+filepath.Join(dir, "nowhere"))
}

func TestConfiguredCachePluginKeepsItsVersion(t *testing.T) {
	p, _ := ready(t)
	p.config = "xla:" + p.cpu.pluginPath(p.cache)
	c := must(p.choose())
	assert.Equal(t, Choice{Config: p.config, Kind: KindXLACPU, Plugin: p.cpu.pluginPath(p.cache), Version: "1.0",
		SHA256: p.cpu.pluginSHA256, Reason: "GOMLX_BACKEND=" + p.config + " chooses the engine"}, c)
}

func TestAnEngineThatThereIsNot(t *testing.T) {
	for _, config := range []string{"nonsense", "xlaa:cpu", ":"} {
		t.Setenv("GOMLX_BACKEND", config)
		_, err := Choose()
		assert.EqualError(t, err, "GOMLX_BACKEND="+config+" names no engine; "+
			"it must begin with go or xla, or be unset")
	}
	t.Setenv("GOMLX_BACKEND", "go:nosuch")
	_, err := must(Choose()).open()
	assert.ErrorContains(t, err, "unset GOMLX_BACKEND")
	assert.NotContains(t, err.Error(), "\n")
}

func TestPickPlugin(t *testing.T) {
	no := func() bool { return false }
	all := map[string]string{"cuda": "c", "cpu": "a", "cpu_v0.1": "b", "tpu": "t", "metal": "m"}
	assert.Equal(t, "c", pickPlugin(all, yes))
	assert.Equal(t, "a", pickPlugin(all, no))
	assert.Equal(t, "m", pickPlugin(map[string]string{"tpu": "t", "metal": "m"}, no))
	assert.Empty(t, pickPlugin(map[string]string{"cuda13": "c"}, no), "a CUDA plugin is of no use without a GPU")
}

func TestLoaderDirs(t *testing.T) {
	system := fstest.MapFS{
		"etc/ld.so.conf": {Data: []byte("# folders\ninclude /etc/conf.d/*.conf\n/opt/a # ours\n" +
			"opt/relative\ninclude [\n")},
		"etc/conf.d/b.conf": {Data: []byte("/opt/b\n\ninclude more/c.conf\n")},
		// The last one includes the file that includes it.
		"etc/conf.d/more/c.conf": {Data: []byte("/opt/c\ninclude /etc/ld.so.conf\n")},
	}
	assert.Equal(t, []string{"/opt/b", "/opt/c", "/opt/a"}, loaderDirs(system, "etc/ld.so.conf"))
	assert.Empty(t, loaderDirs(system, "etc/nosuch"))
}

// TestFoldersWithBracketsAndCommas: a bracket in a path is no pattern, and a comma, which go-xla takes for the end, is
// told before it.
func TestFoldersWithBracketsAndCommas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plugins [new], mine")
	file := touch(t, dir, "pjrt_c_api_cpu_plugin.so")
	p := machine(t, nil)
	p.pluginPath = dir
	c := must(p.choose())
	assert.Equal(t, file, c.Plugin)
	_, err := c.open()
	assert.ErrorContains(t, err, "without a comma")
}
