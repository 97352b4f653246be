# The step of ResNet-18 in PyTorch; the class ResNet18 comes before this text.
#
# Answers one JSON line for each line on standard input: the time of {"steps"} steps, forward, backward and Adam, on
# {"pictures": {"batch", "size", "width", "channels_last"}}.


def make(q):
    torch.manual_seed(0)
    network = ResNet18(3, q["width"])
    x = torch.rand(q["batch"], q["size"], q["size"], 3)
    if q["channels_last"]:  # of the memory; x is permuted to it within the network
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


made = {}


def answer(question):
    name = json.dumps(question["pictures"])
    if name not in made:
        made[name] = make(question["pictures"])
    return timed(made[name], question["steps"], torch.__version__)


serve(answer)
