//! The perturbed module of a linked pass.

use super::{Perturb, rewrite, text};
use crate::base::error::{Error, Result};
use crate::gpu::pipeline::link::Linked;
use crate::gpu::pipeline::reassociate::reassociate;

impl Perturb {
    /// The perturbed module of a linked pass.
    pub fn module(self, linked: &Linked) -> Result<naga::Module> {
        let text = text::functions(self) + &linked.text;
        let fault = |e: String| Error::Usage(format!("the perturbed shader: {e}"));
        let mut module = naga::front::wgsl::parse_str(&text).map_err(|e| fault(e.emit_to_string(&text)))?;
        let capabilities = naga::valid::Capabilities::FLOAT64;
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
        let mut info = validator.validate(&module).map_err(|e| fault(e.emit_to_string(&text)))?;
        let unknown = |(span, what): (naga::Span, String)| fault(format!("{what}\n{}", excerpt(&text, span)));
        if self.reorder {
            reassociate(&mut module, &info).map_err(unknown)?;
            info = validator.validate(&module).map_err(|e| fault(e.emit_to_string(&text)))?;
        }
        rewrite::rewrite(&mut module, &info, self.fuse).map_err(unknown)?;
        validator.validate(&module).map_err(|e| fault(e.emit_to_string(&text)))?;
        Ok(module)
    }
}

/// The line of an expression.
fn excerpt(text: &str, span: naga::Span) -> String {
    let line = span.location(text).line_number as usize;
    text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned()
}
