"""Names that are outside what Napkin has: what each of them is, and the nearest thing that is there.

docs/scope.md has the same table, and a test compares them.
"""

import sys

# Names, what they are, the nearest. In front of a colon stands the module that all names of the line are in.
TABLE = """
torch.optim: LBFGS | a quasi-Newton optimizer | torch.optim.AdamW
torch.optim: ASGD Adadelta Adafactor Adamax NAdam RAdam Rprop SparseAdam | an optimizer that few language models use | torch.optim.AdamW
torch.optim: swa_utils | averages of weights | a loop with torch.Tensor.lerp_
torch.optim.lr_scheduler: ChainedScheduler CyclicLR MultiStepLR MultiplicativeLR PolynomialLR | a schedule | torch.optim.lr_scheduler.LambdaLR
torch.nn: Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Fold Unfold | a convolution | torch.nn.Linear over torch.Tensor.unfold
torch.nn.functional: conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d fold unfold | a convolution | torch.nn.functional.linear over torch.Tensor.unfold
torch: conv1d conv2d conv3d | a convolution | torch.nn.functional.linear over torch.Tensor.unfold
torch.nn: AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool2d AvgPool1d AvgPool2d MaxPool1d MaxPool2d | pooling | einops.reduce
torch.nn.functional: adaptive_avg_pool1d adaptive_avg_pool2d avg_pool1d avg_pool2d max_pool1d max_pool2d | pooling | einops.reduce
torch.nn: ChannelShuffle PixelShuffle PixelUnshuffle Upsample | a rearrangement of images | einops.rearrange
torch.nn.functional: channel_shuffle interpolate pixel_shuffle pixel_unshuffle upsample | a rearrangement of images | einops.rearrange
torch.nn: CircularPad1d CircularPad2d ConstantPad1d ConstantPad2d ReflectionPad1d ReflectionPad2d ReplicationPad2d ZeroPad2d | padding | torch.nn.functional.pad
torch.nn: BatchNorm2d BatchNorm3d GroupNorm InstanceNorm1d InstanceNorm2d LocalResponseNorm SyncBatchNorm | a norm of images | torch.nn.LayerNorm, torch.nn.RMSNorm or torch.nn.BatchNorm1d
torch.nn.functional: group_norm instance_norm local_response_norm | a norm of images | torch.nn.functional.layer_norm
torch.nn: GRU GRUCell LSTM LSTMCell RNN RNNCell | a recurrent net | torch.nn.Linear in a loop over time
torch.nn: LazyLinear LazyConv1d LazyConv2d LazyBatchNorm1d | a module that waits for its sizes | torch.nn.Linear
torch.nn: Transformer TransformerDecoder TransformerDecoderLayer | a decoder that looks at an encoder | torch.nn.TransformerEncoderLayer with a mask, or torch.nn.MultiheadAttention
torch.nn: Bilinear EmbeddingBag CosineSimilarity PairwiseDistance | a layer that language models do without | torch.nn.Linear and torch.nn.Embedding
torch.nn: ParameterDict | parameters by names | torch.nn.ParameterList or torch.nn.Module.register_parameter
torch.nn.Module: register_full_backward_hook register_full_backward_pre_hook | a hook on the way back | torch.Tensor.register_hook
torch.nn: AlphaDropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout | another dropout | torch.nn.Dropout
torch.nn: CELU Hardshrink Hardsigmoid Hardswish Mish PReLU RReLU ReLU6 SELU Softmin Softshrink Softsign Tanhshrink Threshold | another activation | torch.nn.GELU, torch.nn.SiLU or torch.nn.LeakyReLU
torch.nn.functional: celu gumbel_softmax hardshrink hardsigmoid hardswish mish prelu relu6 rrelu selu softmin softshrink softsign tanhshrink threshold | another activation | torch.nn.functional.gelu, silu or leaky_relu
torch.nn: CTCLoss CosineEmbeddingLoss GaussianNLLLoss HingeEmbeddingLoss MarginRankingLoss MultiMarginLoss PoissonNLLLoss SoftMarginLoss TripletMarginLoss | another loss | torch.nn.CrossEntropyLoss or torch.nn.MSELoss
torch.nn.functional: cosine_embedding_loss ctc_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss poisson_nll_loss soft_margin_loss triplet_margin_loss | another loss | torch.nn.functional.cross_entropy or mse_loss
torch.nn.functional: alpha_dropout bilinear embedding_bag pairwise_distance pdist | a function that language models do without | torch.nn.functional.dropout, linear, embedding and normalize
torch.nn.init: dirac_ orthogonal_ sparse_ | another way to begin | torch.nn.init.trunc_normal_ or xavier_uniform_
torch.nn.utils: parametrizations parametrize prune rnn weight_norm spectral_norm | a change of how a module keeps its weights | a torch.nn.Module of your own
torch.nn.parallel: DataParallel DistributedDataParallel | training on several devices | a loop on one device
torch.distributed: init_process_group destroy_process_group | training on several devices | a loop on one device
torch: distributions | distributions with densities | torch.randn, torch.multinomial and torch.log_softmax
torch: special digamma erfc erfinv i0 lgamma mvlgamma polygamma | a special function | torch.erf
torch: func vmap | functions of functions | torch.autograd.grad with create_graph=True
torch.autograd: functional | Jacobians and Hessians as functions | torch.autograd.grad with create_graph=True
torch.autograd: gradcheck gradgradcheck | a test of derivatives | torch.allclose with finite differences in float64
torch.autograd: detect_anomaly set_detect_anomaly | a search for the first number that is none | torch.isfinite in a hook of torch.Tensor.register_hook
torch.autograd.function: once_differentiable | a mark of derivatives without one | torch.autograd.Function
torch.linalg: cholesky cond det eig eigh eigvals eigvalsh inv lstsq lu matrix_exp matrix_power matrix_rank pinv qr slogdet solve solve_triangular svd svdvals | a factorization or a solver | torch.linalg.norm and products of matrices
torch: cholesky det inverse logdet lu matrix_exp matrix_power pinverse qr slogdet svd triangular_solve | a factorization or a solver | torch.linalg.norm and products of matrices
torch: bartlett_window blackman_window fft hamming_window hann_window istft stft | signal processing | torch.sin and torch.matmul
torch: binomial poisson | random counts | torch.bernoulli and torch.multinomial
torch: asinh acosh atanh copysign frac gcd heaviside hypot lcm ldexp logaddexp logit nextafter signbit sinc xlogy | a function that few programs use | torch.log, torch.exp, torch.where and arithmetic
torch: aminmax bucketize cdist corrcoef cov cummax cummin dist gradient histc histogram kthvalue logcumsumexp mode nanmean nanmedian nansum quantile trapezoid unique_consecutive | a statistic that few programs use | torch.sort, torch.cumsum, torch.bincount and torch.topk
torch: index_copy index_fill index_reduce masked_scatter put scatter_reduce select_scatter slice_scatter diagonal_scatter fill_diagonal_ | a way to write to places | torch.Tensor.scatter_, torch.Tensor.index_put_ or an assignment
torch: addbmm addmv addr chain_matmul cross ger vander vdot | a product that few programs use | torch.matmul, torch.outer and torch.einsum
torch: atleast_1d atleast_2d atleast_3d block_diag cartesian_prod column_stack combinations diag_embed diagflat dsplit dstack empty_strided fliplr flipud hsplit kron msort resize_ rot90 set_ squeeze_ t_ take_along_dim transpose_ unravel_index unsqueeze_ vsplit | a rearrangement that few programs use | torch.stack, torch.flip, torch.gather and einops.rearrange
torch: complex64 complex128 view_as_complex polar | complex numbers | torch.sin and torch.cos on pairs of numbers
torch: sparse sparse_coo_tensor quantization quantize_per_tensor | tensors that are stored in another way | torch.Tensor.to with a smaller dtype
torch: channels_last channels_last_3d | an order of images in memory | torch.Tensor.permute
torch: frombuffer logspace | a way to make tensors | torch.tensor, torch.linspace and torch.pow
torch: jit export onnx fx | compiling and exporting programs | torch.compile, which runs a program as it is
torch: hub multiprocessing | what needs a network or processes | torch.load
torch: profiler | a profiler | torch.utils.flop_counter.FlopCounterMode, or a trace of napkin
torch: testing | assertions about tensors | torch.allclose
torch.utils.data: ChainDataset ConcatDataset StackDataset | several data sets as one | a torch.utils.data.Dataset of your own
torch.utils.data: SubsetRandomSampler WeightedRandomSampler DistributedSampler | another order of examples | torch.utils.data.RandomSampler or a Sampler of your own
torch.utils.checkpoint: checkpoint_sequential | checkpoints of a row of modules | torch.utils.checkpoint.checkpoint for each
torch.utils: tensorboard | a record of a training run | print, or a trace of napkin
einops: pack unpack parse_shape | joining along axes | einops.rearrange and torch.cat
einops.layers.torch: EinMix | a product with a weight by the names of axes | einops.einsum
numpy.random: RandomState default_rng Generator PCG64 | a generator of its own | numpy.random.seed and numpy.random.rand
numpy: linalg | factorizations and solvers | torch.linalg.norm
numpy: fft polynomial | what goes beyond simple arrays | functions of torch
numpy: load save savez loadtxt savetxt | NumPy's own files | numpy.memmap, numpy.fromfile and torch.save
torchvision | images and models of them | data made on the spot in a torch.utils.data.Dataset
matplotlib | drawings | napkin.show.plot
tiktoken | a tokenizer | a byte-pair encoding of your own with re and collections
regex | another engine of regular expressions | re
transformers | published models | a torch.nn.Module of your own
datasets | published data | a torch.utils.data.Dataset of your own
tqdm | a bar of progress | print
pandas | tables | lists, dicts and numpy
scipy | scientific computing | torch
sklearn | machine learning without gradients | torch
threading | threads | a loop
multiprocessing | processes | a loop
logging | messages with levels | print
decimal | decimal numbers | float and round
fractions | fractions | math.gcd
statistics | statistics of lists | torch.mean and torch.std
tempfile | files of no name | open and os.remove
glob | paths that fit a pattern | os.listdir and fnmatch
pathlib | paths as objects | os.path and open
"""
_ROOTS = {"torch": "PyTorch", "numpy": "NumPy", "einops": "einops", "jaxtyping": "jaxtyping", "safetensors": "safetensors"}
_rows = {}


def rows():
    """Of each name what it is, and the nearest."""
    if not _rows:
        for line in TABLE.strip().splitlines():
            names, what, nearest = line.split(" | ")
            module, _, listed = names.rpartition(": ")
            for name in listed.split():
                _rows[f"{module}.{name}" if module else name] = what, nearest
    return _rows


def sentence(name, shown=None):
    """What there is to say of a name in the table, or below one; None of others."""
    known = name
    while known and known not in rows():
        known = known.rpartition(".")[0]
    if not known:
        return None
    what, nearest = rows()[known]
    library = _ROOTS.get(name.partition(".")[0])
    of = f" of {library}" if library else ""
    return f"{shown or known} ({what}) is outside what Napkin has{of}; the nearest is {nearest}. See docs/scope.md."


def _other(name):
    return f"What of {_ROOTS[name.partition('.')[0]]} is there, and what is not, stands in docs/scope.md."


def lacking(owner, name, *known):
    """The error of an object that has no such attribute, which stands in the table by one of those names."""
    kind = type(owner).__name__
    told = next(filter(None, (sentence(it, f"torch.{kind}.{name}") for it in known)), None)
    return AttributeError(told or f"{kind!r} object has no attribute {name!r}. {_other('torch')}")


def refused(name):
    """What can be imported by that name, and says so when it is called."""

    def call(*args, **kwargs):
        raise NotImplementedError(sentence(name))

    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    return call


def guard(module):
    """From now on the module says of names that it lacks what they are."""

    def missing(name):
        full = f"{module}.{name}"
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise AttributeError(sentence(full) or f"module {module!r} has no attribute {name!r}. {_other(full)}")

    names = vars(sys.modules[module])
    names["__getattr__"] = missing
    # What is imported from a package is looked for by the finder below, and so its sentence is heard.
    names.setdefault("__path__", [])


class Finder:
    """Finds nothing, and says why; all others have been asked before."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        told = sentence(name)
        if told is None and "." in name and name.partition(".")[0] in _ROOTS:
            told = f"No module named {name!r}. {_other(name)}"
        if told is not None:
            raise ModuleNotFoundError(told)
        return None


sys.meta_path.append(Finder)
