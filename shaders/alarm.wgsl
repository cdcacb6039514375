// Where a kernel leaves word of what it had to refuse. The host reads it when it next waits, and the first counts.
// Part of kernels that can be given what they must refuse; BINDING is the number of this buffer.
@group(0) @binding(${BINDING}) var<storage, read_write> alarm: array<atomic<u32>, 8>;

fn report(kind: u32, index: vec2<u32>, dim: u32, size: u32) {
    if (atomicOr(&alarm[0], 1u) == 0u) {
        atomicStore(&alarm[1], kind);
        atomicStore(&alarm[2], index.x);
        atomicStore(&alarm[3], index.y);
        atomicStore(&alarm[4], dim);
        atomicStore(&alarm[5], size);
    }
}

fn report_index(index: vec2<u32>, dim: u32, size: u32) {
    report(1u, index, dim, size);
}

fn report_label(label: vec2<u32>) {
    report(3u, label, 0u, 0u);
}

fn report_zero() {
    report(2u, vec2<u32>(0u), 0u, 0u);
}
