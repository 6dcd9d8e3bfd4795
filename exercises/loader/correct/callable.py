"""An instance with options in a dictionary; the seed of the generator is hashed from the given one."""
import hashlib

import torch
from torch.utils import data


class MakeLoader:
    options = {"shuffle": True, "drop_last": False, "num_workers": 0, "collate_fn": None}

    def __call__(self, dataset, batch_size, seed, **given):
        unknown = given.keys() - self.options.keys()
        if unknown:
            raise TypeError(f"unknown: {unknown}")
        digest = hashlib.blake2b(str(seed).encode(), digest_size=7).digest()
        generator = torch.Generator()
        generator.manual_seed(int.from_bytes(digest, "big"))
        chosen = {**self.options, **given}
        if chosen["collate_fn"] is None:
            chosen["collate_fn"] = data.default_collate
        return data.DataLoader(dataset, batch_size=batch_size, generator=generator, **chosen)


make_loader = MakeLoader()
