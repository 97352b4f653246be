package rl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/say"
)

const (
	learningModes  = 5
	learningSteps  = 2_000
	learningRate   = 0.1
	learningFrames = 60
)

// Learning shows functions while they are learned, without nesting and with sequential nesting.
func Learning() report.Exhibit {
	return report.Exhibit{Kind: report.Figure, Name: "learning", ShortName: "learning",
		Description: "eigenfunctions while they are learned",
		Caption:     "How functions become exact with sequential nesting, and stay mixtures without.",
		Draw:        drawLearning}
}

// LearningData is figures/learning.json. The functions follow from the seed and are not in it.
type LearningData struct {
	report.Head
	Seed   uint64          `json:"seed"`
	Rate   float64         `json:"rate"`
	Frames []LearningFrame `json:"frames"`
}

// LearningFrame has the cosine similarities of modes 2 to 5 after a number of steps.
type LearningFrame struct {
	Steps      int       `json:"steps"`
	Joint      []float64 `json:"without_nesting"`
	Sequential []float64 `json:"sequential_nesting"`
}

func drawLearning(k report.Kept) (report.Content, error) {
	w, err := gridworld.LoadWorld("GridRoom-4")
	if err != nil {
		return report.Content{}, err
	}
	const gamma, length = 0.9, 50
	data := LearningData{Head: k.Head, Seed: 4, Rate: learningRate}
	data.Paper = "Not in the paper; sections 2.1, 2.2."
	data.Note = "Eigenfunctions 2 to 5 of a walk through four rooms while gradient descent on OMM's loss learns " +
		"them, from random functions. Top: without nesting they become mixtures of the eigenfunctions. Middle: with " +
		"sequential nesting each becomes one. Bottom: exact. The numbers are cosine similarities. There is a value " +
		"for each state instead of a network."
	t := gridworld.GeometricTransition(w.Grid.Transition(), gamma, length)
	joint, sequential := smoothStart(t, data.Seed), smoothStart(t, data.Seed)
	var paths [2][]*mat.Dense // of the functions, one for each frame
	for step := 0; len(data.Frames) < learningFrames; step++ {
		// The steps of the frames grow as a cube.
		if share := float64(len(data.Frames)) / (learningFrames - 1); step >= int(learningSteps*share*share*share) {
			data.Frames = append(data.Frames, LearningFrame{Steps: step})
			paths[0], paths[1] = append(paths[0], mat.DenseCopyOf(joint)), append(paths[1], mat.DenseCopyOf(sequential))
		}
		descend(joint, t, false)
		descend(sequential, t, true)
	}
	animation, err := data.animation(w, paths)
	return report.Content{Data: data, Drawing: animation}, err
}

// smoothStart returns small random functions, one per column. Two applications of T make them smooth, as the functions
// of an untrained network are.
func smoothStart(t *mat.SymDense, seed uint64) *mat.Dense {
	v := linalg.RandomGaussian(rand.New(rand.NewPCG(seed, 0)), t.SymmetricDim(), learningModes)
	v = linalg.Product(t, linalg.Product(t, v))
	return linalg.Scaled(0.3*math.Sqrt(learningModes)/mat.Norm(v, 2), v)
}

// descend takes a step of gradient descent on
//
//	−2 tr VᵀTV + tr(VᵀV VᵀTV),  with gradient −4TV + 2(TV·VᵀV + V·VᵀTV).
//
// With sequential nesting both k×k moments lose their entries below the diagonal, so that no function depends on a
// later one.
func descend(v *mat.Dense, t *mat.SymDense, sequential bool) {
	tv := linalg.Product(t, v)
	gram, joint := linalg.Gram(v), linalg.Product(v.T(), tv)
	if sequential {
		for i := range learningModes {
			for j := range i {
				gram.Set(i, j, 0)
				joint.Set(i, j, 0)
			}
		}
	}
	quartic := linalg.Sum(linalg.Product(tv, gram), linalg.Product(v, joint))
	v.Add(v, linalg.Scaled(2*learningRate, linalg.Difference(linalg.Scaled(2, tv), quartic)))
}

// animation draws the frames and adds their cosines to the data. Learned functions get the sign with which they end.
func (d *LearningData) animation(w *gridworld.World, paths [2][]*mat.Dense) (*draw.Film, error) {
	layout := LayoutOf(w.Grid)
	out := &draw.Film{}
	for i := range d.Frames {
		frame := draw.HeatMaps{Columns: learningModes - 1, Note: fmt.Sprintf("Step %s of %s\n%s",
			say.Thousands(d.Frames[i].Steps), say.Thousands(learningSteps), d.Note)}
		var cosines [2][]float64
		for row, name := range []string{"OMM", "OMM-seq"} {
			perMode, _, err := gridworld.CosineSimilarity(w.Truth, paths[row][i])
			if err != nil {
				return out, err
			}
			for mode := 1; mode < learningModes; mode++ {
				values, end := mat.Col(nil, mode, paths[row][i]), paths[row][len(d.Frames)-1].ColView(mode)
				if mat.Dot(end, w.Truth.Vectors.ColView(mode)) < 0 {
					floats.Scale(-1, values)
				}
				frame.Maps = append(frame.Maps, draw.HeatMap{Layout: layout, Values: values,
					Title: fmt.Sprintf("%s %d: %.2f", name, mode+1, perMode[mode])})
			}
			cosines[row] = perMode[1:]
		}
		d.Frames[i].Joint, d.Frames[i].Sequential = cosines[0], cosines[1]
		for mode := 1; mode < learningModes; mode++ {
			frame.Maps = append(frame.Maps, draw.HeatMap{Layout: layout, Values: mat.Col(nil, mode, w.Truth.Vectors),
				Title: fmt.Sprintf("exact %d", mode+1)})
		}
		if err := out.Add(frame); err != nil {
			return out, err
		}
	}
	return out, nil
}
