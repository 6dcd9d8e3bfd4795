import torch


def answer(x):
    loader = torch.utils.data.DataLoader(x.tolist(), batch_size=1, num_workers=2)
    return float(sum(batch.item() for batch in loader))
