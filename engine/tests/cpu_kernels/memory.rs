//! Allocation, transfer and the bounds of storage.

use super::*;

#[test]
fn a_large_tensor_costs_nothing_until_it_is_written() {
    // torch.empty(49152, 12288): 2.25 GiB.
    let storage = Cpu::new().allocate(49152 * 12288 * 4).unwrap();
    assert_eq!(storage.size_bytes(), 2_415_919_104);
}

#[test]
fn what_memory_does_not_hold_is_an_error() {
    for bytes in [usize::MAX, usize::MAX / 2, 1 << 60] {
        match Cpu::new().allocate(bytes).err() {
            Some(Error::OutOfMemory { bytes: asked, device, .. }) => {
                assert!(asked >= bytes as u128 && device == "cpu", "{asked} bytes on {device}");
            }
            other => panic!("{bytes} bytes: {other:?}"),
        }
    }
}

#[test]
fn bytes_come_back_as_they_went() {
    let cpu = Cpu::new();
    for len in [0, 1, 7, 8, 9, 1000] {
        let bytes: Vec<u8> = (0..len).map(|i| (i * 37 % 256) as u8).collect();
        let storage = cpu.upload(&bytes).unwrap();
        assert_eq!(storage.size_bytes(), len);
        assert_eq!(pollster::block_on(cpu.download(&*storage)).unwrap(), bytes);
    }
}

#[test]
fn a_layout_beyond_the_storage_is_an_error() {
    let cpu = Cpu::new();
    let mut x = tensor(&cpu, &[4], DType::F32, noise(1));
    x.layout = Layout::strided(&[2, 2], &[3, 1], 0).unwrap();
    let out = poisoned(&cpu, &[2, 2], DType::F32);
    let error = cpu.map(&Program::copy(DType::F32), &[x.operand()], out.operand()).unwrap_err();
    assert!(error.to_string().contains("needs 20 bytes of storage, which has 16 bytes"), "{error}");
}

#[test]
fn the_name_says_what_runs() {
    let name = Cpu::new().name();
    assert!(name.starts_with("CPU (") && name.ends_with(')'), "{name}");
    assert_eq!(Cpu::new().device_type(), "cpu");
}
