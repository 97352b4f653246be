// Package torchcode holds Python programs that a test and a benchmark share.
package torchcode

import _ "embed"

// ResNet18 is the text of resnet.py: net.ResNet18 as a PyTorch module.
//
//go:embed resnet.py
var ResNet18 string
