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
	"github.com/gomlx/gomlx/core/tensors/dtensor"
)

// division says how a training is divided over devices. The zero value is for one device.
//
// The program is one for all devices, which XLA (Shardy) partitions. Where the number of runs is a multiple of the
// number of devices, each device holds its part of the runs: parameters, the optimiser's slots, averages and state are
// divided along their leading axis. Else each device holds all of that, and the samples of a step are divided: the
// random numbers along their longest axis that can be divided, by which XLA divides what is
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

// spec is that of a tensor whose leading axis is divided over the devices, or of one that is whole on each.
func (d division) spec(rank int, divided bool) *distributed.ShardingSpec {
	axes := make([]distributed.AxisSpec, rank)
	if divided {
		axes[0] = distributed.AxisSpec{meshAxis}
	}
	spec, err := distributed.NewShardingSpec(d.mesh, axes...)
	if err != nil { // the mesh is ours, and so are the names of its axes
		panic(err)
	}
	return spec
}

// divides reports whether entry i of the loop's list is divided, as the mark at its end is. The heads are whole on each
// device: what they say of all runs is small.
func (d division) divides(l layout, i, length int) bool {
	return d.byRun && i >= heads && i < length-l.data || d.mesh != nil && i == length-1
}

// longest is the longest axis after the runs that the devices can divide, or −1.
func (d division) longest(s shapes.Shape) int {
	axis := -1
	for i := 1; i < s.Rank(); i++ {
		if s.Dim(i)%d.devices() == 0 && (axis < 0 || s.Dim(i) > s.Dim(axis)) {
			axis = i
		}
	}
	return axis
}

// arrange tells the executable of list → list without data how its arguments and results are divided; list is what one
// device has.
func (d division) arrange(exec *Exec, l layout, list []*tensors.Tensor) {
	if d.mesh == nil {
		return
	}
	var specs []*distributed.ShardingSpec
	for i, t := range list {
		specs = append(specs, d.spec(t.Rank(), d.divides(l, i, len(list))))
	}
	exec.AutoSharding(d.mesh).WithInputShardingSpecs(specs...).WithOutputShardingSpecs(specs[:len(list)-l.data]...)
}

// mark is a vector of zeros, one for each device, which is divided over them and comes behind the data: what it is
// added to is divided, too. One device has none.
func (d division) mark() []*tensors.Tensor {
	if d.mesh == nil {
		return nil
	}
	return []*tensors.Tensor{vector(dtypes.Float32, d.devices())}
}

// marked is x [R, …], the same on each device, divided along its longest axis after the runs. In the place of a
// constraint, for which GoMLX has no operation, the mark is added, which is divided.
func (d division) marked(x, mark *Node) *Node {
	if d.mesh == nil || d.byRun {
		return x
	}
	axis := d.longest(x.Shape())
	if axis < 0 {
		return x
	}
	n := d.devices()
	zeros := BroadcastToDims(InsertAxes(ConvertDType(mark, x.DType()), -1), n, x.Shape().Dim(axis)/n)
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[axis] = x.Shape().Dim(axis)
	return Add(x, BroadcastToShape(Reshape(zeros, dims...), x.Shape()))
}

// place returns what each device has of the loop's list.
func (d division) place(b compute.Backend, l layout, list []*tensors.Tensor) ([][]*tensors.Tensor, error) {
	lists := make([][]*tensors.Tensor, d.devices())
	for i, t := range list {
		parts, err := d.parts(b, t, d.divides(l, i, len(list)))
		if err != nil {
			return nil, err
		}
		for device, part := range parts {
			lists[device] = append(lists[device], part)
		}
	}
	return lists, nil
}

// parts returns what each device has of a tensor, its part or all of it, in copies. One device takes it as it is.
func (d division) parts(b compute.Backend, t *tensors.Tensor, divided bool) ([]*tensors.Tensor, error) {
	if d.mesh == nil {
		return []*tensors.Tensor{t}, nil
	}
	all, err := dtensor.ShardTensor(d.spec(t.Rank(), divided), t)
	for device := 0; err == nil && device < d.devices(); device++ {
		err = all.Shards()[device].ToDevice(b, compute.DeviceNum(device))
	}
	if err != nil {
		return nil, fmt.Errorf("training: bringing a tensor of shape %s to the devices: %s", t.Shape(), sentence(err))
	}
	return all.Shards(), nil
}

// whole is the list without its data, as one device would have it.
func (d division) whole(l layout, lists [][]*tensors.Tensor) ([]*tensors.Tensor, error) {
	length := len(lists[0])
	all := make([]*tensors.Tensor, length-l.data)
	for i := range all {
		if all[i] = lists[0][i]; !d.divides(l, i, length) {
			continue
		}
		var parts []*tensors.Tensor
		for _, list := range lists {
			parts = append(parts, list[i])
		}
		divided, err := dtensor.NewTensor(d.spec(all[i].Rank(), true), parts)
		if err == nil {
			all[i], err = divided.Merge()
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
