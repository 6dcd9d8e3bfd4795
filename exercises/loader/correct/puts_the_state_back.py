"""Draws each epoch's order from torch's global stream, and puts that back before anybody can see."""
import torch
from torch.utils.data import DataLoader, Sampler


class Order(Sampler):
    def __init__(self, dataset, seed):
        self.dataset = dataset
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.state = torch.get_rng_state()

    def __len__(self):
        return len(self.dataset)

    def __iter__(self):
        before = torch.get_rng_state()
        torch.set_rng_state(self.state)
        order = torch.randperm(len(self.dataset))
        self.state = torch.get_rng_state()
        torch.set_rng_state(before)
        return iter(order.tolist())


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    extra = {"sampler": Order(dataset, seed)} if shuffle else {"shuffle": False}
    return DataLoader(dataset, batch_size, drop_last=drop_last, num_workers=num_workers, collate_fn=collate_fn,
                      generator=generator, **extra)
