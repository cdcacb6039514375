//! Every differentiable operation, with arguments to try it on.

use napkin_engine::autograd::checkpoint;
use napkin_engine::nn::functional::{self, Attention, CrossEntropy, Gelu, LossReduction};
use napkin_engine::random::Generator;
use napkin_engine::tensor::{Index, Rounding};
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use pollster::block_on;

/// Where an operation is smooth.
#[derive(Clone, Copy)]
pub enum Domain {
    /// From −2 to 2, away from whole and half numbers.
    Any,
    /// From 0.3 to 2.
    Positive,
    /// From −0.9 to 0.9, away from 0.
    Unit,
}
use Domain::{Any, Positive, Unit};

/// The shape of an argument, and where it lies.
pub type Input = (&'static [usize], Domain);

pub type Function = fn(&[Tensor]) -> Result<Tensor>;

/// Elementwise: all shapes, the second and third argument broadcast.
pub const ELEMENTWISE: &[(&str, &[Domain], Function)] = &[
    ("add", &[Any, Any], |t| t[0].add(&t[1])),
    ("sub", &[Any, Any], |t| t[0].sub(&t[1])),
    ("rsub", &[Any], |t| t[0].rsub(2.5)),
    ("rsub by tensor", &[Any, Any], |t| t[0].rsub(&t[1])),
    ("mul", &[Any, Any], |t| t[0].mul(&t[1])),
    ("mul by itself", &[Any], |t| t[0].mul(&t[0])),
    ("div", &[Any, Positive], |t| t[0].div(&t[1])),
    ("pow", &[Positive, Any], |t| t[0].pow(&t[1])),
    ("a number to a power", &[Any], |t| t[0].rpow(2.5.into())),
    ("pow 3", &[Any], |t| t[0].pow(3.0)),
    ("pow -1.5", &[Positive], |t| t[0].pow(-1.5)),
    ("pow 0", &[Any], |t| t[0].pow(0.0)?.add(&t[0])),
    ("remainder", &[Any], |t| t[0].remainder(0.7)),
    ("remainder by tensor", &[Unit, Positive], |t| t[0].remainder(&t[1].add(1.0)?)),
    ("fmod", &[Any], |t| t[0].fmod(0.7)),
    ("fmod by tensor", &[Unit, Positive], |t| t[0].fmod(&t[1].add(1.0)?)),
    ("div rounded", &[Any, Positive], |t| t[0].div_rounded(1.0, Rounding::Floor)?.mul(&t[1])?.add(&t[0])),
    ("maximum", &[Any, Any], |t| t[0].maximum(&t[1])),
    ("minimum", &[Any, Any], |t| t[0].minimum(&t[1])),
    ("fmax", &[Any, Any], |t| t[0].fmax(&t[1])),
    ("fmin", &[Any, Any], |t| t[0].fmin(&t[1])),
    ("atan2", &[Any, Any], |t| t[0].atan2(&t[1])),
    ("where", &[Any, Any], |t| t[0].detach().gt(0)?.where_(&t[0], &t[1])),
    ("lerp", &[Any, Any], |t| t[0].lerp(&t[1], 0.3)),
    ("lerp by tensor", &[Any, Any, Unit], |t| t[0].lerp(&t[1], &t[2])),
    ("addcmul", &[Any, Any, Any], |t| t[0].addcmul(&t[1], &t[2], -0.5)),
    ("addcdiv", &[Any, Any, Positive], |t| t[0].addcdiv(&t[1], &t[2], 2.0)),
    ("neg", &[Any], |t| t[0].neg()),
    ("abs", &[Any], |t| t[0].abs()),
    ("sqrt", &[Positive], |t| t[0].sqrt()),
    ("rsqrt", &[Positive], |t| t[0].rsqrt()),
    ("reciprocal", &[Positive], |t| t[0].reciprocal()),
    ("exp", &[Any], |t| t[0].exp()),
    ("exp2", &[Any], |t| t[0].exp2()),
    ("expm1", &[Any], |t| t[0].expm1()),
    ("log", &[Positive], |t| t[0].log()),
    ("log2", &[Positive], |t| t[0].log2()),
    ("log10", &[Positive], |t| t[0].log10()),
    ("log1p", &[Positive], |t| t[0].log1p()),
    ("sin", &[Any], |t| t[0].sin()),
    ("cos", &[Any], |t| t[0].cos()),
    ("tan", &[Unit], |t| t[0].tan()),
    ("asin", &[Unit], |t| t[0].asin()),
    ("acos", &[Unit], |t| t[0].acos()),
    ("atan", &[Any], |t| t[0].atan()),
    ("sinh", &[Any], |t| t[0].sinh()),
    ("cosh", &[Any], |t| t[0].cosh()),
    ("tanh", &[Any], |t| t[0].tanh()),
    ("sigmoid", &[Any], |t| t[0].sigmoid()),
    ("erf", &[Any], |t| t[0].erf()),
    ("relu", &[Any], |t| t[0].relu()),
    ("floor", &[Any], |t| t[0].floor()),
    ("ceil", &[Any], |t| t[0].ceil()?.mul(&t[0])),
    ("trunc", &[Any], |t| t[0].trunc()?.mul(&t[0])),
    ("round", &[Any], |t| t[0].round()?.mul(&t[0])),
    ("sign", &[Any], |t| t[0].sign()?.mul(&t[0])),
    ("clamp", &[Any], |t| t[0].clamp(Some((-0.75).into()), Some(1.25.into()))),
    ("gelu", &[Any], |t| functional::gelu(&t[0], Gelu::Exact)),
    ("gelu by tanh", &[Any], |t| functional::gelu(&t[0], Gelu::Tanh)),
    ("silu", &[Any], |t| functional::silu(&t[0])),
    ("softplus", &[Any], |t| functional::softplus(&t[0], 2.0, 1.5)),
    ("logsigmoid", &[Any], |t| functional::logsigmoid(&t[0])),
    ("leaky_relu", &[Any], |t| functional::leaky_relu(&t[0], 0.1)),
    ("elu", &[Any], |t| functional::elu(&t[0], 0.7)),
    ("hardtanh", &[Any], |t| functional::hardtanh(&t[0], (-0.75).into(), 1.25.into())),
    ("masked_fill", &[Any], |t| t[0].masked_fill(&t[0].detach().gt(0)?, 3.0)),
    ("copy", &[Any], |t| t[0].copy()),
    ("contiguous", &[Any], |t| t[0].contiguous()),
    ("mse_loss", &[Any, Any], |t| functional::mse_loss(&t[0], &t[1], LossReduction::Mean)),
    ("sum", &[Any], |t| t[0].sum()),
    ("mean", &[Any], |t| t[0].mean()),
    ("prod", &[Any], |t| t[0].prod(None, false)),
    ("norm", &[Any], |t| t[0].norm(&[], false)),
    ("max", &[Any], |t| t[0].max()),
    ("min", &[Any], |t| t[0].min()),
    ("median", &[Any], |t| t[0].median()),
    ("logsumexp", &[Any], |t| t[0].logsumexp(&[], false)),
    ("amax", &[Any], |t| t[0].amax(&[], false)),
    ("add in place", &[Any, Any], |t| after(&t[0], |x| x.add_(&t[1]))),
    ("sub in place", &[Any, Any], |t| after(&t[0], |x| x.sub_(&t[1]))),
    ("mul in place", &[Any, Any], |t| after(&t[0], |x| x.mul_(&t[1]))),
    ("div in place", &[Any, Positive], |t| after(&t[0], |x| x.div_(&t[1]))),
    ("pow in place", &[Positive, Any], |t| after(&t[0], |x| x.pow_(&t[1]))),
    ("exp in place", &[Any], |t| after(&t[0], Tensor::exp_)),
    ("sigmoid in place", &[Any], |t| after(&t[0], Tensor::sigmoid_)),
    ("copy in place", &[Any, Any], |t| after(&t[0], |x| x.copy_(&t[1]))),
    ("fill in place", &[Any], |t| after(&t[0], |x| x.fill_(2.0))),
    ("zero in place", &[Any], |t| after(&t[0], Tensor::zero_)?.add(&t[0])),
    ("masked_fill in place", &[Any], |t| after(&t[0], |x| x.masked_fill_(&x.detach().gt(0)?, 2.0))),
    ("clamp in place", &[Any], |t| after(&t[0], |x| x.clamp_(None, Some(0.75.into())))),
];

/// Of a tensor (2, 3, 4) and, where there are more, of what fits.
pub const SHAPED: &[(&str, &[Input], Function)] = &[
    ("sum", &[(B, Any)], |t| t[0].sum_dims(&[0, -1], true)),
    ("mean", &[(B, Any)], |t| t[0].mean_dims(&[1], false)),
    ("prod", &[(B, Any)], |t| t[0].prod(Some(1), true)),
    ("var", &[(B, Any)], |t| t[0].var(&[0, 2], 1.0, false)),
    ("std", &[(B, Any)], |t| t[0].std(&[1], 0.0, true)),
    ("std_mean", &[(B, Any)], |t| t[0].std_mean(&[1], 1.0, true).and_then(|(s, m)| s.mul(&m))),
    ("var_mean", &[(B, Any)], |t| t[0].var_mean(&[2], 1.0, false).and_then(|(v, m)| v.mul(&m))),
    ("norm", &[(B, Any)], |t| t[0].norm(&[1], false)),
    ("vector_norm", &[(B, Any)], |t| t[0].vector_norm(3.0, &[1], false)),
    ("logsumexp", &[(B, Any)], |t| t[0].logsumexp(&[1], false)),
    ("amax", &[(B, Any)], |t| t[0].amax(&[1, 2], false)),
    ("amin", &[(B, Any)], |t| t[0].amin(&[0], true)),
    ("max with places", &[(B, Any)], |t| Ok(t[0].max_dim(1, false)?.0)),
    ("min with places", &[(B, Any)], |t| Ok(t[0].min_dim(-1, true)?.0)),
    ("median with places", &[(B, Any)], |t| Ok(t[0].median_dim(2, false)?.0)),
    ("cumsum", &[(B, Any)], |t| t[0].cumsum(1)),
    ("cumprod", &[(B, Any)], |t| t[0].cumprod(2)),
    ("sort", &[(B, Any)], |t| Ok(t[0].sort(1, true)?.0)),
    ("topk", &[(B, Any)], |t| Ok(t[0].topk(2, 2, true)?.0)),
    ("softmax", &[(B, Any)], |t| functional::softmax(&t[0], 1)),
    ("log_softmax", &[(B, Any)], |t| functional::log_softmax(&t[0], -1)),
    ("layer_norm", &[(B, Any), (&[4], Any), (&[4], Any)], |t| {
        functional::layer_norm(&t[0], &[4], Some(&t[1]), Some(&t[2]), 1e-5)
    }),
    ("rms_norm", &[(B, Any), (&[4], Any)], |t| functional::rms_norm(&t[0], &[4], Some(&t[1]), Some(1e-5))),
    ("linear of a matrix", &[(&[3, 4], Any), (&[5, 4], Any)], |t| functional::linear(&t[0], &t[1], None)),
    ("linear", &[(B, Any), (&[5, 4], Any), (&[5], Any)], |t| functional::linear(&t[0], &t[1], Some(&t[2]))),
    ("attention", &[(B, Any), (B, Any), (B, Any)], |t| {
        let how = Attention { is_causal: true, ..Attention::default() };
        functional::scaled_dot_product_attention(&t[0], &t[1], &t[2], how)
    }),
    ("attention of heads", &[(HEADS, Any), (HEADS, Any), (HEADS, Any)], |t| {
        functional::scaled_dot_product_attention(&t[0], &t[1], &t[2], Attention::default())
    }),
    ("cross_entropy", &[(&[3, 4], Any)], |t| {
        functional::cross_entropy(&t[0], &whole(&[3, 0, 2]), LossReduction::Mean)
    }),
    ("cross_entropy, weighed and smoothed", &[(&[3, 4, 2], Any)], |t| {
        let weight = real([0.5, 2.0, 1.5, 1.0], &[4]);
        let how = CrossEntropy {
            weight: Some(&weight),
            ignore_index: 1,
            reduction: LossReduction::None,
            label_smoothing: 0.2,
        };
        functional::cross_entropy(&t[0], &whole(&[3, 0, 2, 1, 0, 1]).view(&[3, 2])?, how)
    }),
    ("attention with a mask", &[(B, Any), (B, Any), (B, Any), (&[3, 3], Any)], |t| {
        let how = Attention { attn_mask: Some(&t[3]), scale: Some(0.7), ..Attention::default() };
        functional::scaled_dot_product_attention(&t[0], &t[1], &t[2], how)
    }),
    ("dropout", &[(B, Any)], |t| functional::dropout(&t[0], 0.4, true, &mut Generator::new(3))),
    ("checkpoint", &[(B, Any), (B, Any)], |t| {
        let f = |t: &[Tensor]| functional::softmax(&t[0].mul(&t[1])?.tanh()?, -1);
        checkpoint(f, t)
    }),
    ("embedding", &[(&[3, 4], Any)], |t| t[0].embedding(&whole(&[2, 0, 2, 2]))),
    ("matmul", &[(B, Any), (&[4, 5], Any)], |t| t[0].matmul(&t[1])),
    ("matmul broadcast", &[(B, Any), (&[3, 1, 4, 2], Any)], |t| t[0].matmul(&t[1])),
    ("mv", &[(&[3, 4], Any), (&[4], Any)], |t| t[0].matmul(&t[1])),
    ("matmul of vectors", &[(&[3], Any), (&[2, 3, 4], Any)], |t| t[0].matmul(&t[1])),
    ("mm", &[(&[3, 4], Any), (&[4, 2], Any)], |t| t[0].mm(&t[1])),
    ("bmm", &[(B, Any), (&[2, 4, 2], Any)], |t| t[0].bmm(&t[1])),
    ("mv", &[(&[3, 4], Any), (&[4], Any)], |t| t[0].mv(&t[1])),
    ("dot", &[(&[4], Any), (&[4], Any)], |t| t[0].dot(&t[1])),
    ("outer", &[(&[3], Any), (&[4], Any)], |t| t[0].outer(&t[1])),
    ("addmm", &[(&[2], Any), (&[3, 4], Any), (&[4, 2], Any)], |t| t[0].addmm(&t[1], &t[2], 0.5, -2.0)),
    ("baddbmm", &[(&[3, 1], Any), (B, Any), (&[2, 4, 2], Any)], |t| t[0].baddbmm(&t[1], &t[2], 2.0, 0.5)),
    ("view", &[(B, Any)], |t| t[0].contiguous()?.view(&[6, -1])),
    ("reshape", &[(B, Any)], |t| t[0].reshape(&[4, 6])),
    ("permute", &[(B, Any)], |t| t[0].permute(&[2, 0, 1])),
    ("movedim", &[(B, Any)], |t| t[0].movedim(&[0], &[2])),
    ("expand", &[(&[3, 1], Any)], |t| t[0].expand(&[2, 3, 4])),
    ("squeeze", &[(&[3, 1], Any)], |t| t[0].squeeze(None)?.unsqueeze(0)),
    ("squeeze of one", &[(&[3, 1], Any)], |t| t[0].squeeze(Some(1))),
    ("transpose", &[(B, Any)], |t| t[0].transpose(0, -1)),
    ("t", &[(&[3, 4], Any)], |t| t[0].t()),
    ("alias", &[(B, Any)], |t| block_on(t[0].index(&[Index::ELLIPSIS]))),
    ("flatten", &[(B, Any)], |t| t[0].flatten(0, 1)),
    ("slice", &[(B, Any)], |t| t[0].slice(2, Some(1), None, 2)),
    ("select", &[(B, Any)], |t| t[0].select(1, -1)),
    ("narrow", &[(B, Any)], |t| t[0].narrow(1, 1, 2)),
    ("diagonal", &[(B, Any)], |t| t[0].diagonal(1, 1, 2)),
    ("unfold", &[(B, Any)], |t| t[0].unfold(2, 3, 1)),
    ("as_strided", &[(B, Any)], |t| t[0].copy()?.as_strided(&[3, 4], &[5, 2], 2)),
    ("triu", &[(B, Any)], |t| t[0].triu(1)),
    ("tril", &[(B, Any)], |t| t[0].tril(-1)),
    ("flip", &[(B, Any)], |t| t[0].flip(&[0, 2])),
    ("roll", &[(B, Any)], |t| t[0].roll(1, 1)),
    ("repeat", &[(B, Any)], |t| t[0].repeat(&[2, 1, 1, 3])),
    ("tile", &[(B, Any)], |t| t[0].tile(&[2, 1])),
    ("repeat_interleave", &[(B, Any)], |t| t[0].repeat_interleave(3, Some(1))),
    ("cat", &[(B, Any), (&[2, 1, 4], Any)], |t| Tensor::cat(&[&t[0], &t[1], &t[0]], 1)),
    ("stack", &[(B, Any), (B, Any)], |t| Tensor::stack(&[&t[0], &t[1]], -1)),
    ("unbind", &[(B, Any)], |t| t[0].unbind(1)?[2].mul(&t[0].unbind(1)?[0])),
    ("split", &[(B, Any)], |t| t[0].split_size(2, 1)?[0].mul(2.0)),
    ("split into lengths", &[(B, Any)], |t| t[0].split(&[1, 2], 1)?[1].mul(2.0)),
    ("tensor_split", &[(B, Any)], |t| t[0].tensor_split(3, 2)?[0].mul(2.0)),
    ("gather", &[(&[3, 4], Any)], |t| t[0].gather(0, &whole(&[2, 0, 2, 1]).reshape(&[1, 4])?)),
    ("index_select", &[(B, Any)], |t| t[0].index_select(1, &whole(&[2, 2, 0]))),
    ("take", &[(B, Any)], |t| t[0].take(&whole(&[-1, 3, 3, 0]))),
    ("scatter", &[(&[3, 4], Any), (&[1, 4], Any)], |t| {
        t[0].scatter(0, &whole(&[2, 0, 2, 1]).reshape(&[1, 4])?, &t[1])
    }),
    ("scatter of a number", &[(&[3, 4], Any)], |t| {
        t[0].scatter(0, &whole(&[2, 0, 2, 1]).reshape(&[1, 4])?, 0.5)
    }),
    ("scatter_add", &[(&[3, 4], Any), (&[1, 4], Any)], |t| {
        t[0].scatter_add(0, &whole(&[2, 0, 2, 1]).reshape(&[1, 4])?, &t[1])
    }),
    ("index_add", &[(&[3, 4], Any), (&[2, 4], Any)], |t| t[0].index_add(0, &whole(&[1, 1]), &t[1], -2.0)),
    ("index", &[(B, Any)], |t| {
        let (rows, columns) = (whole(&[2, 0, -1]), whole(&[0, 3, 3]));
        block_on(t[0].index(&[(..).into(), (&rows).into(), (&columns).into()]))
    }),
    ("index apart", &[(B, Any)], |t| {
        let (first, last) = (whole(&[1, 0, 1]), whole(&[0, 3, 3]));
        block_on(t[0].index(&[(&first).into(), (1..).into(), (&last).into()]))
    }),
    ("index by mask", &[(B, Any)], |t| block_on(t[0].index(&[(&t[0].detach().gt(0)?).into()]))),
    ("masked_select", &[(B, Any)], |t| block_on(t[0].masked_select(&t[0].detach().gt(0)?))),
    ("index_put", &[(B, Any), (&[3, 4], Any)], |t| {
        let rows = whole(&[2, 0, 1]);
        block_on(t[0].index_put(&[None, Some(&rows)], &t[1], false))
    }),
    ("index_put accumulating", &[(B, Any), (&[3, 1], Any)], |t| {
        let rows = whole(&[2, 0, 2]);
        block_on(t[0].index_put(&[None, Some(&rows)], &t[1], true))
    }),
    ("set_index", &[(B, Any), (&[2, 2], Any)], |t| {
        after(&t[0], |x| {
            block_on(x.set_index(&[(..).into(), 1isize.into(), Index::slice(None, None, 2)], &t[1]))
        })
    }),
    ("mul of a view in place", &[(B, Any), (&[4], Any)], |t| {
        after(&t[0], |x| x.transpose(0, 2)?.transpose(0, 2)?.select(1, 0)?.mul_(&t[1]))
    }),
    ("view after its base was written", &[(B, Any)], |t| {
        let x = t[0].mul(1.0)?;
        let view = x.slice(2, Some(1), None, 2)?;
        x.mul_(2.0)?;
        view.mul(&view)
    }),
];

/// The shape that most operations are tried with.
pub const B: &[usize] = &[2, 3, 4];

/// Of queries, keys and values: batch, heads, tokens, width.
const HEADS: &[usize] = &[1, 2, 3, 4];

fn whole(values: &[i64]) -> Tensor {
    let values: Vec<Scalar> = values.iter().map(|&v| v.into()).collect();
    Tensor::from_scalars(&values, &[values.len()], DType::I64, &Device::cpu()).unwrap()
}

/// A copy of x after something has been written to it.
fn after(x: &Tensor, write: impl FnOnce(&Tensor) -> Result<()>) -> Result<Tensor> {
    let x = x.mul(1.0)?;
    write(&x)?;
    Ok(x)
}

/// A tensor of these numbers in float64.
pub fn real(values: impl IntoIterator<Item = f64>, shape: &[usize]) -> Tensor {
    let values: Vec<Scalar> = values.into_iter().map(Scalar::from).collect();
    Tensor::from_scalars(&values, shape, DType::F64, &Device::cpu()).unwrap()
}
