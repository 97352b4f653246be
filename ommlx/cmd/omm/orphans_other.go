//go:build !linux

package main

// adopt and endAdopted have no counterpart where a process cannot adopt: JupyterLab itself ends its kernels.
func adopt() {}

func endAdopted() {}
