// Package artifact lists the reproduced figures and tables of the paper and the evidence for its claims. Each group of
// experiments has a package below.
//
// These are the steps from `omm figures fig7` to a point in the picture, with paths below ommlx/. With --kept the steps
// of a training are left out.
//
//	cmd/omm/figures.go         newMake finds the exhibit "fig7" in Figures of paper.go and calls report.Make.
//	artifact/pde/figures.go    Figure7 is the exhibit of the well (systems.go): its trainings, and what draws them.
//	artifact/pde/experiment.go Well is a training as data; run.Key of its JSON names the result.
//	artifact/report/make.go    Make trains or loads the results, and writes what Draw returns.
//	artifact/run/experiment.go fill trains: Start, train.Run (the loop on the device), then keepRuns keeps the result.
//	artifact/pde/problem.go    Problem is the loss of samples x: networks (ansatz.go), operator and objective.
//	omm.go                     OMM.Loss is the loss with sequential nesting, from second moments of the batch.
//	artifact/pde/result.go     Runs evaluates the trained functions, and Pictures takes them on a 32×32 grid.
//	artifact/pde/pictures.go   newPictures aligns the functions, in rows of maps.
//	artifact/report/draw       Panels.Figure makes an image of each function; page.figure aligns the images.
package artifact
