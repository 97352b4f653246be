"""The augmentations of ommlx/artifact/images once more, by torchvision and PIL, for the Go test TestParityTorchvision.

Reads one JSON document from standard input, {"images": [N, H, W, 3], "smooth": likewise, "box": [N, 4], "factors": [N, 4],
"places": [N, 4], "grey", "sigma", "flip": [N]} with arrays as {"dims", "data"}. Images hold multiples of 1/255, smooth
images any numbers. Writes each operation's results by name, "tensor ..." on float64 tensors of torchvision and
"pil ..." on PIL images of 8 bits, as solo-learn applies them.
"""

import json
import sys

import numpy as np
import torch
import torchvision
from PIL import Image, ImageFilter
from torchvision.transforms import functional as F
from torchvision.transforms import InterpolationMode

ADJUST = [F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_hue]
NAMES = ["brightness", "contrast", "saturation", "hue"]


def numbers(a):
    return np.array(a["data"], dtype=np.float64).reshape(a["dims"])


def array(images):
    stacked = np.stack(images)
    return {"dims": list(stacked.shape), "data": stacked.reshape(-1).tolist()}


def to_pil(image):
    return Image.fromarray(np.rint(255 * image).astype(np.uint8))


def from_pil(image):
    return np.asarray(image, dtype=np.float64) / 255


def to_tensor(image):
    return torch.from_numpy(image).permute(2, 0, 1)


def from_tensor(image):
    return image.permute(1, 2, 0).numpy()


def crop(image, box, size):
    top, left, height, width = (int(x) for x in box)
    return F.resized_crop(image, top, left, height, width, size, InterpolationMode.BICUBIC, antialias=True)


def jitter(image, factors, places):
    for operation in np.argsort(places):
        image = ADJUST[operation](image, factors[operation])
    return image


def blur(image, sigma):
    return image.filter(ImageFilter.GaussianBlur(radius=float(sigma))) if sigma > 0 else image


def recipe(image, case, i):
    image = jitter(crop(image, case["box"][i], case["size"]), case["factors"][i], case["places"][i])
    if case["grey"][i]:
        image = F.to_grayscale(image, num_output_channels=3)
    image = blur(image, case["sigma"][i])
    return F.hflip(image) if case["flip"][i] else image


def results(case):
    out = {}
    count, height, width, _ = case["images"].shape
    case["size"] = [height, width]
    pil = [to_pil(image) for image in case["images"]]
    tensors = [to_tensor(image) for image in case["images"]]
    smooth = [to_tensor(image) for image in case["smooth"]]

    def each(name, back, function, images):
        out[name] = array([back(function(image, i)) for i, image in enumerate(images)])

    each("tensor crop", from_tensor, lambda x, i: crop(x, case["box"][i], case["size"]), smooth)
    each("pil crop", from_pil, lambda x, i: crop(x, case["box"][i], case["size"]), pil)
    for operation, name in enumerate(NAMES):
        adjust = lambda x, i: ADJUST[operation](x, case["factors"][i][operation])
        each("tensor " + name, from_tensor, adjust, tensors)
        each("pil " + name, from_pil, adjust, pil)
    each("tensor jitter", from_tensor, lambda x, i: jitter(x, case["factors"][i], case["places"][i]), tensors)
    each("pil jitter", from_pil, lambda x, i: jitter(x, case["factors"][i], case["places"][i]), pil)
    each("pil grey", from_pil, lambda x, i: F.to_grayscale(x, num_output_channels=3), pil)
    each("pil blur", from_pil, lambda x, i: blur(x, case["sigma"][i]), pil)
    each("tensor flip", from_tensor, lambda x, i: F.hflip(x), tensors)
    each("pil recipe", from_pil, lambda x, i: recipe(x, case, i), pil)
    return out


if __name__ == "__main__":
    torch.set_num_threads(1)
    request = {name: numbers(a) for name, a in json.load(sys.stdin).items()}
    versions = f"torchvision {torchvision.__version__}, Pillow {Image.__version__}"
    json.dump({"versions": versions, "results": results(request)}, sys.stdout)
