//! Every pass through the compilers and validators that drivers are built on, where they are at hand: spirv-val, glslang's HLSL
//! front end, and in the nightly checks Microsoft's DXC. A test whose tool is missing says so and passes; `./check` installs
//! the tools, or says loudly what it skips.

use crate::common::translated::{all_shaders, hlsl, shaders, spirv};
use breccia::gpu::pipeline::reflect::Shader;
use naga::back::hlsl::ShaderModel;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a tool; `None` where it is missing, else what it says if it refuses.
fn refused(command: &mut Command) -> Option<Result<(), String>> {
    let output = match command.output() {
        Ok(output) => output,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return None,
        Err(e) => panic!("{command:?}: {e}"),
    };
    let said = || String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Some(if output.status.success() { Ok(()) } else { Err(said()) })
}

/// Name of a file for each shader: passes that come with several laws are numbered.
fn written(folder: &Path, end: &str, shaders: &[Shader], content: impl Fn(&Shader) -> Vec<u8>) -> Vec<PathBuf> {
    let mut files = vec![];
    for (k, s) in shaders.iter().enumerate() {
        let path = folder.join(format!("{}@{k}.{end}", s.stem));
        std::fs::write(&path, content(s)).expect("writes");
        files.push(path);
    }
    assert!(files.len() > 80, "only {} passes", files.len());
    files
}

/// Pass of a file of [`written`].
fn pass(file: &Path) -> String {
    let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
    name.split('@').next().unwrap_or_default().to_owned()
}

/// Every file by a command of its own; true unless the tool is missing.
fn all(files: &[PathBuf], command: impl Fn(&Path) -> Command) -> bool {
    let mut faults = vec![];
    for file in files {
        match refused(&mut command(file)) {
            None => return false,
            Some(Err(said)) => faults.push(format!("{}: {said}", file.display())),
            Some(Ok(())) => {}
        }
    }
    assert!(faults.is_empty(), "{} of {} refused:\n{}", faults.len(), files.len(), faults.join("\n"));
    println!("{} passes taken", files.len());
    true
}

#[test]
fn spirv_val_takes_every_pass() {
    let folder = tempfile::tempdir().expect("folder");
    let files = written(folder.path(), "spv", &all_shaders(), |s| bytemuck::cast_slice(&spirv(s)).to_vec());
    let valid = |file: &Path| {
        let mut command = Command::new("spirv-val");
        command.args(["--target-env", "vulkan1.1"]).arg(file);
        command
    };
    if !all(&files, valid) {
        eprintln!("SKIPPED: no spirv-val on the PATH (Debian package spirv-tools)");
        return;
    }
    // it refuses what is not SPIR-V
    let broken = folder.path().join("broken.spv");
    std::fs::write(&broken, [0u8; 64]).expect("writes");
    assert!(matches!(refused(&mut valid(&broken)), Some(Err(_))));
}

/// glslang has no grammar for `(uint[4])0`, with which naga writes zeros of arrays: it is given a variable of that type instead.
fn without_array_zeros(text: &str) -> String {
    let mut text = text.to_owned();
    for k in 0.. {
        let Some(end) = text.find("])0") else { break };
        let from = text[..end].rfind('(').expect("a cast");
        let (kind, count) = text[from + 1..=end].split_once('[').expect("an array");
        let declared = format!("static {kind} zeros_{k}[{count};\n");
        // types of the language are known everywhere, a struct behind its end
        let behind =
            text.find(&format!("struct {kind} {{")).map_or(0, |at| at + text[at..].find("};").expect("its end") + 3);
        text.replace_range(from..end + 3, &format!("zeros_{k}"));
        text.insert_str(behind, &declared);
    }
    text
}

#[test]
fn glslang_takes_the_hlsl_of_every_pass() {
    let folder = tempfile::tempdir().expect("folder");
    let text = |s: &_| without_array_zeros(&hlsl(s, ShaderModel::V6_0)).into_bytes();
    let files = written(folder.path(), "hlsl", &shaders(), text);
    let command = |file: &Path| {
        let mut command = Command::new("glslangValidator");
        command.args(["-D", "-V", "-S", "comp", "-e", &pass(file), "-o", "/dev/null"]).arg(file);
        command
    };
    if !all(&files, command) {
        eprintln!("SKIPPED: no glslangValidator on the PATH (Debian package glslang-tools)");
    }
}

/// Where `./check nightly` puts the library of DXC.
fn dxc() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/dxc");
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path());
    entries.into_iter().find(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("libdxcompiler")))
}

#[test]
#[ignore = "a minute, and 67 MB to fetch: `./check nightly` does it"]
fn dxc_takes_the_hlsl_of_every_pass() {
    let Some(library) = dxc() else {
        eprintln!("SKIPPED: target/dxc holds no libdxcompiler; `./check nightly` says why");
        return;
    };
    let folder = tempfile::tempdir().expect("folder");
    let files = written(folder.path(), "hlsl", &shaders(), |s| hlsl(s, ShaderModel::V6_0).into_bytes());
    let broken = folder.path().join("broken.hlsl");
    std::fs::write(&broken, "[numthreads(1, 1, 1)] void broken() { missing = 1; }").expect("writes");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/dxc.py");
    let compile = |files: &[PathBuf]| {
        let mut command = Command::new("python3");
        command.arg(&script).arg(&library).args(files);
        refused(&mut command).expect("python3")
    };
    compile(&files).unwrap_or_else(|said| panic!("{said}"));
    println!("{} passes taken", files.len());
    assert!(compile(&[broken]).is_err_and(|said| said.contains("undeclared identifier")));
}
