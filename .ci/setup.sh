# Sourced by ./try and ./check: finds what is missing on this machine and installs it.
# POSIX sh. Every step is announced before it is done; with dry_run=1 it is only announced.

dry_run=${dry_run:-0}
# Software Vulkan: one thread is fastest for small jobs, and its device-select layer is noisy.
export LP_NUM_THREADS=0 NODEVICE_SELECT=1
apt_updated=0

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
    have rustup || fail "cargo fmt or cargo clippy is missing; install rustfmt and clippy beside your cargo"
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

# need_adapter WORDS: builds with these words for cargo, and asks the program whether a GPU driver answers. A driver's
# file says little: its library or its GPU may be missing.
need_adapter() {
    say "cargo run --locked $* -- gpus"
    [ "$dry_run" = 1 ] && return
    code=0
    cargo run --locked "$@" -- gpus </dev/null || code=$?
    [ "$code" = 0 ] && return
    [ "$code" = 3 ] && [ "$(uname -s)" = Linux ] || exit "$code"
    say "no GPU driver answers: installing Mesa's, software rendering included"
    # shellcheck disable=SC2046 # words are wanted
    install $(by_manager "mesa-vulkan-drivers" "mesa-vulkan-drivers" "vulkan-swrast")
    cargo run --locked "$@" -- gpus </dev/null || cargo run --locked "$@" -- doctor </dev/null || exit
}

# numpy is the independent reader in one test; that test is skipped without it.
want_numpy() {
    have python3 && python3 -c 'import numpy' >/dev/null 2>&1 && return
    [ "$(uname -s)" = Linux ] || return 0
    say "no python3 with numpy (one test reads the results with it): installing it"
    # shellcheck disable=SC2046 # words are wanted
    (install $(by_manager "python3 python3-numpy" "python3 python3-numpy" "python python-numpy")) ||
        say "numpy could not be installed; its test will be skipped"
}
