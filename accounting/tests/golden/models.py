"""Writes models.json beside it: what the parameters of language models add up to, counted from the models themselves.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 transformers==5.23.0
    /tmp/golden/bin/python accounting/tests/golden/models.py

Each model is built by transformers' AutoModelForCausalLM.from_config from a config in the keys of Hugging Face's
config.json, on the meta device, where weights have shapes but no storage. Its unique parameters are counted: what is
tied is one parameter. Nothing is computed by a formula. Keys that a published config.json leaves out are left out here
too, and the class fills them in: "defaults" lists, for each model type, what its class says of keys that matter (null:
derived from other keys).

"conventions" says what the figures of an entry in "models" are. "source" says where the config is from:
    models.md    the table of presets, which cites it; "preset" is its exact count, "preset_active" its active count
    litgpt       Lightning-AI/litgpt, litgpt/config.py at 0006c97, read and turned into config.json's keys
    class        the defaults of transformers' class, which are made after that checkpoint (that they are equal is checked here)
    OWNER/NAME   a public repository that quotes config.json or prints the model
    quoted       public code that quotes config.json, found by an excerpt that does not name its repository
    memory       NOT checked against a file: from knowledge of the published config.json
    seeded       a small variant drawn at random here
"""

import random
import re

import torch
import transformers
from transformers import AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from write import write

transformers.logging.set_verbosity_error()

CONVENTIONS = {
    "parameters": "unique parameters, tied ones once; buffers are not among them",
    "buffers": "elements of buffers that a checkpoint holds (DeepSeek-V3's e_score_correction_bias)",
    "components": "the parameters by what they belong to, over all layers; they add up to parameters. norm: norms of the "
                  "residual stream and of the embedding; attention_norm: norms inside attention (of q, k, or a latent); "
                  "attention: projections with biases, and sinks; mlp: dense ones; experts: routed ones; shared_experts; "
                  "router: with its bias; shared_expert_gate; projection: between embedding and stream (OPT-350m); lm_head: "
                  "with its bias, its matrix only if it is not tied (then it is counted as token_embedding)",
    "tied": "the head's matrix is the token embedding",
    "active": "parameters a token meets: routed experts times top_k / n, everything else whole, the embedding included",
    "active_without_embedding": "active less the tables that are only looked up: token_embedding if it is not tied, and "
                                "position_embedding",
    "routed": "layers that have routed experts, experts of each, and how many of them a token goes to",
    "difference": "parameters less preset, where these are not equal, and why",
}

# The first pattern that is found in a parameter's name says what it belongs to.
COMPONENTS = [
    ("attention_norm", r"(attn|attention)\.(q_norm|k_norm|q_a_layernorm|kv_a_layernorm|q_layernorm|k_layernorm)"),
    ("norm", r"norm|\bln_"),
    ("lm_head", r"^lm_head\."),
    ("position_embedding", r"\bwpe\.|embed_positions\."),
    ("token_embedding", r"\bwte\.|embed_tokens\.|embed_in\.|word_embeddings\."),
    ("projection", r"project_(in|out)\."),
    ("shared_expert_gate", r"shared_expert_gate\."),
    ("shared_experts", r"shared_experts?\."),
    ("experts", r"\.experts\."),
    ("router", r"mlp\.gate\.|\.router\."),
    ("attention", r"(attn|attention)\."),
    ("mlp", r"mlp\.|\.fc[12]\.|feed_forward\."),
]

DEFAULTS = """vocab_size hidden_size n_embd intermediate_size ffn_dim n_inner num_hidden_layers n_layer num_attention_heads n_head
num_key_value_heads head_dim tie_word_embeddings attention_bias qkv_bias use_qkv_bias mlp_bias use_bias bias enable_bias
qk_layernorm use_qk_norm use_parallel_residual parallel_attn multi_query new_decoder_architecture num_kv_heads alibi
max_position_embeddings n_positions do_layer_norm_before word_embed_proj_dim
num_local_experts num_experts n_routed_experts n_shared_experts num_experts_per_tok moe_intermediate_size
shared_expert_intermediate_size first_k_dense_replace decoder_sparse_step mlp_only_layers interleave_moe_layer_step
intermediate_size_mlp q_lora_rank kv_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim""".split()


def gpt2(layers, d, heads, context=1024):
    return {"model_type": "gpt2", "vocab_size": 50257, "n_positions": context, "n_embd": d, "n_layer": layers, "n_head": heads}


def llama(layers, d, heads, kv, ff, vocab, **more):
    return {"model_type": "llama", "vocab_size": vocab, "hidden_size": d, "intermediate_size": ff, "num_hidden_layers": layers,
            "num_attention_heads": heads, "num_key_value_heads": kv, **more}


def like(kind, *shape, **more):
    return llama(*shape, **more) | {"model_type": kind}


def qwen3(layers, d, heads, ff, tied):
    return like("qwen3", layers, d, heads, 8, ff, 151936, head_dim=128, attention_bias=False, tie_word_embeddings=tied)


def qwen3_moe(layers, d, heads, ff, moe):
    return like("qwen3_moe", layers, d, heads, 4, ff, 151936, head_dim=128, attention_bias=False, moe_intermediate_size=moe,
                num_experts=128, num_experts_per_tok=8, decoder_sparse_step=1, mlp_only_layers=[], tie_word_embeddings=False)


def olmo2(layers, d, heads, kv, ff):
    return like("olmo2", layers, d, heads, kv, ff, 100352, attention_bias=False, tie_word_embeddings=False)


def neox(layers, d, heads, vocab):
    return {"model_type": "gpt_neox", "vocab_size": vocab, "hidden_size": d, "intermediate_size": 4 * d, "num_hidden_layers": layers,
            "num_attention_heads": heads, "use_parallel_residual": True, "tie_word_embeddings": False}


def bloom(layers, d, heads):
    return {"model_type": "bloom", "vocab_size": 250880, "n_embed": d, "n_layer": layers, "num_attention_heads": heads}


def phi(layers, d, heads, ff):
    return {"model_type": "phi", "vocab_size": 51200, "hidden_size": d, "intermediate_size": ff, "num_hidden_layers": layers,
            "num_attention_heads": heads, "qk_layernorm": False, "tie_word_embeddings": False}


def gpt_oss(layers, experts):
    return like("gpt_oss", layers, 2880, 64, 8, 2880, 201088, head_dim=64, attention_bias=True, num_local_experts=experts,
                num_experts_per_tok=4, tie_word_embeddings=False)


def llama4(experts, step):
    return like("llama4_text", 48, 5120, 40, 8, 8192, 202048, head_dim=128, intermediate_size_mlp=16384, num_local_experts=experts,
                num_experts_per_tok=1, interleave_moe_layer_step=step, attention_bias=False, tie_word_embeddings=False)


V3 = {"model_type": "deepseek_v3", "vocab_size": 129280, "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048,
      "num_hidden_layers": 61, "num_nextn_predict_layers": 1, "num_attention_heads": 128, "num_key_value_heads": 128, "n_shared_experts": 1,
      "n_routed_experts": 256, "num_experts_per_tok": 8, "n_group": 8, "topk_group": 4, "first_k_dense_replace": 3, "moe_layer_freq": 1,
      "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
      "attention_bias": False, "tie_word_embeddings": False}
V3_WHY = "e_score_correction_bias, 58 layers of 256, is a buffer"
MTP_WHY = V3_WHY + "; the next-token prediction layer is not built"

# Name, config, exact count, active count, and why the model built has another one.
PRESETS = [
    ("gpt2", gpt2(12, 768, 12), 124439808),
    ("gpt2-medium", gpt2(24, 1024, 16), 354823168),
    ("gpt2-large", gpt2(36, 1280, 20), 774030080),
    ("gpt2-xl", gpt2(48, 1600, 25), 1557611200),
    ("gpt-3-175b", gpt2(96, 12288, 96, 2048), 174604259328),
    ("llama-2-7b", llama(32, 4096, 32, 32, 11008, 32000, tie_word_embeddings=False), 6738415616),
    ("llama-2-13b", llama(40, 5120, 40, 40, 13824, 32000, tie_word_embeddings=False), 13015864320),
    ("llama-2-70b", llama(80, 8192, 64, 8, 28672, 32000, tie_word_embeddings=False), 68976648192),
    ("llama-3.1-8b", llama(32, 4096, 32, 8, 14336, 128256, tie_word_embeddings=False), 8030261248),
    ("llama-3.1-70b", llama(80, 8192, 64, 8, 28672, 128256, tie_word_embeddings=False), 70553706496),
    ("llama-3.1-405b", llama(126, 16384, 128, 8, 53248, 128256, tie_word_embeddings=False), 405853388800),
    ("llama-3.2-1b", llama(16, 2048, 32, 8, 8192, 128256, head_dim=64, tie_word_embeddings=True), 1235814400),
    ("llama-3.2-3b", llama(28, 3072, 24, 8, 8192, 128256, head_dim=128, tie_word_embeddings=True), 3212749824),
    ("deepseek-v3", V3, 671026419200, 37552297472, MTP_WHY),
    ("qwen3-0.6b", qwen3(28, 1024, 16, 3072, True), 596049920),
    ("qwen3-1.7b", qwen3(28, 2048, 16, 6144, True), 1720574976),
    ("qwen3-4b", qwen3(36, 2560, 32, 9728, True), 4022468096),
    ("qwen3-8b", qwen3(36, 4096, 32, 12288, False), 8190735360),
    ("qwen3-14b", qwen3(40, 5120, 40, 17408, False), 14768307200),
    ("qwen3-32b", qwen3(64, 5120, 64, 25600, False), 32762123264),
    ("qwen3-30b-a3b", qwen3_moe(48, 2048, 32, 6144, 768), 30532122624, 3353032704),
    ("qwen3-235b-a22b", qwen3_moe(94, 4096, 64, 12288, 1536), 235093634560, 22190763520),
    ("olmo-2-1b", olmo2(16, 2048, 16, 16, 8192), 1484916736),
    ("olmo-2-7b", olmo2(32, 4096, 32, 32, 11008), 7298617344),
    ("olmo-2-13b", olmo2(40, 5120, 40, 40, 13824), 13716198400),
    ("olmo-2-32b", olmo2(64, 5120, 40, 8, 27648), 32234279936),
]

FALCON = {"model_type": "falcon", "vocab_size": 65024, "alibi": False, "bias": False, "parallel_attn": True}

BEYOND = [
    ("mistral-7b-v0.1", "litgpt", like("mistral", 32, 4096, 32, 8, 14336, 32000, sliding_window=4096, tie_word_embeddings=False)),
    ("mistral-nemo-12b", "kevinstephano/thunder_model_blocks", like("mistral", 40, 5120, 32, 8, 14336, 131072, head_dim=128,
                                                                        tie_word_embeddings=False)),
    ("mixtral-8x7b", "litgpt", like("mixtral", 32, 4096, 32, 8, 14336, 32000, num_local_experts=8, num_experts_per_tok=2,
                                    tie_word_embeddings=False)),
    ("mixtral-8x22b", "litgpt", like("mixtral", 56, 6144, 48, 8, 16384, 32768, num_local_experts=8, num_experts_per_tok=2,
                                     tie_word_embeddings=False)),
    ("qwen2-0.5b", "rwth-i6/i6_experiments", like("qwen2", 24, 896, 14, 2, 4864, 151936, tie_word_embeddings=True)),
    ("qwen2-7b", "Retruth/deontic", like("qwen2", 28, 3584, 28, 4, 18944, 152064, tie_word_embeddings=False)),
    ("qwen1.5-moe-a2.7b", "class", like("qwen2_moe", 24, 2048, 16, 16, 5632, 151936, moe_intermediate_size=1408, num_experts=60,
                                        shared_expert_intermediate_size=5632, num_experts_per_tok=4, decoder_sparse_step=1,
                                        tie_word_embeddings=False)),
    ("gemma-2b", "litgpt", like("gemma", 18, 2048, 8, 1, 16384, 256000, head_dim=256)),
    ("gemma-7b", "litgpt", like("gemma", 28, 3072, 16, 16, 24576, 256000, head_dim=256)),
    ("gemma-2-2b", "litgpt", like("gemma2", 26, 2304, 8, 4, 9216, 256000, head_dim=256)),
    ("gemma-2-9b", "litgpt", like("gemma2", 42, 3584, 16, 8, 14336, 256000, head_dim=256)),
    ("gemma-2-27b", "litgpt", like("gemma2", 46, 4608, 32, 16, 36864, 256000, head_dim=128)),
    ("gemma-3-1b", "litgpt", like("gemma3_text", 26, 1152, 4, 1, 6912, 262144, head_dim=256)),
    ("phi-1.5", "litgpt", phi(24, 2048, 32, 8192)),
    ("phi-2", "litgpt", phi(32, 2560, 32, 10240)),
    ("phi-3-mini", "litgpt", like("phi3", 32, 3072, 32, 32, 8192, 32064, tie_word_embeddings=False)),
    ("phi-4", "litgpt", like("phi3", 40, 5120, 40, 10, 17920, 100352, tie_word_embeddings=False)),
    ("pythia-70m", "litgpt", neox(6, 512, 8, 50304)),
    ("pythia-12b", "litgpt", neox(36, 5120, 40, 50688)),
    ("gpt-neox-20b", "class", neox(44, 6144, 64, 50432)),
    ("gpt-j-6b", "class", {"model_type": "gptj", "vocab_size": 50400, "n_positions": 2048, "n_embd": 4096, "n_layer": 28, "n_head": 16,
                           "n_inner": None, "rotary_dim": 64, "tie_word_embeddings": False}),
    ("opt-125m", "quoted", {"model_type": "opt", "vocab_size": 50272, "hidden_size": 768, "num_hidden_layers": 12, "ffn_dim": 3072,
                            "num_attention_heads": 12, "max_position_embeddings": 2048, "word_embed_proj_dim": 768,
                            "do_layer_norm_before": True}),
    ("opt-350m", "if001/alpaca-lora", {"model_type": "opt", "vocab_size": 50272, "hidden_size": 1024, "num_hidden_layers": 24,
                                       "ffn_dim": 4096, "num_attention_heads": 16, "max_position_embeddings": 2048,
                                       "word_embed_proj_dim": 512, "do_layer_norm_before": False}),
    ("bloom-560m", "if001/alpaca-lora", bloom(24, 1024, 16)),
    ("bloom-176b", "quoted", bloom(70, 14336, 112)),
    ("falcon-7b", "litgpt", FALCON | {"hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "multi_query": True,
                                      "new_decoder_architecture": False}),
    ("falcon-40b", "litgpt", FALCON | {"hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8,
                                       "new_decoder_architecture": True}),
    ("starcoder2-3b", "class", {"model_type": "starcoder2", "vocab_size": 49152, "hidden_size": 3072, "intermediate_size": 12288,
                                "num_hidden_layers": 30, "num_attention_heads": 24, "num_key_value_heads": 2, "use_bias": True}),
    ("stablelm-3b-4e1t", "litgpt", like("stablelm", 32, 2560, 32, 32, 6912, 50304, use_qkv_bias=False, tie_word_embeddings=False)),
    ("stablelm-2-1.6b", "memory", like("stablelm", 24, 2048, 32, 32, 5632, 100352, use_qkv_bias=True, tie_word_embeddings=False)),
    ("olmo-1b", "memory", like("olmo", 16, 2048, 16, 16, 8192, 50304, tie_word_embeddings=True)),
    ("olmo-7b", "litgpt", like("olmo", 32, 4096, 32, 32, 11008, 50304, tie_word_embeddings=False)),
    ("olmoe-1b-7b", "quoted", like("olmoe", 16, 2048, 16, 16, 1024, 50304, num_experts=64, num_experts_per_tok=8,
                                   tie_word_embeddings=False)),
    ("granite-3.0-8b", "quoted", like("granite", 40, 4096, 32, 8, 12800, 49155, attention_bias=False, mlp_bias=False,
                                      tie_word_embeddings=True)),
    ("smollm2-135m", "litgpt", llama(30, 576, 9, 3, 1536, 49152, tie_word_embeddings=True)),
    ("smollm2-360m", "litgpt", llama(32, 960, 15, 5, 2560, 49152, tie_word_embeddings=True)),
    ("tinyllama-1.1b", "litgpt", llama(22, 2048, 32, 4, 5632, 32000, tie_word_embeddings=False)),
    ("deepseek-v2-lite", "quoted", {
        "model_type": "deepseek_v2", "vocab_size": 102400, "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
        "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "n_shared_experts": 2, "n_routed_experts": 64,
        "num_experts_per_tok": 6, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1, "moe_layer_freq": 1, "q_lora_rank": None,
        "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "attention_bias": False,
        "tie_word_embeddings": False}),
    ("command-r-v01", "class", like("cohere", 40, 8192, 64, 64, 22528, 256000, use_qk_norm=False)),
    ("glm-4-9b-0414", "memory", like("glm4", 40, 4096, 32, 2, 13696, 151552, head_dim=128, attention_bias=True, tie_word_embeddings=False)),
    ("llama-4-scout-text", "class", llama4(16, 1)),
    ("llama-4-maverick-text", "quoted", llama4(128, 2)),
    ("gpt-oss-20b", "EchoCog/gpt-oss-20b", gpt_oss(24, 32)),
    ("gpt-oss-120b", "class", gpt_oss(36, 128)),
]


def seeded():
    """Small variants: odd numbers of heads, a head_dim of its own or none, tied or not, with and without biases."""
    r = random.Random(2026)

    def flip():
        return r.random() < 0.5

    def body(kind, **more):
        kv, group = r.choice([1, 2, 3]), r.choice([1, 3, 5])
        heads = kv * group
        config = like(kind, r.randint(1, 5), heads * 2 * r.randint(3, 17), heads, kv, r.randint(17, 300), r.randint(33, 999), **more)
        if flip():
            config["head_dim"] = 2 * r.randint(4, 33)
        config["tie_word_embeddings"] = flip()
        return config

    cases = [body("llama", attention_bias=flip(), mlp_bias=flip()) for _ in range(4)]
    cases[0].pop("num_key_value_heads")
    for _ in range(3):
        heads = r.choice([1, 3, 5, 7])
        config = gpt2(r.randint(1, 5), heads * r.randint(5, 30), heads, r.randint(7, 130)) | {"vocab_size": r.randint(33, 999)}
        cases.append(config | {"n_inner": r.choice([None, r.randint(17, 300)]), "tie_word_embeddings": flip()})
    cases += [body("qwen3", attention_bias=flip()) for _ in range(3)]
    for _ in range(4):
        experts = r.choice([2, 3, 5, 8])
        cases.append(body("mixtral", num_local_experts=experts, num_experts_per_tok=r.randint(1, experts)))
    for rank in (None, 24, 37):
        experts, layers = r.choice([3, 4, 9]), r.randint(2, 5)
        cases.append({"model_type": "deepseek_v3", "vocab_size": r.randint(33, 999), "hidden_size": r.randint(17, 201),
                      "intermediate_size": r.randint(17, 300), "moe_intermediate_size": r.randint(7, 99), "num_hidden_layers": layers,
                      "num_attention_heads": r.choice([3, 4, 5]), "n_shared_experts": r.randint(1, 3), "n_routed_experts": experts,
                      "num_experts_per_tok": r.randint(1, experts), "n_group": 1, "topk_group": 1,
                      "first_k_dense_replace": r.randint(0, layers - 1), "q_lora_rank": rank, "kv_lora_rank": r.randint(9, 65),
                      "qk_nope_head_dim": 2 * r.randint(4, 17), "qk_rope_head_dim": 2 * r.randint(2, 9), "v_head_dim": r.randint(5, 33),
                      "attention_bias": flip(), "tie_word_embeddings": flip()})
    cases += [body("gemma2", attention_bias=flip()) for _ in range(3)]
    cases.append(body("qwen3_moe", moe_intermediate_size=40, num_experts=6, num_experts_per_tok=2, decoder_sparse_step=2,
                      mlp_only_layers=[1]) | {"num_hidden_layers": 6})
    cases.append(body("qwen2_moe", moe_intermediate_size=24, shared_expert_intermediate_size=51, num_experts=5, num_experts_per_tok=3,
                      decoder_sparse_step=1, mlp_only_layers=[0]) | {"num_hidden_layers": 3})
    return [(f"small-{c['model_type']}-{i}", "seeded", c) for i, c in enumerate(cases)]


def component(name):
    return next(what for what, pattern in COMPONENTS if re.search(pattern, name))


def count(name, source, config):
    built = CONFIG_MAPPING[config["model_type"]].from_dict(dict(config))
    if source == "class":
        filled = CONFIG_MAPPING[config["model_type"]]()
        assert all(getattr(filled, key) == getattr(built, key) for key in config), name
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(built)
    components, layers, sizes = {}, set(), set()
    for path, x in model.named_parameters():
        what = component(path)
        components[what] = components.get(what, 0) + x.numel()
        if what == "experts":
            layers.add(path.split(".experts.")[0])
            sizes.add(x.shape[0])
    total = sum(x.numel() for x in model.parameters())
    assert total == sum(components.values())
    held = model.state_dict()
    tied = model.get_output_embeddings().weight is model.get_input_embeddings().weight
    assert tied or components["lm_head"] > 0
    case = {"name": name, "source": source, "config": config, "parameters": total,
            "buffers": sum(x.numel() for path, x in model.named_buffers() if path in held), "tied": tied,
            "components": {what: components[what] for what, _ in COMPONENTS if what in components}}
    active = total
    if layers:
        (n,), k = sizes, built.num_experts_per_tok
        assert components["experts"] % n == 0
        active -= components["experts"] // n * (n - k)
        case["routed"] = {"layers": len(layers), "experts": n, "top_k": k}
    lookups = components.get("position_embedding", 0) + (0 if tied else components["token_embedding"])
    return case | {"active": active, "active_without_embedding": active - lookups}


models = []
for name, config, exact, *rest in PRESETS:
    case = count(name, "models.md", config) | {"preset": exact}
    if rest:
        case["preset_active"] = rest[0]
    if case["parameters"] != exact:
        assert rest[1:] and exact - case["parameters"] == case["buffers"], (name, case)
        case["difference"] = {"parameters": case["parameters"] - exact, "why": rest[1]}
    models.append(case)
for name, source, config in BEYOND + seeded():
    models.append(count(name, source, config))

kinds = sorted({m["config"]["model_type"] for m in models})
defaults = {}
for kind in kinds:
    fields = CONFIG_MAPPING[kind].__dataclass_fields__
    defaults[kind] = {key: fields[key].default for key in DEFAULTS if key in fields}

write(__file__, {"versions": {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__},
                 "conventions": CONVENTIONS, "defaults": defaults, "models": models})
