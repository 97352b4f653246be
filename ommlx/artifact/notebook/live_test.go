package notebook

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image/gif"
	"image/png"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// wave is a picture that changes with the step.
func wave(step int) draw.HeatMaps {
	return picture(8, func(i int) float64 { return math.Sin(float64(i+step) / 5) })
}

// picture is a map of a function on side×side places.
func picture(side int, f func(i int) float64) draw.HeatMaps {
	values := xslices.Map(xslices.Iota(0, side*side), f)
	return draw.HeatMaps{Columns: 1, Maps: []draw.HeatMap{{Title: "1", Layout: blank("", side, side), Values: values}}}
}

// TestDrawingTakesLessThan3Percent: frames take two thirds of that, with calls of any length and drawings of any cost.
// The rest is for the animation. The first and the last frame are always drawn.
func TestDrawingTakesLessThan3Percent(t *testing.T) {
	for _, cost := range []time.Duration{time.Millisecond, 20 * time.Millisecond, time.Second} {
		for _, calls := range []int{20, 400, 4_000} {
			synctest.Test(t, func(t *testing.T) {
				drawn, shown := 0, 0
				l := live{show: func(_, _ []byte) { shown++ }, drawing: func(now train.Snapshot) (draw.Drawing, error) {
					time.Sleep(cost)
					drawn++
					return wave(now.Step), nil
				}}
				began := time.Now()
				for call := 1; call <= calls; call++ {
					time.Sleep(500 * time.Millisecond)
					require.NoError(t, l.update(train.Status{Step: call, Steps: calls, Elapsed: time.Since(began),
						Snapshot: train.Snapshot{Step: call}}))
				}
				took := time.Since(began)
				require.LessOrEqual(t, float64(drawn-2)*cost.Seconds(), 0.02*took.Seconds(), "%v %d", cost, calls)
				require.LessOrEqual(t, l.film.Frames(), maxFrames)
				if affordable := int(share(took) / cost); affordable >= maxFrames && calls > maxFrames {
					require.Greater(t, l.film.Frames(), maxFrames/2, "%v %d", cost, calls)
					require.Greater(t, shown, min(affordable, int(took/slowest))/2, "%v %d", cost, calls)
				}
			})
		}
	}
}

// TestPictureEndsAsAnimation: pictures change while the training runs; the last one has all frames.
func TestPictureEndsAsAnimation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var frames [][]byte
		var animation []byte
		l := live{show: func(frame, all []byte) { frames, animation = append(frames, frame), all },
			drawing: func(now train.Snapshot) (draw.Drawing, error) { return wave(now.Step), nil }}
		for step := 1; step <= 10; step++ {
			require.Nil(t, animation)
			time.Sleep(time.Second)
			require.NoError(t, l.update(train.Status{Step: step, Steps: 10, Elapsed: time.Duration(step) * time.Second,
				Snapshot: train.Snapshot{Step: step}}))
		}
		require.Len(t, frames, 10)
		for i, frame := range frames {
			_, err := png.Decode(bytes.NewReader(frame))
			require.NoError(t, err)
			require.NotEqual(t, frames[max(1, i)-1], frames[max(1, i)])
		}
		film, err := gif.DecodeAll(bytes.NewReader(animation))
		require.NoError(t, err)
		require.Len(t, film.Image, 10)
		require.Equal(t, `<img alt="a label" src="data:image/gif;base64,`+base64.StdEncoding.EncodeToString(animation)+
			`">`, bundle("a label", frames[9], animation)[protocol.MIMETextHTML])
		require.NotContains(t, bundle("a label", frames[9], nil), protocol.MIMETextHTML)
	})
}

// TestLargeAnimationLosesFrames: noise has no smaller encoding.
func TestLargeAnimationLosesFrames(t *testing.T) {
	var data []byte
	l := live{show: func(_, animation []byte) { data = animation }}
	for frame := range 20 {
		noise := picture(150, func(i int) float64 { return math.Sin(float64(i*i + frame*i)) })
		require.NoError(t, l.film.Add(noise))
	}
	require.NoError(t, l.animate())
	require.LessOrEqual(t, len(data), maxBytes)
	require.Greater(t, l.film.Frames(), 1)
}

func TestLiveReturnsTheErrorOfADrawing(t *testing.T) {
	l := live{drawing: func(train.Snapshot) (draw.Drawing, error) { return nil, errors.New("no functions") }}
	require.EqualError(t, l.update(train.Status{Steps: 10}), "no functions")
}

// TestRoomsShowTheLearnedFunctions on the pure-Go engine, whatever engine trains.
func TestRoomsShowTheLearnedFunctions(t *testing.T) {
	w := World("GridRoom-4")
	walk := Walk(w)
	walk.Functions = net.MLP{In: 2, Hidden: []int{16}, Out: 3}
	rooms := Rooms(w, walk, []string{"learned"}, 2, 3)
	var last draw.HeatMaps
	progress := func(s train.Status) {
		d, err := rooms(s.Snapshot)
		require.NoError(t, err)
		last = d.(draw.HeatMaps)
	}
	_, err := learn.Learn(context.Background(), walk, 3, learn.Settings{Steps: 5,
		Options: train.Options{Backend: testkit.Backend(t), Progress: progress}})
	require.NoError(t, err)
	require.Len(t, last.Maps, 4)
	require.Regexp(t, `^learned 2: 0\.\d\d$`, last.Maps[0].Title)
	require.Equal(t, "exact 3", last.Maps[3].Title)

	opposite := func(train.Snapshot) ([]*mat.Dense, error) {
		return []*mat.Dense{linalg.Scaled(-2, w.Truth.Vectors)}, nil
	}
	maps := testkit.Must(learnedMaps(blank("", 1, 1), opposite, w.Truth.Vectors, []string{"a"}, 2)(train.Snapshot{}))
	shown := maps.(draw.HeatMaps).Maps
	require.Equal(t, "a 2: 1.00", shown[0].Title)
	require.InDeltaSlice(t, mat.Col(nil, 1, linalg.Scaled(2, w.Truth.Vectors)), shown[0].Values, 1e-12)
}
