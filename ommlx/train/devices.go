package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// division says how a training is divided over devices. The zero value is for one device.
//
// The program is one for all devices, which XLA (Shardy) partitions. Where the number of runs is a multiple of the
// number of devices, each device holds its part of the runs: parameters, the optimiser's slots, averages and state are
// divided along their leading axis. Else each device holds all of that, and the samples of a step are divided: the
// random numbers and the batches of a [Feed] along their longest axis that can be divided, by which XLA divides what is
// computed of them and sums the moments over the devices.
//
// The random numbers are those of one device, since each device draws all of them; that is little beside a network.
//
// # What it pays
//
// Divided runs exchange a few numbers for each run and step: the states of their generators, losses, and whether they
// are finite. Divided samples exchange the gradient, 4 bytes for each of P weights, of which a device sends and
// receives about 2·4P bytes whatever the number of devices. The work that is divided is 6·P·B·q operations, B samples
// of a step, q uses of a weight for each sample: 1 in an MLP, 4 with a Laplacian carried forward in two dimensions, the
// places of a picture in a convolution. At F operations and W bytes a second on each device, dividing pays from
//
//	B·q > (4/3)·F/W
//
// on, whatever P is. With F = 5·10¹³ that is 220 at W = 3·10¹¹ (NVLink), 5,300 at 1.25·10¹⁰ (100 Gb/s Ethernet) and
// 53,000 at 1.25·10⁹ (10 Gb/s). This is a model, in which nothing overlaps; no machine with several GPUs was at hand.
//
//	experiment at the paper's scale   P       bytes a step   B·q       divided samples pay on
//	grid worlds, k = 11               0.14 M  1 MB           none      none: the network sees each state once
//	hydrogen                          4.7 M   38 MB          2,000     NVLink
//	images, ResNet-18                 17 M    136 MB         17,000    NVLink, 100 Gb/s
//	graph                             92 M    740 MB         33,000    NVLink, 100 Gb/s
type division struct {
	mesh  *distributed.DeviceMesh
	byRun bool
}

const meshAxis = "devices"

// divide returns the division of a training of so many runs. An error tells that there are fewer devices than are asked
// for.
func divide(b compute.Backend, devices, runs int) (division, error) {
	have := int(b.NumDevices())
	if devices == 0 {
		devices = have
	}
	if devices < 0 || devices > have {
		return division{}, fmt.Errorf("training: %d devices are asked for, and %s has %d", devices, b.Name(), have)
	}
	if devices == 1 {
		return division{}, nil
	}
	mesh, err := distributed.NewDeviceMesh([]int{devices}, []string{meshAxis})
	return division{mesh, runs%devices == 0}, err
}

func (d division) devices() int {
	if d.mesh == nil {
		return 1
	}
	return d.mesh.NumDevices()
}

// spec divides an axis of a tensor over the devices; a negative axis none.
func (d division) spec(rank, axis int) *distributed.ShardingSpec {
	axes := make([]distributed.AxisSpec, rank)
	if axis >= 0 {
		axes[axis] = distributed.AxisSpec{meshAxis}
	}
	spec, err := distributed.NewShardingSpec(d.mesh, axes...)
	if err != nil { // the mesh is ours, and so are the names of its axes
		panic(err)
	}
	return spec
}

// axisOf is the axis along which entry i of the loop's list is divided, or −1. The heads are whole on each device: what
// they say of all runs is small.
func (d division) axisOf(l layout, i, length int) int {
	if d.byRun && i >= heads && i < length-l.data {
		return 0
	}
	return -1
}

// longest is the longest axis from the first one on that the devices can divide, or −1.
func (d division) longest(s shapes.Shape, first int) int {
	axis := -1
	for i := first; i < s.Rank(); i++ {
		if s.Dim(i)%d.devices() == 0 && (axis < 0 || s.Dim(i) > s.Dim(axis)) {
			axis = i
		}
	}
	return axis
}

// fedAxis is the axis along which a batch of a [Feed] is divided, or −1.
func (d division) fedAxis(s shapes.Shape) int {
	if d.mesh == nil || d.byRun {
		return -1
	}
	return d.longest(s, 0)
}

// axes are those along which the loop's list and a batch are divided, each one an axis or −1.
func (d division) axes(l layout, list, fed []shapes.Shape) (axes []int) {
	for i := range list {
		axes = append(axes, d.axisOf(l, i, len(list)))
	}
	for _, s := range fed {
		axes = append(axes, d.fedAxis(s))
	}
	return axes
}

// configure tells the executable of list, fed, mark → list without data how its arguments and results are divided.
func (d division) configure(exec *Exec, l layout, list, fed []shapes.Shape) {
	if d.mesh == nil {
		return
	}
	axes := d.axes(l, list, fed)
	var in []*distributed.ShardingSpec
	for i, s := range slices.Concat(list, fed) {
		in = append(in, d.spec(s.Rank(), axes[i]))
	}
	out := slices.Clone(in[:len(list)-l.data])
	exec.AutoSharding(d.mesh).WithInputShardingSpecs(append(in, d.spec(1, 0))...).WithOutputShardingSpecs(out...)
}

// mark is the device's part of a vector of zeros that is divided over the devices: what it is added to is divided, too.
func (d division) mark() *tensors.Tensor { return vector(dtypes.Float32, 1) }

// marked is x [R, …], the same on each device, divided along its longest axis after the runs. In the place of a
// constraint, for which GoMLX has no operation, zeros are added that are divided.
func (d division) marked(x, mark *Node) *Node {
	if d.mesh == nil || d.byRun {
		return x
	}
	axis := d.longest(x.Shape(), 1)
	if axis < 0 {
		return x
	}
	n := d.devices()
	zeros := BroadcastToDims(InsertAxes(ConvertDType(mark, x.DType()), -1), n, x.Shape().Dim(axis)/n)
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[axis] = x.Shape().Dim(axis)
	return Add(x, BroadcastToShape(Reshape(zeros, dims...), x.Shape()))
}
