#!/bin/sh
# Pelagic @VERSION@ in one file: sh FILE [arguments of pelagic]. The first start unpacks the archive behind this script into the
# user's cache, or else a temporary folder; whatever is there can be deleted at any time.
set -eu

fail() { printf 'pelagic: %s\n' "$1" >&2; exit 1; }

sum=@SUM@
archive() { tail -n +@FIRST_LINE@ "$0"; }

unpacked_in() {
    [ -x "$1/pelagic" ] && return
    command -v xz >/dev/null || fail 'xz is missing: install it (Debian, Ubuntu: apt install xz-utils), then start this again'
    mkdir -p "$1.part-$$" 2>/dev/null || return
    if command -v sha256sum >/dev/null; then
        [ "$(archive | sha256sum | cut -d ' ' -f 1)" = "$sum" ] || {
            rmdir "$1.part-$$"
            fail 'this file is damaged: download it again'
        }
    fi
    archive | xz -d | tar -x -f - -C "$1.part-$$" --strip-components=1 || {
        rm -rf "$1.part-$$"
        return 1
    }
    case $("$1.part-$$/pelagic" --version 2>&1) in
    *GLIBC_*)
        rm -rf "$1.part-$$"
        fail "this system's C library is older than the one that Pelagic was built with: use a newer system, or build it here"
        ;;
    esac
    # Something of it may have been deleted; and another start may have been faster.
    [ -x "$1/pelagic" ] || rm -rf "$1"
    mv -T "$1.part-$$" "$1" 2>/dev/null || rm -rf "$1.part-$$"
    [ -x "$1/pelagic" ]
}

name=pelagic/app/@VERSION@-$(printf %.8s "$sum")
folder=${XDG_CACHE_HOME:-${HOME:-/nowhere}/.cache}
unpacked_in "$folder/$name" && exec "$folder/$name/pelagic" "$@"
# Where others may write too, only a folder that is this user's own will do.
folder=${TMPDIR:-/tmp}/pelagic-$(id -u)
if mkdir -p -m 700 "$folder" 2>/dev/null && [ -O "$folder" ] && [ ! -L "$folder" ]; then
    unpacked_in "$folder/$name" && exec "$folder/$name/pelagic" "$@"
fi
fail 'there is no folder to unpack into: set XDG_CACHE_HOME to one with 60 MB of space'
