package train

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// place returns the loop's list on each device. The first device takes tensors that it has whole as they are.
func (d division) place(b compute.Backend, l layout, list []*tensors.Tensor) ([][]*tensors.Tensor, error) {
	lists := make([][]*tensors.Tensor, d.devices())
	for i, t := range list {
		parts, err := d.parts(b, t, d.axisOf(l, i, len(list)))
		if err != nil {
			return nil, err
		}
		for device, part := range parts {
			lists[device] = append(lists[device], part)
		}
	}
	return lists, nil
}

// parts returns what each device has of a tensor that is divided along an axis; a negative axis is none.
func (d division) parts(b compute.Backend, t *tensors.Tensor, axis int) ([]*tensors.Tensor, error) {
	parts := make([]*tensors.Tensor, d.devices())
	for device := range parts {
		part, err := t, error(nil)
		switch {
		case axis >= 0:
			part, err = cut(t, axis, device, len(parts))
		case device > 0:
			part, err = t.LocalClone()
		}
		if err == nil && d.mesh != nil && part != t {
			err = part.ToDevice(b, compute.DeviceNum(device))
		}
		if err != nil {
			return nil, fmt.Errorf("training: bringing a tensor of shape %s to device %d: %s", t.Shape(), device,
				sentence(err))
		}
		parts[device] = part
	}
	return parts, nil
}

// whole is the list without its data, as one device would have it.
func (d division) whole(l layout, lists [][]*tensors.Tensor) ([]*tensors.Tensor, error) {
	length := len(lists[0])
	all := make([]*tensors.Tensor, length-l.data)
	for i := range all {
		all[i] = lists[0][i]
		if d.axisOf(l, i, length) < 0 {
			continue
		}
		var parts []*tensors.Tensor
		for _, list := range lists {
			parts = append(parts, list[i])
		}
		joined, err := join(parts)
		if err != nil {
			return nil, err
		}
		all[i] = joined
	}
	return all, nil
}

// cut copies part i of n of a tensor along an axis.
func cut(t *tensors.Tensor, axis, i, n int) (*tensors.Tensor, error) {
	s := t.Shape().Clone()
	s.Dimensions[axis] /= n
	part := tensors.FromShape(s)
	outer := 1
	for _, dim := range s.Dimensions[:axis] {
		outer *= dim
	}
	var writeErr error
	readErr := t.ConstBytes(func(from []byte) {
		writeErr = part.MutableBytes(func(to []byte) {
			size := len(to) / outer // of the part in each of the outer entries
			for o := range outer {
				copy(to[o*size:(o+1)*size], from[(o*n+i)*size:])
			}
		})
	})
	return part, errors.Join(readErr, writeErr)
}

// join puts parts together along the leading axis.
func join(parts []*tensors.Tensor) (*tensors.Tensor, error) {
	s := parts[0].Shape().Clone()
	s.Dimensions[0] *= len(parts)
	whole := tensors.FromShape(s)
	var readErr error
	writeErr := whole.MutableBytes(func(to []byte) {
		size := len(to) / len(parts)
		for i, part := range parts {
			readErr = errors.Join(readErr, part.ConstBytes(func(from []byte) { copy(to[i*size:(i+1)*size], from) }))
		}
	})
	return whole, errors.Join(readErr, writeErr)
}

// shapesOn are the shapes of the arguments of the program: of what each device has of the loop's list and of a batch.
func (d division) shapesOn(l layout, list, fed []shapes.Shape) (on []shapes.Shape) {
	axes := d.axes(l, list, fed)
	for i, s := range slices.Concat(list, fed) {
		part := s.Clone()
		if axes[i] >= 0 {
			part.Dimensions[axes[i]] /= d.devices()
		}
		on = append(on, part)
	}
	if d.mesh != nil {
		on = append(on, d.mark().Shape())
	}
	return slices.Repeat(on, d.devices())
}
