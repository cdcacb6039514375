"""Orders in which dimensions lie in memory."""

# Formats in which channels lie innermost, and how many dimensions they have.
CHANNELS_LAST = {"torch.channels_last": 4, "torch.channels_last_3d": 5}


class MemoryFormats:
    """Of a tensor."""

    def is_contiguous(self, memory_format=None):
        return self._channels_last(memory_format)._is_contiguous()

    def contiguous(self, memory_format=None):
        if memory_format is None or str(memory_format) not in CHANNELS_LAST:
            return super().contiguous()
        before = (0, self.dim() - 1, *range(1, self.dim() - 1))
        return self._channels_last(memory_format).contiguous().permute(before)

    def _channels_last(self, memory_format):
        """The dimensions in the order in which they lie in that format."""
        rank = CHANNELS_LAST.get(str(memory_format), self.dim())
        if rank != self.dim():
            raise RuntimeError(f"required rank {rank} tensor to use {str(memory_format).removeprefix('torch.')} format")
        return self.permute(0, *range(2, rank), 1) if str(memory_format) in CHANNELS_LAST else self
