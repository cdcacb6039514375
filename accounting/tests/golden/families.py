"""Writes families.json beside it, small models of every family, and ../../data/defaults.json, what classes fill in.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 transformers==5.23.0
    /tmp/golden/bin/python accounting/tests/golden/families.py

Each model is built by transformers from a config in the keys of config.json. Nothing is computed by a formula: parameters
are counted, windows are layers of the cache that transformers makes for a config, FLOPs are FlopCounterMode's.

    small    seeded variants of each family; parameters: unique ones, with the buffers that balance experts' loads; active,
             multiplied: as in models.json, "active" and "active_without_embedding", with the same buffers; windowed: layers
             of the cache with a window; cached: elements of keys and values that a token leaves in the cache, over all layers
             (null for latent attention and Falcon's new one, whose caches transformers keeps expanded); flops: of the forward pass of [2, 8] tokens
             (null for Llama 4)
    dropped  a config of each family, and by key what parameters and windowed layers are without that key; null where
             transformers refuses
    windows  ways to say which layers have a window, each over the config in "body"
    nested   configs of models with pictures: the parameters of the language model and its head

data/defaults.json has by model type what the class fills in where a config.json does not say, of the keys that matter: as
the class calls them, but sizes by the names in CANONICAL. What the class derives from other keys is left out, and false.
"""

import json
import pathlib
import random
import re
import warnings

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, DynamicCache
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from write import dump, write

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()

# A name that several classes have their own words for.
CANONICAL = {
    "hidden_size": ("n_embd", "d_model"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "attention_heads"),
    "num_key_value_heads": ("num_kv_heads",),
    "intermediate_size": ("n_inner", "ffn_dim", "ffn_hidden_size"),
    "max_position_embeddings": ("n_positions", "max_seq_len"),
    "num_experts": ("num_local_experts", "n_routed_experts", "moe_num_experts"),
    "num_experts_per_tok": ("moe_k", "moe_topk"),
    "n_shared_experts": ("num_shared_experts", "moe_num_shared_experts"),
}
CORE = "vocab_size hidden_size num_hidden_layers num_attention_heads intermediate_size".split()
FLAGS = """attention_bias attention_out_bias mlp_bias qkv_bias use_qkv_bias use_bias bias lm_head_bias qk_layernorm use_qk_norm
use_post_norm use_parallel_residual parallel_attn multi_query new_decoder_architecture tie_word_embeddings""".split()
SIZES = """num_key_value_heads head_dim max_position_embeddings moe_intermediate_size num_experts num_experts_per_tok
n_shared_experts shared_intermediate_size shared_expert_intermediate_size first_k_dense_replace decoder_sparse_step
interleave_moe_layer_step intermediate_size_mlp q_lora_rank kv_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim
moe_layer_start_index moe_layer_end_index moe_layer_interval sliding_window sliding_window_pattern max_window_layers
attention_chunk_size no_rope_layer_interval window_size num_ln_in_parallel_attn word_embed_proj_dim""".split()
MORE = "use_sliding_window do_layer_norm_before".split()
KEYS = CORE + FLAGS + SIZES + MORE

# Names that transformers has only in its files of weights, with the class that builds the same model.
SAME = {"kimi_k2": "deepseek_v3"}
KINDS = """llama internlm3 iquestcoder granite granite_swa hyperclovax cwm mistral ministral ministral3 phi3 smollm3 seed_oss
helium arcee apertus nemotron jais2 nanochat ernie4_5 hunyuan_v1_dense exaone4 qwen2 qwen3 gemma gemma2 gemma3_text vaultgemma
olmo olmo2 olmo3 glm glm4 cohere cohere2 stablelm persimmon gpt2 gpt-sw3 gpt_bigcode gpt_neo opt biogpt xglm bloom gpt_neox
gptj codegen phi starcoder2 falcon mpt mixtral phimoe granitemoe granitemoeshared granitemoe_swa olmoe flex_olmo minimax_m2
gpt_oss qwen2_moe qwen3_moe mellum hunyuan_v1_moe ernie4_5_moe llama4_text deepseek_v2 deepseek_v3 kimi_k2 glm4_moe
glm4_moe_lite dots1 solar_open hy_v3 exaone_moe minicpm3 youtu""".split()
# Heads times head_dim is the width, or keys' heads are as many as queries'.
SQUARE = {"helium", "cohere2", "nanochat"}
# Classes that take no head_dim from a config.json, or build no model with one.
FIXED_HEAD = {"olmoe", "phi", "stablelm", "phi3", "persimmon", "gpt_bigcode", "falcon"}


def kind_class(kind):
    return CONFIG_MAPPING[SAME.get(kind, kind)]


def spelled(kind):
    """The class's own names of canonical keys."""
    fields = kind_class(kind).__dataclass_fields__
    return {key: next((name for name in (key, *CANONICAL.get(key, ())) if name in fields), None) for key in KEYS}


def variant(kind, r, full=False):
    fields, names = kind_class(kind).__dataclass_fields__, spelled(kind)
    is_latent = "kv_lora_rank" in fields
    group, kv = 1 if is_latent else r.choice([1, 2, 3]), 4 if kind == "codegen" else r.choice([1, 2, 3])
    layers, heads, experts, d_head = r.randint(2, 7), group * kv, r.choice([3, 4, 5]), 8 * r.randint(1, 3)
    if full:
        # So that what the class fills in fits the rest.
        filled = defaults(kind)
        heads = kv = kv if is_latent or kind == "codegen" else filled.get("num_key_value_heads", kv)
        experts, d_head = filled.get("num_experts_per_tok", 0) + 2, 8
    sizes = {
        "vocab_size": r.randint(60, 160), "hidden_size": heads * d_head, "num_hidden_layers": layers, "num_attention_heads": heads,
        "intermediate_size": r.randint(17, 80), "num_key_value_heads": kv, "max_position_embeddings": r.randint(20, 40),
        "head_dim": 4 * r.randint(2, 6), "moe_intermediate_size": r.randint(5, 40), "num_experts": experts,
        "num_experts_per_tok": r.randint(1, experts), "n_shared_experts": r.randint(1, 3), "shared_intermediate_size": r.randint(0, 2) * 17,
        "shared_expert_intermediate_size": r.randint(5, 40), "first_k_dense_replace": r.randint(0, layers), "decoder_sparse_step": r.randint(1, 3),
        "interleave_moe_layer_step": r.randint(1, 3), "intermediate_size_mlp": r.randint(9, 50), "q_lora_rank": r.choice([None, 13, 20]),
        "kv_lora_rank": 2 * r.randint(3, 12), "qk_nope_head_dim": 2 * r.randint(3, 9), "qk_rope_head_dim": 2 * r.randint(2, 5),
        "v_head_dim": 2 * r.randint(3, 9), "moe_layer_start_index": r.randint(0, 2), "moe_layer_interval": r.randint(1, 2),
        "moe_layer_end_index": r.choice([-1, layers - 1, 3]), "sliding_window": r.randint(9, 30), "sliding_window_pattern": r.randint(2, 4),
        "max_window_layers": r.randint(0, layers), "attention_chunk_size": r.randint(9, 30), "no_rope_layer_interval": r.randint(2, 4),
        "window_size": r.randint(9, 30), "num_ln_in_parallel_attn": r.choice([1, 2]), "word_embed_proj_dim": heads * d_head,
    }
    config = {"model_type": kind}
    own_head = not is_latent and kind not in SQUARE and kind not in FIXED_HEAD
    for key in CORE + SIZES:
        if names[key] and (key != "head_dim" or own_head):
            config[names[key]] = sizes[key]
    if own_head and names["num_key_value_heads"] and r.random() < 0.5:
        config["head_dim"] = sizes["head_dim"]
    for key in FLAGS:
        if key in fields:
            config[key] = r.random() < 0.5
    config["tie_word_embeddings"] = r.random() < 0.5
    if "use_sliding_window" in fields:
        config["use_sliding_window"] = full or r.random() < 0.7
    if "mlp_only_layers" in fields and r.random() < 0.6:
        config["mlp_only_layers"] = [1]
    if "layer_types" in fields and r.random() < 0.4 and not full:
        types = ["full_attention", "chunked_attention" if kind == "llama4_text" else "sliding_attention"]
        config["layer_types"] = [r.choice(types) for _ in range(layers)]
        if "use_sliding_window" in fields:
            config["use_sliding_window"] = True
    if "mlp_layer_types" in fields and r.random() < 0.5 and not full:
        config["mlp_layer_types"] = [r.choice(["dense", "sparse"]) for _ in range(layers)]
    # What only one of them needs, or allows.
    match kind:
        case "internlm3":
            config["mlp_bias"] = config["attention_bias"]
        case "helium":
            config["head_dim"] = d_head
        case "opt":
            config |= {"do_layer_norm_before": r.random() < 0.5, "word_embed_proj_dim": r.choice([heads * d_head, 14])}
        case "gpt_neo":
            config["attention_types"] = [[["global", "local"], layers // 2], [["local"], layers % 2]]
        case "gptj" | "codegen":
            config["rotary_dim"] = 4
        case "falcon":
            config |= {"num_kv_heads": kv, "parallel_attn": config["parallel_attn"] or config["new_decoder_architecture"]}
        case "minicpm3":
            config["q_lora_rank"] = 13
        case "phimoe":
            # Its router chooses two, whatever the config says.
            config["num_experts_per_tok"] = 2
        case "hunyuan_v1_moe" if full:
            config["moe_topk"] = 1
    return config


def built(config, **more):
    config = dict(config)
    kind = config["model_type"] = SAME.get(config["model_type"], config["model_type"])
    fields = CONFIG_MAPPING[kind].__dataclass_fields__
    silent = {"pad_token_id": 0, "n_group": 1, "topk_group": 1}
    made = CONFIG_MAPPING[kind].from_dict(config | {k: v for k, v in silent.items() if k in fields or k == "pad_token_id"})
    made._attn_implementation = "eager"
    return made


def windowed(made):
    if made.model_type == "gpt_neo":
        return sum(layer == "local" for layer in made.attention_layers)
    return sum(getattr(layer, "is_sliding", False) for layer in DynamicCache(config=made).layers)


def on_meta(made):
    with torch.device("meta"):
        return AutoModelForCausalLM.from_config(made)


def balance(model):
    """Elements of the buffers that balance loads, which checkpoints hold."""
    return sum(x.numel() for path, x in model.state_dict().items() if "e_score_correction_bias" in path
               and path not in dict(model.named_parameters()))


def total(model):
    return sum(x.numel() for x in model.parameters()) + balance(model)


def small(config):
    made = built(config)
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(made, attn_implementation="eager").eval()
    parameters = total(model)
    active = parameters
    layers, routed = set(), 0
    for path, x in model.named_parameters():
        if ".experts." in path:
            layers.add(path.split(".experts.")[0])
            routed += x.numel()
    if layers:
        experts, top = (getattr(made, spelled(config["model_type"])[key]) for key in ("num_experts", "num_experts_per_tok"))
        assert routed % experts == 0
        active -= routed // experts * (experts - top)
        model.set_experts_implementation("eager")
    embedding, head = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    lookups = 0 if embedding is head else embedding.numel()
    lookups += sum(x.numel() for path, x in model.named_parameters() if "wpe." in path or "embed_positions." in path)
    tokens = torch.randint(1, 50, (2, 8))
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        out = model(input_ids=tokens, use_cache=True)
    # A cache that keeps keys and values after they are repeated for all heads.
    is_expanded = "kv_lora_rank" in config or config.get("new_decoder_architecture")
    # This family multiplies every token with every expert, and throws away what its router has not chosen.
    flops = None if config["model_type"] == "llama4_text" else counter.get_total_flops()
    cached = sum(layer.keys.numel() + layer.values.numel() for layer in out.past_key_values.layers)
    return {"config": config, "parameters": parameters, "active": active, "multiplied": active - lookups, "windowed": windowed(made),
            "cached": None if is_expanded else cached // 16, "flops": flops}


def dropped(config):
    without = {}
    # Helium's own head_dim fits its own width only.
    for key in config.keys() - {"model_type"} - ({"head_dim"} if config["model_type"] == "helium" else set()):
        try:
            made = built({k: v for k, v in config.items() if k != key})
            without[key] = [total(on_meta(made)), windowed(made)]
        except Exception:
            without[key] = None
    return {"config": config, "without": dict(sorted(without.items()))}


BODY = {"vocab_size": 64, "hidden_size": 24, "intermediate_size": 40, "num_attention_heads": 4, "num_key_value_heads": 2}


def windows():
    cases = []

    def add(kind, layers, **more):
        config = {"model_type": kind, "num_hidden_layers": layers, **more}
        cases.append({"config": config, "windowed": windowed(built(config | BODY))})

    for layers in (1, 2, 3, 4, 6, 7, 13):
        for kind in ("mistral", "mixtral", "phi3", "starcoder2", "ministral", "ministral3", "gemma2", "vaultgemma", "gemma3_text", "olmo3", "gpt_oss",
                     "cohere2", "cwm", "granite_swa", "exaone4", "exaone_moe"):
            add(kind, layers, sliding_window=8)
        add("mistral", layers)
        add("mistral", layers, sliding_window=None)
        add("ministral", layers, sliding_window=None)
        add("mixtral", layers)
        add("phi3", layers)
        for pattern in (2, 3, 5):
            for kind in ("gemma3_text", "cohere2", "exaone4"):
                add(kind, layers, sliding_window=8, sliding_window_pattern=pattern)
        for kind in ("qwen2", "qwen3"):
            for use in (True, False):
                for first in (0, 2, 28):
                    add(kind, layers, sliding_window=8, use_sliding_window=use, max_window_layers=first)
            add(kind, layers, sliding_window=8)
            add(kind, layers, use_sliding_window=True)
        for first in (2, 28):
            add("qwen2_moe", layers, sliding_window=8, use_sliding_window=True, max_window_layers=first)
            add("dots1", layers, sliding_window=8, max_window_layers=first, n_routed_experts=4, num_experts_per_tok=2, n_shared_experts=1)
        add("qwen3_moe", layers, sliding_window=8, use_sliding_window=True)
        add("qwen3_moe", layers, sliding_window=8)
        add("smollm3", layers, sliding_window=8, use_sliding_window=True)
        add("smollm3", layers, sliding_window=8, use_sliding_window=True, no_rope_layer_interval=3)
        add("smollm3", layers, sliding_window=8, use_sliding_window=True, no_rope_layers=[i % 2 for i in range(layers)])
        add("smollm3", layers, sliding_window=8)
        add("llama4_text", layers, attention_chunk_size=8)
        add("llama4_text", layers, attention_chunk_size=8, no_rope_layer_interval=3)
        add("llama4_text", layers, attention_chunk_size=8, no_rope_layers=[])
        add("llama4_text", layers, attention_chunk_size=8, no_rope_layers=[i % 2 for i in range(layers)])
        types = ["full_attention", "sliding_attention", "sliding_attention"] * layers
        for kind in ("qwen3", "gemma3_text", "smollm3", "olmo3", "exaone4", "mellum"):
            used = {"use_sliding_window": True} if kind in ("qwen3", "smollm3") else {}
            add(kind, layers, sliding_window=8, layer_types=types[:layers], **used)
        
    return cases


def nested():
    body = {"vocab_size": 90, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 3, "num_attention_heads": 4,
            "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 64}
    moe = {"moe_intermediate_size": 12, "num_experts": 4, "num_experts_per_tok": 2}
    few = {"hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}
    qwen = {k: v for k, v in body.items() if k != "head_dim"}
    cases = [
        # What a published config.json says of its text: only what differs from the class.
        {"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", **few}},
        {"model_type": "gemma3", "text_config": few},
        {"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064, "max_position_embeddings": 4096}},
        {"model_type": "llava_next", "text_config": {"model_type": "mistral", "vocab_size": 32064, "sliding_window": None}},
        {"model_type": "mistral3", "text_config": {"model_type": "mistral", **body}},
        {"model_type": "mistral3", "text_config": {"model_type": "ministral3", **body}, "tie_word_embeddings": True},
        {"model_type": "llama4", "text_config": {"model_type": "llama4_text", **body, "num_local_experts": 4, "intermediate_size_mlp": 50}},
        {"model_type": "internvl", "text_config": {"model_type": "qwen2", **qwen}},
        {"model_type": "qwen2_vl", **qwen}, {"model_type": "qwen2_5_vl", **qwen, "tie_word_embeddings": True},
        {"model_type": "qwen2_vl", "text_config": {"model_type": "qwen2_vl_text", **qwen}},
        {"model_type": "qwen2_5_vl", "text_config": {"model_type": "qwen2_5_vl_text", **qwen}},
        {"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", **body}},
        {"model_type": "qwen3_vl_moe", "text_config": {"model_type": "qwen3_vl_moe_text", **body, **moe}},
        {"model_type": "idefics3", "text_config": {"model_type": "llama", **body}},
        {"model_type": "smolvlm", "text_config": {"model_type": "llama", **body}},
        {"model_type": "paligemma", "text_config": {"model_type": "gemma", **body}},
        {"model_type": "glm4v", "text_config": {"model_type": "glm4v_text", **qwen}},
    ]
    found = []
    for config in cases:
        for outer in (None, True, False):
            for inner in (None, True, False):
                said = json.loads(json.dumps(config))
                if outer is not None:
                    said["tie_word_embeddings"] = outer
                if inner is not None:
                    if "text_config" not in said:
                        continue
                    said["text_config"]["tie_word_embeddings"] = inner
                kind = said["model_type"]
                made = CONFIG_MAPPING[kind].from_dict(dict(said))
                made.get_text_config().pad_token_id = 0
                try:
                    with torch.device("meta"):
                        model = AutoModelForImageTextToText.from_config(made)
                except Exception as error:
                    print(kind, outer, inner, type(error).__name__, str(error)[:100])
                    continue
                text = [x.numel() for path, x in model.named_parameters() if not re.search("vision|visual|multi_modal|connector|image_newline", path)]
                found.append({"config": said, "parameters": sum(text), "windowed": windowed(made.get_text_config())})
    return found


def defaults(kind):
    """What the class fills in; of a model with pictures, its text's model type, and whether its head is tied."""
    made = kind_class(kind)
    if "text_config" in made.__dataclass_fields__:
        return {"text": made().get_text_config().model_type, "tie_word_embeddings": made().tie_word_embeddings}
    fields = made.__dataclass_fields__
    found = {}
    for key in KEYS:
        name = next((name for name in (key, *CANONICAL.get(key, ())) if name in fields), None)
        value = name and fields[name].default
        if value is True or value is False and key in MORE or type(value) is int and value > 0:
            found[key] = value
    return found


if __name__ == "__main__":
    r = random.Random(2026)
    variants = [variant(kind, r) for kind in KINDS for _ in range(3)]
    in_parts = nested()
    outer = {case["config"]["model_type"] for case in in_parts}
    inner = {part["model_type"] for case in in_parts for part in (case["config"], case["config"].get("text_config", {})) if "model_type" in part}
    inner |= {defaults(kind)["text"] for kind in outer}
    table = {kind: defaults(kind) for kind in sorted({*KINDS, *inner})}
    target = pathlib.Path(__file__).parents[2] / "data" / "defaults.json"
    target.write_text("{\n" + ",\n".join(f"{dump(kind)}:{dump(values)}" for kind, values in table.items()) + "\n}\n")
    write(__file__, {"versions": {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__},
                     "small": [small(config) for config in variants],
                     "dropped": [dropped(variant(kind, r, full=True)) for kind in KINDS],
                     "body": BODY, "windows": windows(), "nested": in_parts})
