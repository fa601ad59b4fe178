#!/bin/sh
# tools/pictures.sh [FOLDER]: pictures of each kind, light and dark, 400 and 1200 pixels wide, as PNG and, where chromium is
# installed, of the page (bench/pictures/pictures.dsl), into FOLDER (build/pictures), to be looked at.
cd "$(dirname "$0")/.." || exit 1
out=${1:-build/pictures}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1
for width in 400 1200; do
    build/dslc run bench/pictures/pictures.dsl -- --width=$width --folder="$out" || exit 1
    build/dslc run bench/pictures/pictures.dsl -- --width=$width --folder="$out" --dark || exit 1
done
cp bench/pictures/pictures.dsl "$out/page.dsl" && build/dslc notebook "$out/page.dsl" -o "$out/page.html" || exit 1
command -v chromium >/dev/null || { echo "no chromium: $out/page.html is left to a browser"; exit 0; }
for width in 400 1200; do
    for mode in light dark; do
        dark=$([ $mode = light ] || echo --blink-settings=preferredColorScheme=0)
        chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=$width,$((width * 4)) \
            ${dark:+"$dark"} --screenshot="$out/page-$mode-$width.png" "file://$out/page.html" >/dev/null 2>&1 || exit 1
    done
done
