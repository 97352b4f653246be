"""Reads a safetensors file, and writes another with every value doubled and every metadata string reversed."""

import sys

import numpy
from safetensors import safe_open
from safetensors.numpy import save_file

source, target = sys.argv[1:]
with safe_open(source, framework="numpy") as file:
    metadata = file.metadata() or {}
    tensors = {name: file.get_tensor(name) for name in file.keys()}
save_file(
    {name: numpy.asarray(values + values) for name, values in tensors.items()},
    target,
    {key: value[::-1] for key, value in metadata.items()},
)
