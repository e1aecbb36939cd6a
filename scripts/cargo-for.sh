#!/usr/bin/env bash
# Runs cargo for another system than this one: with rustup's standard library for it, or else with Debian's compiler, which
# builds the library from source.
#
#   scripts/cargo-for.sh wasm32-unknown-unknown build --release
#   scripts/cargo-for.sh x86_64-pc-windows-gnu check --locked
#
# scripts/system-packages.sh systems installs Debian's, where rustup has none.
set -euo pipefail

target=$1 command=$2
shift 2
cargo=${CARGO:-cargo}

has_library() { [ -n "$(ls -A "$(rustc --print target-libdir --target "$target" 2>/dev/null)" 2>/dev/null)" ]; }

if has_library || { rustup target add "$target" >/dev/null 2>&1 && has_library; }; then
    exec "$cargo" "$command" --target "$target" "$@"
fi

source=$(/usr/bin/rustc --print sysroot 2>/dev/null || true)/lib/rustlib/src/rust/library
if [ ! -d "$source" ]; then
    echo "there is no Rust for $target here. Either of these brings one:
  rustup target add $target
  apt-get install rustc-web rust-web-src lld-19    (Debian; scripts/system-packages.sh systems)" >&2
    exit 1
fi
unset RUSTUP_TOOLCHAIN
# Of any version: it takes the library's own lock file.
export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
# Debian's compiler has no linker of its own for browsers.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld-19
exec "$cargo" "$command" --target "$target" -Zbuild-std=std,panic_abort "$@"
