#!/usr/bin/env bash
# Sees to what the program loads at run time and the linker needs at build time.
#
#   scripts/system-packages.sh run     libraries for a window and for OpenGL
#   scripts/system-packages.sh test    the same, and a virtual X server
#   scripts/system-packages.sh web     what builds the page for browsers: the coder of its pictures, and Rust where rustup has none
#   scripts/system-packages.sh systems  Rust for Windows and macOS, where rustup has none
#   scripts/system-packages.sh dist    what builds packages for Linux, Windows and browsers
#   scripts/system-packages.sh pictures  libraries for OpenGL, and the coder of pictures
#   scripts/system-packages.sh chromium  what drives that page in tests
#
# Says nothing when all is there. Installs with apt-get as root or where sudo asks for no password;
# otherwise names what is missing and stops.
set -euo pipefail

packages=(libegl1 libgl1 libgl1-mesa-dri libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2
    libxkbcommon0 libxkbcommon-x11-0 libwayland-client0 libwayland-egl1)
libraries=(libEGL.so.1 libGL.so.1 libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libXrandr.so.2
    libxkbcommon.so.0 libxkbcommon-x11.so.0 libwayland-client.so.0 libwayland-egl.so.1)
programs=()
targets=()
case "${1:-}" in
    run) ;;
    test) packages+=(xvfb); programs+=(Xvfb) ;;
    web) packages=(webp) libraries=() programs=(cwebp) targets=(wasm32-unknown-unknown) ;;
    dist)
        packages+=(webp gcc-mingw-w64-x86-64) programs=(cwebp x86_64-w64-mingw32-gcc)
        targets=(x86_64-pc-windows-gnu wasm32-unknown-unknown)
        ;;
    systems) packages=() libraries=() targets=(x86_64-pc-windows-gnu aarch64-apple-darwin) ;;
    pictures) packages+=(webp); programs+=(cwebp) ;;
    chromium) packages=(chromium) libraries=() programs=(chromium) ;;
    *) echo "usage: $0 run|test|web|systems|dist|pictures|chromium" >&2; exit 2 ;;
esac

stop() { printf 'make: %s\n' "$@" >&2; exit 1; }

command -v "${CARGO:-cargo}" >/dev/null || stop "cargo is missing: install Rust from https://rustup.rs, then try again."
command -v cc >/dev/null || stop "a C linker (cc) is missing: install gcc (Debian, Ubuntu: apt-get install gcc), then try again."

# Rust for other systems: the toolchain's own, or else Debian's, which can build the standard library (cargo-for.sh).
for target in "${targets[@]}"; do
    if ! rustup target add "$target" >/dev/null 2>&1 &&
        ! ls "$(rustc --print target-libdir --target "$target" 2>/dev/null)" >/dev/null 2>&1; then
        packages+=(rustc-web rust-web-src lld-19)
        break
    fi
done

missing=()
if command -v dpkg-query >/dev/null; then
    installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
    for package in "${packages[@]}"; do
        grep -q "^$package installed$" <<<"$installed" || missing+=("$package")
    done
else
    # Another system: its packages have other names, but the libraries do not.
    cached=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)
    for library in "${libraries[@]}"; do
        [ -z "$cached" ] || grep -qF "$library" <<<"$cached" || missing+=("$library")
    done
    for program in "${programs[@]}"; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    [ ${#missing[@]} -eq 0 ] || stop "these libraries and programs are missing: ${missing[*]}." \
        "Install the packages of your system that hold them (and Mesa's OpenGL drivers), then try again."
fi
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=(env)
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n env)
else
    stop "these packages are missing: ${missing[*]}." "Install them with: sudo apt-get install ${missing[*]}"
fi

install() {
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" </dev/null
}
echo "make: installing system packages: ${missing[*]}"
# A fresh machine has no package lists yet; one with lists is spared the download.
install >/dev/null 2>&1 || { "${as_root[@]}" apt-get update </dev/null && install; } ||
    stop "apt-get could not install: ${missing[*]}." "Its messages are above; install them by hand, then try again."
