#!/usr/bin/env bash
# Old and odd drivers and surroundings: what the program answers to each, as a table.
#
#   scripts/drivers.sh [PROGRAM]     target/release/pelagic if none is named
#
# Each row is a picture off-screen, or three frames in a window under Xvfb where the table says so. `yes` is a picture
# that is byte for byte that of the plain row; where the table expects `any`, the driver rounds in its own way. The exit
# code is 1 if a row is not as expected. Mesa's software renderer is used throughout: the variables are Mesa's.
set -uo pipefail

program=$(realpath "${1:-$(dirname "$0")/../target/release/pelagic}")
[ -x "$program" ] || { echo "drivers: there is no program $program: make run builds it" >&2; exit 2; }
room=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$room"' EXIT
cd "$room"
mkdir -m 700 xdg
export LIBGL_ALWAYS_SOFTWARE=1 XDG_RUNTIME_DIR="$room/xdg"
unset WAYLAND_DISPLAY WAYLAND_SOCKET DISPLAY RUST_LOG
wrong=0

# row NAME EXIT PICTURE COMMAND...: PICTURE is yes, any, or - for none.
row() {
    local name=$1 code=$2 picture=$3 got seen=-
    shift 3
    rm -f shot.png
    timeout 300 "$@" >stdout.txt 2>stderr.txt </dev/null
    got=$?
    if [ -e shot.png ]; then
        [ -e plain.png ] || cp shot.png plain.png
        cmp -s shot.png plain.png && seen=yes || seen=other
    fi
    local said=as\ expected
    if [ "$got" != "$code" ] || { [ "$picture" != any ] && [ "$seen" != "$picture" ]; } ||
        { [ "$picture" = any ] && [ "$seen" = - ]; } || grep -q panicked stderr.txt || ls -A | grep -q '\.part$'; then
        said="WRONG: $(tail -n 1 stderr.txt | cut -c1-160)"
        wrong=$((wrong + 1))
    fi
    printf '%-52s %4s %4s   %-7s %-7s %s\n' "$name" "$code" "$got" "$picture" "$seen" "$said"
}

shot() { row "$1" "$2" "$3" "${@:4}" "$program" shot --scene reef --size 160x90 --quality low --time 0.5 --out shot.png; }
window() { row "window: $1" "$2" - "${@:3}" "$program" --scene reef --size 160x90 --quality low --frames 3; }

printf '%-52s %4s %4s   %-7s %-7s\n' "" want exit picture "as plain"
shot "plain" 0 yes env
# Less than OpenGL 3.3: OpenGL ES takes its place.
shot "OpenGL 2.1" 0 yes env MESA_GL_VERSION_OVERRIDE=2.1 MESA_GLSL_VERSION_OVERRIDE=120
shot "OpenGL 3.1, ES 3.0" 0 yes env MESA_GL_VERSION_OVERRIDE=3.1 MESA_GLES_VERSION_OVERRIDE=3.0
shot "OpenGL 3.2, ES 2.0" 3 - env MESA_GL_VERSION_OVERRIDE=3.2 MESA_GLES_VERSION_OVERRIDE=2.0
shot "OpenGL ES asked for" 0 yes env PELAGIC_OPENGL=es
shot "OpenGL 3.3" 0 yes env MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330
shot "OpenGL 4.6" 0 yes env MESA_GL_VERSION_OVERRIDE=4.6 MESA_GLSL_VERSION_OVERRIDE=460
for missing in GL_KHR_debug "GL_KHR_robustness GL_ARB_robustness" "GL_ARB_buffer_storage GL_ARB_direct_state_access" \
    "GL_ARB_texture_storage GL_ARB_get_program_binary" "GL_ARB_clip_control GL_ARB_texture_view"; do
    shot "without ${missing// /, }" 0 yes env MESA_EXTENSION_OVERRIDE="-${missing// / -}"
done
# Parts of OpenGL 3.3, the last two of ES 3.0 too: without them Mesa offers less.
for missing in GL_ARB_timer_query GL_ARB_seamless_cube_map GL_ARB_sync; do
    shot "without $missing" 0 yes env MESA_EXTENSION_OVERRIDE="-$missing"
done
shot "without GL_EXT_texture_filter_anisotropic" 0 any env \
    MESA_EXTENSION_OVERRIDE="-GL_EXT_texture_filter_anisotropic -GL_ARB_texture_filter_anisotropic"
shot "no EGL vendor" 3 - env __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
shot "no driver" 3 - env LIBGL_DRIVERS_PATH=/nonexistent
shot "softpipe" 0 any env GALLIUM_DRIVER=softpipe
shot "one raster thread" 0 yes env LP_NUM_THREADS=1
shot "two raster threads" 0 yes env LP_NUM_THREADS=2
shot "no HOME" 0 yes env -u HOME
shot "no XDG_RUNTIME_DIR" 0 yes env -u XDG_RUNTIME_DIR
shot "an empty environment" 0 yes env -i LIBGL_ALWAYS_SOFTWARE=1
for which in "0<&-" "1>&-" "2>&-" "0<&- 1>&- 2>&-"; do
    shot "closed: $which" 0 yes bash -c "exec $which"'; exec "$@"' closed
done
shot "standard error full" 0 yes bash -c 'exec 2>/dev/full; exec "$@"' full

if command -v Xvfb >/dev/null; then
    Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>display 2>/dev/null &
    server=$!
    for _ in $(seq 100); do [ -s display ] && break || sleep 0.1; done
    DISPLAY=:$(cat display)
    export DISPLAY
    window "plain" 0 env
    window "OpenGL 3.1, ES 3.0" 0 env MESA_GL_VERSION_OVERRIDE=3.1 MESA_GLES_VERSION_OVERRIDE=3.0
    window "OpenGL 3.2, ES 2.0" 3 env MESA_GL_VERSION_OVERRIDE=3.2 MESA_GLES_VERSION_OVERRIDE=2.0
    window "OpenGL 3.3" 0 env MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330
    window "OpenGL 4.6" 0 env MESA_GL_VERSION_OVERRIDE=4.6 MESA_GLSL_VERSION_OVERRIDE=460
    window "without GL_KHR_debug, GL_KHR_robustness" 0 env MESA_EXTENSION_OVERRIDE="-GL_KHR_debug -GL_KHR_robustness"
    window "no EGL vendor: GLX" 0 env __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
    window "softpipe" 0 env GALLIUM_DRIVER=softpipe
    window "no HOME, no XDG_RUNTIME_DIR" 0 env -u HOME -u XDG_RUNTIME_DIR
    for which in "0<&-" "1>&-" "2>&-" "0<&- 1>&- 2>&-"; do
        window "closed: $which" 0 bash -c "exec $which"'; exec "$@"' closed
    done
else
    echo "no Xvfb: nothing was tried in a window"
fi
[ "$wrong" -eq 0 ] || { echo "$wrong rows are not as expected"; exit 1; }
