"""Which encoding belongs to which model."""

from .registry import get_encoding

_NAMES = {
    "o200k_base": "o1 o3 o4-mini gpt-5 gpt-4.1 gpt-4o",
    "cl100k_base": "gpt-4 gpt-3.5-turbo gpt-3.5 gpt-35-turbo davinci-002 babbage-002 text-embedding-ada-002 "
                   "text-embedding-3-small text-embedding-3-large",
    "p50k_base": "text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001 code-cushman-002 code-cushman-001 "
                 "davinci-codex cushman-codex",
    "p50k_edit": "text-davinci-edit-001 code-davinci-edit-001",
    "r50k_base": "text-davinci-001 text-curie-001 text-babbage-001 text-ada-001 davinci curie babbage ada "
                 "text-similarity-davinci-001 text-similarity-curie-001 text-similarity-babbage-001 "
                 "text-similarity-ada-001 text-search-davinci-doc-001 text-search-curie-doc-001 "
                 "text-search-babbage-doc-001 text-search-ada-doc-001 code-search-babbage-code-001 "
                 "code-search-ada-code-001",
    "gpt2": "gpt2 gpt-2",
}
_BEGINNINGS = (
    ("o200k_base", "o1- o3- o4-mini- gpt-5 gpt-4.5- gpt-4.1- chatgpt-4o- gpt-4o-"),
    ("cl100k_base", "gpt-4- gpt-3.5-turbo- gpt-35-turbo-"),
    ("o200k_harmony", "gpt-oss-"),
    ("o200k_base", "ft:gpt-4o"),
    ("cl100k_base", "ft:gpt-4 ft:gpt-3.5-turbo ft:davinci-002 ft:babbage-002"),
)
MODEL_TO_ENCODING = {model: name for name, models in _NAMES.items() for model in models.split()}
MODEL_PREFIX_TO_ENCODING = {start: name for name, starts in _BEGINNINGS for start in starts.split()}


def encoding_name_for_model(model_name):
    if model_name in MODEL_TO_ENCODING:
        return MODEL_TO_ENCODING[model_name]
    for start, name in MODEL_PREFIX_TO_ENCODING.items():
        if model_name.startswith(start):
            return name
    raise KeyError("no encoding is known for the model %r; name one with get_encoding" % model_name)


def encoding_for_model(model_name):
    return get_encoding(encoding_name_for_model(model_name))
