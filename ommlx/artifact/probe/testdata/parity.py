"""Linear and k-NN probe in PyTorch, from their definitions: reads a request in JSON, writes the answers in JSON."""
import json
import sys

import torch
from torch.nn import functional


def array(a):
    return torch.tensor(a["data"], dtype=torch.float64).reshape(a["dims"])


def shares(scores, labels):
    """Top-1 and top-5 of scores [N, C], where the lower class is first of those that tie."""
    order = scores.sort(dim=1, descending=True, stable=True).indices
    right = order == labels[:, None]
    return [right[:, :1].sum().item() / len(labels), right[:, :5].sum().item() / len(labels)]


def linear(c):
    x, labels = array(c["x"]), torch.tensor(c["labels"])
    model = torch.nn.Linear(x.shape[1], len(c["b"]["data"]), dtype=torch.float64)
    with torch.no_grad():
        model.weight.copy_(array(c["w"]))
        model.bias.copy_(array(c["b"]))
    loss = torch.nn.CrossEntropyLoss(label_smoothing=c["smoothing"])
    optimiser = torch.optim.SGD(model.parameters(), lr=c["rate"], momentum=c["momentum"], weight_decay=c["decay"])
    for batch in c["batches"]:
        optimiser.zero_grad()
        loss(model(x[batch]), labels[batch]).backward()
        optimiser.step()
    with torch.no_grad():
        answer = shares(model(array(c["test"])), torch.tensor(c["test_labels"]))
    return {"w": model.weight.flatten().tolist(), "b": model.bias.tolist(), "shares": answer}


def knn(c):
    labels, tests = torch.tensor(c["labels"]), torch.tensor(c["test_labels"])
    similarity = functional.normalize(array(c["test"])) @ functional.normalize(array(c["x"])).T
    nearest = similarity.topk(min(c["k"], len(labels)), dim=1)
    votes = torch.zeros(len(tests), int(max(labels.max(), tests.max())) + 1, dtype=torch.float64)
    votes.scatter_add_(1, labels[nearest.indices], (nearest.values / c["temperature"]).exp())
    return {"shares": shares(votes, tests)}


request = json.load(sys.stdin)
json.dump({"torch": torch.__version__, "linear": linear(request["linear"]),
           "knn": [knn(c) for c in request["knn"]]}, sys.stdout)
