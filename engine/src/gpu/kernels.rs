//! Pipelines, compiled once per variant, and the bind groups they were used with.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::fault::Faults;
use super::pool::Block;
use crate::error::Result;

/// Bytes of uniforms that a kernel can see.
pub(crate) const UNIFORM_WINDOW: usize = 1024;

/// The words that every kernel's uniforms begin with; the core fills them in.
pub(crate) const HEADER_WORDS: usize = 4;

/// Bind groups are rebuilt beyond this many, so that a long session does not collect them.
const MAX_BIND_GROUPS: usize = 4096;

/// Which of a kernel's buffers it may write, in the order of their bindings.
pub(crate) type Access = Vec<bool>;

/// A compiled kernel.
pub(crate) struct Kernel {
    pub(crate) pipeline: wgpu::ComputePipeline,
    access: Access,
}

type GroupKey = (Access, Vec<u64>);

pub(crate) struct Kernels {
    uniform_layout: wgpu::BindGroupLayout,
    uniform_group: wgpu::BindGroup,
    layouts: RefCell<HashMap<Access, wgpu::BindGroupLayout>>,
    kernels: RefCell<HashMap<String, Rc<Kernel>>>,
    groups: RefCell<HashMap<GroupKey, wgpu::BindGroup>>,
}

impl Kernels {
    pub(crate) fn new(device: &wgpu::Device, uniforms: &wgpu::Buffer) -> Self {
        let window = wgpu::BufferSize::new(UNIFORM_WINDOW as u64);
        let uniform_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("uniforms"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: window,
                },
                count: None,
            }],
        });
        let uniform_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("uniforms"),
            layout: &uniform_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: uniforms,
                    offset: 0,
                    size: window,
                }),
            }],
        });
        Self {
            uniform_layout,
            uniform_group,
            layouts: RefCell::default(),
            kernels: RefCell::default(),
            groups: RefCell::default(),
        }
    }

    pub(crate) fn uniforms(&self) -> &wgpu::BindGroup {
        &self.uniform_group
    }

    /// The kernel of that name, compiled from `source` on first use.
    ///
    /// # Errors
    /// If the template or the shader is refused.
    pub(crate) fn get(
        &self,
        device: &wgpu::Device,
        faults: &Faults,
        name: &str,
        access: &[bool],
        source: impl FnOnce() -> Result<String>,
    ) -> Result<Rc<Kernel>> {
        if let Some(kernel) = self.kernels.borrow().get(name) {
            return Ok(Rc::clone(kernel));
        }
        faults.check()?;
        let desc = wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(source()?.into()),
        };
        // SAFETY: every kernel in shaders/ keeps its indices within the layouts that the caller has
        // checked against the storages, and all its loops end; tests/kernels runs each variant.
        let module =
            unsafe { device.create_shader_module_trusted(desc, wgpu::ShaderRuntimeChecks::unchecked()) };
        faults.check()?;
        let mut layouts = self.layouts.borrow_mut();
        let layout = layouts.entry(access.to_vec()).or_insert_with(|| storage_layout(device, access));
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(layout), Some(&self.uniform_layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every kernel writes what it reads of its workgroup memory.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        faults.check()?;
        let kernel = Rc::new(Kernel { pipeline, access: access.to_vec() });
        self.kernels.borrow_mut().insert(name.to_owned(), Rc::clone(&kernel));
        Ok(kernel)
    }

    /// Drops the kernels whose names begin so: what was refused is not to be found.
    pub(crate) fn drop_named(&self, start: &str) {
        self.kernels.borrow_mut().retain(|name, _| !name.starts_with(start));
    }

    pub(crate) fn bind_group(
        &self,
        device: &wgpu::Device,
        kernel: &Kernel,
        blocks: &[&Block],
    ) -> wgpu::BindGroup {
        let key = (kernel.access.clone(), blocks.iter().map(|b| b.id).collect());
        let mut groups = self.groups.borrow_mut();
        if let Some(group) = groups.get(&key) {
            return group.clone();
        }
        if groups.len() >= MAX_BIND_GROUPS {
            groups.clear();
        }
        let mut layouts = self.layouts.borrow_mut();
        let layout = layouts.entry(key.0.clone()).or_insert_with(|| storage_layout(device, &key.0));
        let entries: Vec<_> = (0..)
            .zip(blocks)
            .map(|(binding, block)| wgpu::BindGroupEntry {
                binding,
                resource: block.buffer.as_entire_binding(),
            })
            .collect();
        let group =
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
        groups.insert(key, group.clone());
        group
    }

    /// Drops the bind groups that hold a buffer which is to be destroyed.
    pub(crate) fn forget(&self, id: u64) {
        self.groups.borrow_mut().retain(|(_, ids), _| !ids.contains(&id));
    }
}

fn storage_layout(device: &wgpu::Device, access: &[bool]) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(access)
        .map(|(binding, &writes)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: !writes },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}
