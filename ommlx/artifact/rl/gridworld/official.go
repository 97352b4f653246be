package gridworld

import "omm-go/ommlx/spectral"

// Facts are what figure 1 of the paper shows of an environment.
type Facts struct {
	States     int
	Components int       // as [Grid.Components]
	Top        []float64 // the 11 largest eigenvalues of [Grid.Transition], descending
}

// official has the facts of the official mazes, whose layouts are other people's files that a machine may not have.
// They are those of the files with the sums that [dataset.Grids] lists, by [spectral.SymEigen].
var official = map[string]Facts{
	"GridMaze-7": {11, 1, []float64{
		0.9999999999999998, 0.9750578984556911, 0.9045084971874737, 0.8792656690809614, 0.7215345357450778,
		0.5670946003799362, 0.42002375823666255, 0.34549150281252616, 0.22993765104502248, 0.06863599094493973,
		-0.11155010388829172,
	}},
	"GridMaze-9": {13, 1, []float64{
		0.9999999999999996, 0.9791170048444903, 0.9504844339512094, 0.8933031470162304, 0.7830453064648268,
		0.6615008598462286, 0.6112604669781571, 0.4703696808957435, 0.30983513900792314, 0.20895846264158896,
		0.1882550990706334,
	}},
	"GridMaze-17": {87, 1, []float64{
		1.0000000000000002, 0.9996740476948386, 0.9986966157589753, 0.9970689785771792, 0.994793258277819,
		0.9918724219660016, 0.9883102778550433, 0.9841114703012817, 0.9792814737487205, 0.9738265855914016,
		0.9677539179628003,
	}},
	"GridMaze-19": {161, 1, []float64{
		0.9999999999999998, 0.9998268033545972, 0.999353385015567, 0.999240629118785, 0.9984275829893672,
		0.9973648653476179, 0.9957875904685555, 0.9953313579837337, 0.9939489162573176, 0.9934213600884994,
		0.9900676242554184,
	}},
	"GridMaze-26": {388, 1, []float64{
		1, 0.9999438294176622, 0.9996212476310742, 0.9995600861340355, 0.999458885547876,
		0.9993552429403465, 0.9989489013192697, 0.9985466889952531, 0.9982377900700765, 0.9977915312809033,
		0.9970868309218904,
	}},
	"GridMaze-32": {475, 2, []float64{
		1.0000000000000002, 1, 0.9999544927087908, 0.9998557298309068, 0.9995833590379747,
		0.9995176890971559, 0.9993494932094545, 0.9992927466699598, 0.9991568800193507, 0.9988934914556801,
		0.9983294631221267,
	}},
}

// Official returns the facts of an environment as the paper has it, also where its maze is not on this machine. The
// error, for an unknown name, is that of [Load].
func Official(name string) (Facts, error) {
	if f, ok := official[name]; ok {
		return f, nil
	}
	return FactsOf(name)
}

// FactsOf returns the facts of an environment as [LoadWorld] has it. Errors are those of [Load].
func FactsOf(name string) (Facts, error) {
	w, err := LoadWorld(name)
	if err != nil {
		return Facts{}, err
	}
	return Facts{w.Grid.N(), w.Grid.Components(), w.Truth.Values[:11]}, nil
}

// Gap returns the smallest distance between the eigenvalues, as [spectral.Truth.GapAtTop].
func (f Facts) Gap() float64 {
	return spectral.Truth{Values: f.Top, Tolerance: spectral.DegeneracyTolerance}.GapAtTop(len(f.Top))
}
