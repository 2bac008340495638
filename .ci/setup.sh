# Sourced by ./try and ./check: finds what is missing on this machine and installs it.
# POSIX sh. Every step is announced before it is done; with dry_run=1 it is only announced.

dry_run=${dry_run:-0}
# The device-select layer of software Vulkan is noisy.
export NODEVICE_SELECT=1
apt_updated=0
# Whether whoever calls has chosen a driver.
driver_chosen=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}

say() { printf '==> %s\n' "$*"; }
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# Announces a command, then runs it with no standard input (so that nothing can ask).
step() {
    say "$*"
    [ "$dry_run" = 1 ] || "$@" </dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        step "$@"
    elif have sudo; then
        step sudo "$@"
    elif [ "$dry_run" = 1 ]; then
        say "as root: $*"
    else
        fail "root is needed for: $* (no sudo here; run it as root, then start again)"
    fi
}

# install PACKAGES: names for the package manager that is there.
install() {
    if have apt-get; then
        [ "$apt_updated" = 1 ] || as_root apt-get update
        apt_updated=1
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
    elif have dnf; then
        as_root dnf install -y "$@"
    elif have pacman; then
        as_root pacman -Syu --needed --noconfirm "$@"
    else
        fail "no apt-get, dnf or pacman here; install by hand: $*"
    fi
}

# by_manager APT DNF PACMAN: the package names for this machine, as words.
by_manager() {
    if have apt-get; then
        echo "$1"
    elif have dnf; then
        echo "$2"
    elif have pacman; then
        echo "$3"
    else
        echo "$1"
    fi
}

need_linker() {
    have cc && return
    if [ "$(uname -s)" = Darwin ]; then
        fail "no C linker; run 'xcode-select --install', then start again"
    fi
    say "no C linker (cc): installing one"
    # shellcheck disable=SC2046 # words are wanted
    install $(by_manager "gcc libc6-dev" "gcc glibc-devel" "gcc")
}

need_curl() {
    have curl && return
    say "no curl (it fetches the Rust toolchain): installing it"
    install curl ca-certificates
}

# True if the installed cargo is as new as rust-version in Cargo.toml.
cargo_is_new_enough() {
    have cargo && have rustc || return 1
    wanted=$(sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' Cargo.toml)
    cargo --version | awk -v wanted="$wanted" '{
        split($2, is, "[.-]"); split(wanted, want, ".")
        exit !(is[1] > want[1] || (is[1] == want[1] && is[2] >= want[2]))
    }'
}

need_rust() {
    PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
    export PATH
    cargo_is_new_enough && return
    need_curl
    if have rustup; then
        say "cargo is missing or older than Cargo.toml asks: updating the stable toolchain"
        step rustup toolchain install stable --profile minimal --component rustfmt --component clippy
        RUSTUP_TOOLCHAIN=stable
        export RUSTUP_TOOLCHAIN
    else
        say "cargo is missing or older than Cargo.toml asks: installing rustup in $HOME/.cargo"
        installer=${TMPDIR:-/tmp}/breccia-rustup-$$.sh
        step curl --proto '=https' --tlsv1.2 -sSf -o "$installer" https://sh.rustup.rs
        step sh "$installer" -y --no-modify-path --profile minimal --component rustfmt --component clippy
        rm -f "$installer"
    fi
    [ "$dry_run" = 1 ] || cargo_is_new_enough || fail "cargo is still older than Cargo.toml asks: $(cargo --version)"
}

# rustfmt and clippy come as separate components (or packages).
need_lints() {
    if have cargo-fmt && have cargo-clippy; then
        if cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; then
            return
        fi
    fi
    [ "$dry_run" = 1 ] && ! have rustup && return
    have rustup || fail "cargo fmt or cargo clippy is missing; install rustfmt and clippy for your cargo"
    step rustup component add rustfmt clippy
}

vulkan_loader_found() {
    for folder in /usr/lib /usr/lib64 /usr/lib/*-linux-gnu /usr/local/lib; do
        [ -e "$folder/libvulkan.so.1" ] && return 0
    done
    old_ifs=$IFS
    IFS=:
    for folder in ${LD_LIBRARY_PATH:-}; do
        [ -e "$folder/libvulkan.so.1" ] && IFS=$old_ifs && return 0
    done
    IFS=$old_ifs
    return 1
}

need_vulkan_loader() {
    [ "$(uname -s)" = Linux ] || return 0
    vulkan_loader_found && return
    say "no Vulkan loader (libvulkan.so.1): installing it"
    # shellcheck disable=SC2046 # words are wanted
    install $(by_manager "libvulkan1" "vulkan-loader" "vulkan-icd-loader")
}

# need_adapter PROFILE COMMAND: builds by the command, and asks the program, from now on $program, whether a GPU driver answers.
# A driver's file says little: its library or its GPU may be missing. Cargo would build dependencies a second time if tests were
# built by one command and the program by another.
need_adapter() {
    program=${CARGO_TARGET_DIR:-./target}/$1/breccia
    shift
    step "$@"
    say "$program gpus"
    [ "$dry_run" = 1 ] && return
    code=0
    "$program" gpus </dev/null || code=$?
    if [ "$code" != 0 ]; then
        [ "$code" = 3 ] && [ "$(uname -s)" = Linux ] || exit "$code"
        say "no GPU driver answers: installing Mesa's, software rendering included"
        # shellcheck disable=SC2046 # words are wanted
        install $(by_manager "mesa-vulkan-drivers" "mesa-vulkan-drivers" "vulkan-swrast")
        "$program" gpus </dev/null || "$program" doctor </dev/null || exit
    fi
    software_will_do
    prefer_newer_mesa
}

# A software adapter is refused where a GPU has a device file, and some GPUs are too old for Vulkan. Here it will do.
software_will_do() {
    code=0
    "$program" doctor </dev/null >/dev/null 2>&1 || code=$?
    lavapipe=$(lavapipe_file)
    [ "$code" = 3 ] && [ -n "$lavapipe" ] || return 0
    say "a GPU is here, but no Vulkan driver of it answers: the CPU computes ($program doctor says more)"
    compute_by "$lavapipe"
}

# compute_by FILE: by the one driver that FILE names, from now on.
compute_by() {
    VK_DRIVER_FILES=$1
    VK_ICD_FILENAMES=$1
    export VK_DRIVER_FILES VK_ICD_FILENAMES
}

# The mirror of Debian that this machine uses, or nothing.
debian_mirror() {
    grep -rhoE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 | tr -d ' '
}

# apt_of SUITE FOLDER: lets apt, until `unset APT_CONFIG`, know the packages of that suite of Debian alone, by lists in FOLDER.
# The machine's own lists and packages stay as they are. Fails without a mirror.
apt_of() {
    mirror=$(debian_mirror)
    [ -n "$mirror" ] || return 1
    mkdir -p "$2/etc" "$2/lists/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" >"$2/sources.list"
    cat >"$2/apt.conf" <<CONFIG
Dir::State::Lists "$2/lists";
Dir::Etc::sourcelist "$2/sources.list";
Dir::Etc::sourceparts "$2/etc";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Sandbox::User "root";
CONFIG
    APT_CONFIG=$2/apt.conf
    export APT_CONFIG
    apt-get update -qq </dev/null || { unset APT_CONFIG && return 1; }
}

# True if the CPU computes, by a Mesa that takes three times as long as newer ones (src/gpu/mesa.rs).
mesa_is_slow() {
    "$program" doctor </dev/null | grep '^advice: Mesa' >/dev/null
}

# On Debian 12, whose Mesa is of 2022, that of Debian's backports computes for these scripts: its package (11 MB) is taken apart
# in target/mesa. Nothing is installed.
prefer_newer_mesa() {
    [ "$dry_run" = 0 ] && [ -z "$driver_chosen" ] && mesa_is_slow || return 0
    folder=$(pwd)/target/mesa
    if [ ! -e "$folder/libvulkan_lvp.so" ]; then
        if ! grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || ! have dpkg-deb; then
            say "this Mesa is slow; docs/user/install.md says more"
            return
        fi
        say "this Mesa takes three times as long as newer ones: fetching that of Debian's backports into target/mesa"
        if ! fetch_newer_mesa; then
            say "SKIPPED: a newer Mesa; Debian's backports did not give it"
            return
        fi
    fi
    name_driver "$folder/lvp_icd.json" "$folder/libvulkan_lvp.so" 1.3.0
    if ! env VK_DRIVER_FILES="$folder/lvp_icd.json" VK_ICD_FILENAMES="$folder/lvp_icd.json" "$program" doctor >/dev/null; then
        say "SKIPPED: a newer Mesa; no adapter answers by that in target/mesa"
        rm "$folder/lvp_icd.json"
        return
    fi
    say "the CPU computes by the Mesa in target/mesa"
    compute_by "$folder/lvp_icd.json"
}

# Leaves the library of the driver in $folder.
fetch_newer_mesa() {
    rm -rf "$folder"
    apt_of bookworm-backports "$folder/apt" || return 1
    (cd "$folder/apt" && apt-get download -qq mesa-vulkan-drivers/bookworm-backports </dev/null && dpkg-deb -x ./*.deb .) || true
    unset APT_CONFIG
    find "$folder/apt" -name libvulkan_lvp.so -exec mv {} "$folder/" \;
    rm -rf "$folder/apt"
    [ -e "$folder/libvulkan_lvp.so" ]
}

# name_driver FILE LIBRARY VERSION: writes the file that names a Vulkan driver, for VK_DRIVER_FILES.
name_driver() {
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "%s"}}\n' "$2" "$3" >"$1"
}

# want_readers: the programs that users open results with, in target/readers, for .ci/read_results.py. Sets `readers` to their
# python, or to nothing where they cannot be had.
want_readers() {
    readers=$(pwd)/target/readers/bin/python
    [ -x "$readers" ] && "$readers" -c 'import numpy, xarray, vtk, ovito' >/dev/null 2>&1 && return
    say "no vtk, OVITO and xarray (nightly opens results with them): fetching them from PyPI into target/readers"
    if ! { step python3 -m venv target/readers && step target/readers/bin/pip install -q numpy xarray vtk ovito; }; then
        say "SKIPPED: results in ParaView's reader, OVITO and xarray; PyPI did not give them"
        readers=
    fi
}

# read_results: runs in four forms, one with a wall, and a frame of a million bodies, are exported and opened by these programs.
read_results() {
    [ -n "$readers" ] || return 0
    results=target/read_results
    for form in "spheres accretion_small precision=f64" "singles accretion_small precision=f32" \
        "polyhedra two_polyhedra_collision compression=none" "walls stack_of_boxes precision=f64"; do
        # shellcheck disable=SC2086 # words
        set -- $form
        # 1: so short a run does not show what its scenario expects
        step "$program" run "$2" --set run.duration_s=20 --set output.frames=1 --set "output.$3" \
            --out "$results/$1" --overwrite || [ $? = 1 ]
        step "$program" export "$results/$1" --format vtp,xyz
    done
    # 75: it stops before its first step
    step "$program" run .ci/million.toml --engine reference --stop-at-step 0 --out "$results/million" --overwrite ||
        [ $? = 75 ]
    step "$program" export "$results/million" --format vtp,xyz
    step "$readers" .ci/read_results.py "$results/spheres" "$results/singles" "$results/polyhedra" "$results/walls" \
        "$results/million"
}

# want_swiftshader: SwiftShader, a Vulkan driver in software that keeps its results less exact than Mesa's, as GPUs do. Debian's
# package of Chromium carries it; the package is taken apart in target/swiftshader, not installed. Sets `swiftshader` to the
# file that names the driver, or to nothing where it cannot be had.
want_swiftshader() {
    swiftshader=
    folder=$(pwd)/target/swiftshader
    if [ -e "$folder/swiftshader.json" ]; then
        swiftshader=$folder/swiftshader.json
        return
    fi
    if ! have apt-get || ! have dpkg-deb; then
        say "SKIPPED: the checks on SwiftShader; it comes out of Debian's package chromium-common, and there is no apt-get here"
        return
    fi
    say "no SwiftShader (a second software Vulkan): fetching Debian's package chromium-common (30 MB) to take it out"
    if [ "$dry_run" = 1 ]; then
        swiftshader=$folder/swiftshader.json
        return
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    if ! (cd "$folder" && apt-get download -qq chromium-common </dev/null && dpkg-deb -x chromium-common_*.deb .); then
        say "SKIPPED: the checks on SwiftShader; this machine's package source gives no chromium-common"
        return
    fi
    library=$folder/usr/lib/chromium/libvk_swiftshader.so
    manifest=$folder/usr/lib/chromium/vk_swiftshader_icd.json
    if [ ! -e "$library" ] || [ ! -e "$manifest" ]; then
        say "SKIPPED: the checks on SwiftShader; chromium-common no longer holds libvk_swiftshader.so"
        return
    fi
    mv "$library" "$folder/"
    version=$(sed -n 's/.*"api_version": *"\([0-9.]*\)".*/\1/p' "$manifest")
    name_driver "$folder/swiftshader.json" "$folder/libvk_swiftshader.so" "${version:-1.1.0}"
    rm -rf "$folder/usr" "$folder"/etc "$folder"/chromium-common_*.deb
    swiftshader=$folder/swiftshader.json
}

# The file that names the machine's own driver of Mesa in software, or nothing.
lavapipe_file() {
    for file in /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json; do
        [ -e "$file" ] && echo "$file" && return
    done
    return 0
}

# verify_on FILE WORDS: every check of `breccia verify` on the one driver that FILE names.
verify_on() {
    file=$1
    shift
    step env VK_DRIVER_FILES="$file" VK_ICD_FILENAMES="$file" "$program" verify "$@"
}

# On all drivers in software, where they are; on the machine's own Mesa also with the checks that wgpu puts into shaders. An old
# Mesa compiles shaders faster than a new one, and checks are mostly compilation. They use one core, so SwiftShader, the slowest,
# runs beside the others.
verify_software() {
    told=
    if [ -n "$swiftshader" ] && [ "$dry_run" = 0 ]; then
        told=$(pwd)/target/swiftshader/verify.txt
        verify_on "$swiftshader" >"$told" 2>&1 &
        beside=$!
    fi
    verify_lavapipe
    if [ -n "$told" ]; then
        code=0
        wait "$beside" || code=$?
        cat "$told"
        [ "$code" = 0 ] || exit "$code"
    elif [ -n "$swiftshader" ]; then
        verify_on "$swiftshader"
    fi
}

# On the newer Mesa in target/mesa, if it is there, and on the machine's own.
verify_lavapipe() {
    newer=$(pwd)/target/mesa/lvp_icd.json
    [ ! -e "$newer" ] || verify_on "$newer"
    lavapipe=$(lavapipe_file)
    if [ -n "$lavapipe" ]; then
        # by two Mesas the trusted shaders run on one, the checked on the other; nightly both on the machine's own
        if [ "$nightly" = 1 ] || [ ! -e "$newer" ]; then verify_on "$lavapipe"; fi
        verify_on "$lavapipe" --checked-shaders
    else
        say "SKIPPED: the checks on lavapipe; Mesa's software Vulkan is not installed"
    fi
}

# On lavapipe with shaders as wrong as Vulkan allows (docs/method/verify.md).
verify_perturbed() {
    lavapipe=$(lavapipe_file)
    if [ -z "$lavapipe" ]; then
        say "SKIPPED: the checks with perturbed arithmetic; they need lavapipe, which is not installed"
        return
    fi
    for kind in up down scattered fused fused-right scattered,fused reassociated reassociated,fused; do
        verify_on "$lavapipe" --perturb "$kind"
    done
}

# Tools that take shaders as drivers do, for tests/passes/shader_compilers.rs; tests whose tool is missing are skipped.
want_shader_tools() {
    have spirv-val && have glslangValidator && return
    [ "$(uname -s)" = Linux ] || return 0
    say "no spirv-val or no glslangValidator (two tests give them every pass): installing them"
    # shellcheck disable=SC2046 # words are wanted
    (install $(by_manager "spirv-tools glslang-tools" "spirv-tools glslang" "spirv-tools glslang")) ||
        say "SKIPPED: tests of shaders by spirv-val and glslang; they could not be installed"
}

# True if there is, or now is, a python3 that makes virtual environments.
want_venv() {
    have python3 && python3 -c 'import venv, ensurepip' 2>/dev/null && return
    say "no python3 with venv: installing it"
    # shellcheck disable=SC2046 # words are wanted
    (install $(by_manager "python3 python3-venv" "python3" "python"))
}

# want_python: a virtual environment in target/python with the packages of tests/python/requirements.txt. Sets `python` to its
# interpreter, or to nothing where it cannot be had.
want_python() {
    folder=$(pwd)/target/python
    python=$folder/bin/python
    wanted=tests/python/requirements.txt
    cmp -s "$wanted" "$folder/installed.txt" && "$python" -c 'import pytest, mypy, playwright' 2>/dev/null && return
    if ! want_venv || { [ "$dry_run" = 0 ] && ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; }; then
        python=
        say "SKIPPED: the tests of the Python package; python3, 3.10 or newer, with venv could not be installed"
        return
    fi
    say "no packages for the tests of the Python package: fetching them from PyPI, into target/python"
    if ! { step rm -rf "$folder" && step python3 -m venv "$folder" &&
        step "$folder/bin/pip" install -q --disable-pip-version-check -r "$wanted" &&
        step cp "$wanted" "$folder/installed.txt"; }; then
        python=
        say "SKIPPED: the tests of the Python package; PyPI did not give the packages of $wanted"
    fi
}

# want_browser: Chromium, in which tests open the pages of runs; they are skipped without it.
want_browser() {
    [ "$(uname -s)" = Linux ] || return 0
    if have chromium || have chromium-browser || have google-chrome; then return; fi
    say "no Chromium (tests open pages of runs in it): installing it"
    # shellcheck disable=SC2046 # words are wanted
    if ! (install $(by_manager "chromium" "chromium" "chromium")); then
        say "SKIPPED: the tests of pages in a browser; Chromium could not be installed"
    fi
}

# test_python ARGUMENTS: types and tests of the Python package with $program; ARGUMENTS are those of pytest.
test_python() {
    [ -n "$python" ] || return 0
    step "$python" -m mypy
    step env BRECCIA_BINARY="$program" PYTHONPATH=src/python "$python" -m pytest "$@"
}

# want_dxc: Microsoft's compiler for DirectX 12. PyPI's compushady carries it as a library, which is taken out into target/dxc.
want_dxc() {
    folder=$(pwd)/target/dxc
    for library in "$folder"/libdxcompiler*; do
        [ -e "$library" ] && return
    done
    case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) library=libdxcompiler_x86_64.so.3.7 ;;
    Linux-aarch64) library=libdxcompiler_aarch64.so.3.7 ;;
    *)
        say "SKIPPED: the test of shaders by DXC; there is no library of it for this system"
        return
        ;;
    esac
    if ! want_venv; then
        say "SKIPPED: the test of shaders by DXC; python3 with venv, which fetches it, could not be installed"
        return
    fi
    say "no DXC: fetching compushady (67 MB) from PyPI to take it out, into target/dxc"
    step rm -rf "$folder"
    if ! { step python3 -m venv "$folder/venv" &&
        step "$folder/venv/bin/pip" download -q --no-deps --no-binary :all: compushady==0.17.5 -d "$folder" &&
        step tar -xzf "$folder/compushady-0.17.5.tar.gz" -C "$folder" --strip-components 3 \
            "compushady-0.17.5/compushady/backends/$library"; }; then
        say "SKIPPED: the test of shaders by DXC; PyPI did not give compushady 0.17.5"
    fi
    step rm -rf "$folder/venv" "$folder/compushady-0.17.5.tar.gz"
}

# The description of Khronos' validation layer, or nothing.
validation_layer() {
    for file in /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json \
        /etc/vulkan/explicit_layer.d/VkLayer_khronos_validation.json; do
        [ -e "$file" ] && echo "$file" && return
    done
    return 0
}

# validate BINARY: checks and short scenarios under the validation layer, which must stay silent.
validate() {
    [ "$(uname -s)" = Linux ] || return 0
    if [ -z "$(validation_layer)" ]; then
        say "no Vulkan validation layer: installing it"
        # shellcheck disable=SC2046 # words are wanted
        (install $(by_manager "vulkan-validationlayers" "vulkan-validation-layers" "vulkan-validation-layers")) || true
    fi
    layer=$(validation_layer)
    if [ -z "$layer" ] && [ "$dry_run" = 0 ]; then
        say "SKIPPED: checks under the Vulkan validation layer; it could not be installed"
        return
    fi
    step .ci/validate "$1" "$layer"
}

# try_slurm BINARY: campaigns on a Slurm of one node, started by hand; on two software adapters if `swiftshader` names one.
try_slurm() {
    [ "$(uname -s)" = Linux ] || return 0
    if ! have slurmctld || ! have munged; then
        if ! have apt-get; then
            say "SKIPPED: campaigns on a Slurm; it is not installed, and its packages are named for Debian alone"
            return
        fi
        say "no Slurm (a campaign runs on one): installing it"
        (install slurm-wlm munge) || say "SKIPPED: campaigns on a Slurm; it could not be installed"
    fi
    if [ "$(id -u)" != 0 ] && ! have sudo; then
        say "SKIPPED: campaigns on a Slurm; root is needed to start one"
        return
    fi
    as_root env SWIFTSHADER="$swiftshader" .ci/slurm "$1"
}
