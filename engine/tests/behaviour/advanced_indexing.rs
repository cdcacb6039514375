//! What indexing and operations on bits rest on, beyond the golden figures: places that come several times, shifts by
//! any number, angles all around, random numbers like a tensor. On every backend.

use crate::harness::{block_on, each_device};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Scalar, Tensor};

fn whole(device: &Device, values: &[i64], dtype: DType) -> Tensor {
    let values: Vec<Scalar> = values.iter().map(|&v| v.into()).collect();
    Tensor::from_scalars(&values, &[values.len()], dtype, device).unwrap()
}

fn read(t: &Tensor) -> Vec<i64> {
    block_on(t.to_scalars()).unwrap().into_iter().map(Scalar::as_i64).collect()
}

#[test]
fn of_several_values_for_one_place_the_last_stays() {
    each_device(|device| {
        let dtypes = [DType::F32, DType::F16, DType::I64, DType::I32, DType::U8, DType::Bool];
        for (dtype, count) in
            dtypes.into_iter().flat_map(|dtype| [1, 3, 17, 64, 65, 1000].map(|n| (dtype, n)))
        {
            for width in [1, 3, 4] {
                let places: Vec<i64> = (0..count).map(|i| (i * 7919 + i * i) % 13).collect();
                let values: Vec<i64> = (0..count * width).map(|i| (i * 31) % 101 % 2 + (i % 3) / 2).collect();
                let mut want = vec![1; 13 * width as usize];
                for (i, &place) in places.iter().enumerate() {
                    for column in 0..width as usize {
                        want[place as usize * width as usize + column] = values[i * width as usize + column];
                    }
                }
                let want: Vec<i64> =
                    if dtype == DType::Bool { want.iter().map(|&v| (v != 0).into()).collect() } else { want };
                let x = Tensor::ones(&[13, width as usize], dtype, device).unwrap();
                let shape = [count as isize, width as isize];
                let source = whole(device, &values, dtype).view(&shape).unwrap();
                let index = whole(device, &places, DType::I64);
                let lines = index.unsqueeze(1).unwrap().expand(&shape).unwrap();
                let out = x.scatter(0, &lines, &source).unwrap();
                assert_eq!(read(&out), want, "{device}: {count} × {width} of {dtype}");
                block_on(x.set_index(&[(&index).into()], &source)).unwrap();
                assert_eq!(read(&x), want, "{device}: {count} × {width} of {dtype}, in place");
            }
        }
    });
}

#[test]
fn shifts_by_any_number() {
    let numbers = [0, 1, -1, 5, -8, i64::MAX, i64::MIN, 0x1234_5678_9abc_def0, -0x7fff_ffff];
    let by = [0, 1, 7, 31, 32, 33, 63, 64, 100, -1, i64::MIN];
    let pairs: Vec<(i64, i64)> = numbers.iter().flat_map(|&a| by.iter().map(move |&b| (a, b))).collect();
    let inside = |b: i64| u32::try_from(b).ok().filter(|&b| b < 64);
    each_device(|device| {
        for dtype in [DType::I64, DType::I32, DType::U8] {
            // As the dtype holds them.
            let held = |v: i64| match dtype {
                DType::I64 => v,
                DType::I32 => (v as i32).into(),
                _ => (v as u8).into(),
            };
            let (a, b): (Vec<i64>, Vec<i64>) = pairs.iter().map(|&(a, b)| (held(a), held(b))).unzip();
            let (x, y) = (whole(device, &a, dtype), whole(device, &b, dtype));
            let check = |got: Tensor, want: &dyn Fn(i64, i64) -> i64, what: &str| {
                let want: Vec<i64> = a.iter().zip(&b).map(|(&a, &b)| held(want(a, b))).collect();
                assert_eq!(read(&got), want, "{device}: {what} of {dtype}");
            };
            let left = |a: i64, b: i64| inside(b).map_or(0, |b| a << b);
            let right = |a: i64, b: i64| a >> inside(b).unwrap_or(63);
            check(x.bitwise_left_shift(&y).unwrap(), &left, "<<");
            check(x.bitwise_right_shift(&y).unwrap(), &right, ">>");
            check(x.bitwise_and(&y).unwrap(), &|a, b| a & b, "&");
            check(x.bitwise_or(&y).unwrap(), &|a, b| a | b, "|");
            check(x.bitwise_xor(&y).unwrap(), &|a, b| a ^ b, "^");
            check(x.bitwise_not().unwrap(), &|a, _| !a, "~");
        }
    });
}

#[test]
fn angles_all_around() {
    each_device(|device| {
        let mut points = Vec::new();
        for i in 0..2000 {
            let (angle, size) = (f64::from(i - 1000) * 0.0031, 10f64.powi(i % 37 - 18));
            points.push(((angle.sin() * size) as f32, (angle.cos() * size) as f32));
        }
        let edges = [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-30, 1e30];
        points.extend(edges.iter().flat_map(|&y| edges.iter().map(move |&x| (y, x))));
        let (y, x): (Vec<f32>, Vec<f32>) = points.iter().copied().unzip();
        let tensor = |v: &[f32]| Tensor::from_slice(v, &[v.len()], DType::F32, device).unwrap();
        let got = block_on(tensor(&y).atan2(&tensor(&x)).unwrap().to_vec()).unwrap();
        for ((y, x), got) in points.into_iter().zip(got) {
            let want = f64::from(y).atan2(f64::from(x));
            // What float32 has no number for may be 0.
            let close = (f64::from(got) - want).abs() <= 6e-7 * want.abs() + f64::from(f32::MIN_POSITIVE);
            assert!(
                close || (got.is_nan() && want.is_nan()),
                "{device}: atan2({y}, {x}) is {got}, not {want}"
            );
        }
    });
}

#[test]
fn random_numbers_like_a_tensor() {
    each_device(|device| {
        let like = Tensor::zeros(&[3, 5], DType::F32, device).unwrap();
        let vec = |t: &Tensor| block_on(t.to_vec()).unwrap();
        assert_eq!(vec(&like.rand_like(&mut Generator::new(3)).unwrap()), Generator::new(3).rand(15));
        assert_eq!(vec(&like.randn_like(&mut Generator::new(3)).unwrap()), Generator::new(3).randn(15));
        let drawn = like.randint_like(-2, 9, &mut Generator::new(3)).unwrap();
        assert_eq!(read(&drawn), Generator::new(3).randint(-2, 9, 15).unwrap());
        let many = Tensor::randint(0, 5, &[4], DType::I64, &mut Generator::new(1), device).unwrap();
        assert_eq!((many.dtype(), many.shape()), (DType::I64, &[4][..]));
        let whole = like.to_dtype(DType::I64).unwrap();
        let refused = whole.rand_like(&mut Generator::new(3)).unwrap_err().to_string();
        assert!(refused.contains("\"check_uniform_bounds\" not implemented for 'Long'"), "{refused}");
    });
}
