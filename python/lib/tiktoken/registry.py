"""The encodings that have a name."""

from .core import Encoding
from .load import data_gym_to_mergeable_bpe_ranks, load_tiktoken_bpe

_PUBLISHED = "https://openaipublic.blob.core.windows.net/"
_GPT2 = _PUBLISHED + "gpt-2/encodings/main/"
_END, _PREFIX, _MIDDLE, _SUFFIX, _PROMPT = (
    "<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>")

_R50K = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
_CL100K = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
           r"|\s+(?!\S)|\s")
_LEAD, _UPPER, _LOWER = r"[^\r\n\p{L}\p{N}]?", r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K = "|".join([_LEAD + _UPPER + "*" + _LOWER + "+" + _SHORT, _LEAD + _UPPER + "+" + _LOWER + "*" + _SHORT,
                   r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])

_HARMONY = {"<|reserved_%d|>" % value: value for value in (200000, 200001, 200004, 200009, 200010, 200011)}
_HARMONY.update(("<|reserved_%d|>" % value, value) for value in range(200013, 201088))
_HARMONY.update({"<|startoftext|>": 199998, _END: 199999, _PROMPT: 200018, "<|return|>": 200002,
                 "<|constrain|>": 200003, "<|channel|>": 200005, "<|start|>": 200006, "<|end|>": 200007,
                 "<|message|>": 200008, "<|call|>": 200012})

# For each encoding the file of its ranks, its pattern, its special tokens and its size where that is fixed.
_ENCODINGS = {
    "gpt2": ("", _R50K, {_END: 50256}, 50257),
    "r50k_base": ("r50k_base", _R50K, {_END: 50256}, 50257),
    "p50k_base": ("p50k_base", _R50K, {_END: 50256}, 50281),
    "p50k_edit": ("p50k_base", _R50K, {_END: 50256, _PREFIX: 50281, _MIDDLE: 50282, _SUFFIX: 50283}, None),
    "cl100k_base": ("cl100k_base", _CL100K,
                    {_END: 100257, _PREFIX: 100258, _MIDDLE: 100259, _SUFFIX: 100260, _PROMPT: 100276}, None),
    "o200k_base": ("o200k_base", _O200K, {_END: 199999, _PROMPT: 200018}, None),
    "o200k_harmony": ("o200k_base", _O200K, _HARMONY, None),
}
_made = {}


def list_encoding_names():
    return list(_ENCODINGS)


def _gpt2_ranks():
    """The ranks of GPT-2: the same stand in r50k_base.tiktoken, else in the two files published with the model."""
    for name in ("gpt2", "r50k_base"):
        try:
            return load_tiktoken_bpe(_PUBLISHED + "encodings/" + name + ".tiktoken")
        except FileNotFoundError:
            pass
    return data_gym_to_mergeable_bpe_ranks(_GPT2 + "vocab.bpe", _GPT2 + "encoder.json")


def get_encoding(encoding_name):
    """The encoding of a name; its file is read once."""
    if encoding_name not in _ENCODINGS:
        raise ValueError("unknown encoding %r; there are %s" % (encoding_name, ", ".join(_ENCODINGS)))
    if encoding_name not in _made:
        file, pattern, special, size = _ENCODINGS[encoding_name]
        if file:
            ranks = load_tiktoken_bpe(_PUBLISHED + "encodings/" + file + ".tiktoken")
        else:
            ranks = _gpt2_ranks()
        _made[encoding_name] = Encoding(encoding_name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special,
                                        explicit_n_vocab=size)
    return _made[encoding_name]
