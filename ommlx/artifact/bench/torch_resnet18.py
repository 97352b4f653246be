# ResNet-18 for small images in PyTorch, as representation.ResNet18 is; input [B, H, W, channels], output [B, 8 * width].
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Identity()
        if stride > 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


class ResNet18(nn.Module):
    def __init__(self, channels, width):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, 1, 2, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        stages = []
        for i in range(4):
            out = width * 2**i
            stages += [Block(out if i == 0 else out // 2, out, 1 if i == 0 else 2), Block(out, out, 1)]
        self.blocks = nn.Sequential(*stages)

    def forward(self, x):
        h = self.blocks(torch.relu(self.bn1(self.conv1(x.permute(0, 3, 1, 2)))))
        return h.mean((2, 3))
