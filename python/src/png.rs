//! Pictures of programs as PNG. A page makes one when it hands the file over: its worker has no fonts.

/// A PNG of an SVG, so many pixels wide; in a page the SVG itself.
#[cfg(target_arch = "wasm32")]
pub(crate) fn png(svg: &str, _width: u32) -> Result<Vec<u8>, String> {
    Ok(svg.as_bytes().to_vec())
}

/// A PNG of an SVG, so many pixels wide.
///
/// # Errors
/// With a sentence, if it is no SVG or too large, or there are no fonts for its texts.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn png(svg: &str, width: u32) -> Result<Vec<u8>, String> {
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() && svg.contains("<text") {
        return Err(
            "this machine has no fonts to write texts with: save the figure as .svg instead".to_owned()
        );
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = width.max(1) as f32 / size.width();
    let height = (size.height() * scale).round() as u32;
    let mut pixels = Pixmap::new(width.max(1), height.max(1)).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
