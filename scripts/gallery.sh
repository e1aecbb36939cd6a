#!/usr/bin/env bash
# A page of all models in a folder: each with a picture by itself, one in the sea, its warnings, time and memory.
#
#   scripts/gallery.sh FOLDER OUT [PROGRAM]     target/release/pelagic if none is named
#
# OUT/index.html is the page, its pictures lie beside it. A model that is there already with all its pictures is not
# drawn again: remove its files to have it drawn anew. QUALITY (low) is the quality in the sea, LIMIT_S (120) the most
# seconds that one picture may take. The exit code is 1 if a model could not be used.
set -uo pipefail

[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$(realpath "$1") && [ -d "$folder" ] || { echo "gallery: there is no folder $1" >&2; exit 2; }
program=$(realpath "${3:-$(dirname "$0")/../target/release/pelagic}")
[ -x "$program" ] || { echo "gallery: there is no program $program: make run builds it" >&2; exit 2; }
mkdir -p "$2" && out=$(realpath "$2") || exit 2
quality=${QUALITY:-low} seconds=${LIMIT_S:-120}
unusable=0

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' <<<"$1"; }

# measured FILE COMMAND...: runs it, its words in FILE.txt; says its exit code, seconds and MiB in FILE.cost.
measured() {
    local file=$1 peak=0 now tenths started=$EPOCHREALTIME child code
    shift
    timeout "$seconds" "$@" >"$file.txt" 2>&1 </dev/null &
    child=$!
    while kill -0 "$child" 2>/dev/null; do
        # The command runs below timeout.
        for status in /proc/"$child"/task/*/children; do
            for below in $(cat "$status" 2>/dev/null); do
                now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' /proc/"$below"/status 2>/dev/null)
                [ "${now:-0}" -gt "$peak" ] && peak=$now
            done
        done
        sleep 0.02
    done
    wait "$child"
    code=$?
    # In microseconds: the clock's separator may be a comma.
    tenths=$(((${EPOCHREALTIME//[.,]/} - ${started//[.,]/}) / 100000))
    echo "$code $((tenths / 10)).$((tenths % 10)) $((peak > 0 ? peak / 1024 : 0))" >"$file.cost"
    return "$code"
}

page=$out/index.html
{
    echo '<!doctype html><meta charset="utf-8"><title>Models</title>'
    echo '<style>body{font:14px sans-serif;background:#10161c;color:#d8e2ea;margin:2em}img{width:32em;max-width:45vw}'
    echo 'td{vertical-align:top;padding:.5em}pre{white-space:pre-wrap;max-width:32em;color:#ffb27a}</style>'
    echo '<table>'
} >"$page.new"

number=0
while IFS= read -r -d '' model; do
    name=${model#"$folder"/}
    number=$((number + 1))
    # By its path, so that another model in the folder changes none of the others.
    at=$out/$(tr -c 'A-Za-z0-9.\n' '_' <<<"${name##*/}")-$(cksum <<<"$name" | cut -d' ' -f1)
    if [ ! -e "$at.png" ] || [ ! -e "$at.sea.png" ]; then
        measured "$at.check" "$program" model check "$model"
        measured "$at" "$program" model sheet "$model" --out "$at.png" --force
        written=${model//\\/\\\\}
        cat >"$at.toml" <<SCENE
[water]
type = "IA"

[camera]
eye_m = [1.3, -3.7, 1.9]
target_m = [0.0, -4.0, 0.0]

[[species]]
name = "it"
model = "${written//\"/\\\"}"
length_m = 1.5
length_spread = 0
behaviour = "still"
depth_m = [4.0, 4.1]
path_m = [[0.0, -4.0, 0.0]]
SCENE
        measured "$at.sea" "$program" shot --scene "$at.toml" --quality "$quality" --size 640x480 \
            --out "$at.sea.png" --force
    fi
    read -r code check_s check_mib <"$at.check.cost"
    read -r _ sea_s sea_mib <"$at.sea.cost"
    [ "$code" -eq 0 ] && [ -e "$at.sea.png" ] || unusable=$((unusable + 1))
    {
        echo "<tr><td colspan=2><h3>$(escaped "$name")</h3>$(stat -c %s "$model" 2>/dev/null || wc -c <"$model") bytes;" \
            "read in $check_s s with $check_mib MiB; in the sea in $sea_s s with $sea_mib MiB"
        echo "<pre>$(escaped "$(sed "s|$folder/||g" "$at.check.txt")")</pre>"
        [ -e "$at.sea.png" ] || echo "<pre>$(escaped "$(tail -n 5 "$at.sea.txt")")</pre>"
        echo "<tr>"
        for picture in "$at.png" "$at.sea.png"; do
            [ ! -e "$picture" ] || echo "<td><img loading=lazy src=\"${picture##*/}\">"
        done
    } >>"$page.new"
    printf '%4d  %-60s %s s\n' "$number" "${name:0:60}" "$sea_s"
done < <(find "$folder" -type f \( -iname '*.ms3d' -o -iname '*.glb' -o -iname '*.gltf' -o -iname '*.mdl' \) -print0 | sort -z)

mv "$page.new" "$page"
echo "$number models, $unusable of which could not be used: $page"
[ "$unusable" -eq 0 ]
