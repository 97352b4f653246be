package train

import "github.com/gomlx/gomlx/core/tensors"

// Feed returns the batch of a step, which counts from 0: tensors of any shape, the same shapes at each step.
type Feed func(step int) ([]*tensors.Tensor, error)
