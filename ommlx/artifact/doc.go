// Package artifact lists the reproduced figures and tables of the paper and the evidence for its claims. Each group of
// experiments has a package below.
//
// These are the steps from `omm figures fig7` to a point in the picture, with paths below ommlx/:
//
//	cmd/omm/figures.go         choose finds the entry "fig7" in Figures and calls report.Make.
//	artifact/pde/figures.go    Figure7 is the entry: its experiments, and the function that draws them.
//	artifact/pde/experiment.go Well is the experiment, as data; run.Key of its JSON names the result.
//	artifact/report/make.go    Make runs the jobs without a kept result, then writes what Show of the entry returns.
//	artifact/run/experiment.go fill trains a job: Start, train.Run, then keepRuns evaluates and keeps the result.
//	artifact/pde/result.go     Start builds the training problem and its evaluation.
//	artifact/pde/problem.go    Problem is the loss of samples x; batch is the inverse-operator trick.
//	artifact/pde/ansatz.go     Jet is value, gradient and Laplacian of the networks (net/, jet/) at x.
//	operator/hamiltonian.go    Inverse makes the batch F = (H + ε)g, TF = g from the jet.
//	omm.go, estimates.go       OMM.Loss is the loss with sequential nesting, from second moments of the batch.
//	train/loop.go, step.go     Run takes the steps on the device: gradient, Adam, moving average.
//	artifact/pde/result.go     Pictures evaluates the trained functions on a 32×32 grid.
//	artifact/run/kept.go       keep writes the result; Load reads it, from .omm/results or figures/kept/*.jsonl.
//	artifact/report/entry.go   Of is Show: it gathers the results and passes them to the figure's own function.
//	artifact/pde/pictures.go   Pictures.Figure aligns the functions, in rows of maps.
//	artifact/report/draw       Panels.Figure makes an image of each function; page.figure aligns the images.
package artifact
