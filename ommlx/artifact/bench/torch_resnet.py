# The step of ResNet-18 in PyTorch: forward, backward and Adam; the class ResNet18 precedes this text. The question is
# {"batch", "size", "width", "channels_last"}; see resnet.go.


def make(q):
    torch.manual_seed(0)
    network = ResNet18(3, q["width"])
    x = torch.rand(q["batch"], q["size"], q["size"], 3)
    if q["channels_last"]:  # in memory; the network permutes x
        network = network.to(memory_format=torch.channels_last)
    else:
        x = x.permute(0, 3, 1, 2).contiguous().permute(0, 2, 3, 1)
    optimizer = torch.optim.Adam(network.parameters(), fused=True)

    def step():
        loss = network(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


serve_steps(make, torch.__version__)
