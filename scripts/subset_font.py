#!/usr/bin/env python3
"""Makes assets/fonts/NotoSansSC-subset.otf: what the window writes Chinese with where the system has no such font.

    scripts/subset_font.py NotoSansCJK-Regular.ttc

Needs fonttools (pip install fonttools); the font is that of Debian's package fonts-noto-cjk, in
/usr/share/fonts/opentype/noto. It keeps ASCII, GB 2312's level 1 (the 3755 characters in common use), its punctuation and
full-width forms, and every character of assets/locale. Hinting goes: letters are drawn with antialiasing. The same font
and fonttools give the same bytes.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "assets/fonts/NotoSansSC-subset.otf"
FAMILY = "Noto Sans CJK SC"
# Rows of GB 2312, by their first byte: symbols, full-width ASCII, and level 1.
ROWS = [0xA1, 0xA3, *range(0xB0, 0xD8)]
# Copyright, family, style, PostScript name, licence and where it stands.
NAMES = [0, 1, 2, 6, 13, 14]


def characters() -> set[str]:
    found = {chr(code) for code in range(0x20, 0x7F)}
    for row in ROWS:
        for cell in range(0xA1, 0xFF):
            # The last row is not full.
            found.update(bytes([row, cell]).decode("gb2312", "ignore"))
    for texts in sorted((ROOT / "assets/locale").glob("*.ftl")):
        found.update(c for c in texts.read_text() if c.isprintable())
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    fonts = TTCollection(sys.argv[1]).fonts
    font = next(font for font in fonts if font["name"].getDebugName(1) == FAMILY)
    options = subset.Options(
        hinting=False, layout_features=[], name_IDs=NAMES, name_languages=[0x409], notdef_outline=True
    )
    # For vertical writing and for kerning, of which there is none.
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GDEF", "GPOS", "GSUB"]
    subsetter = subset.Subsetter(options)
    wanted = characters()
    subsetter.populate(text="".join(wanted))
    subsetter.subset(font)
    for name in font["name"].names:
        if name.nameID == 1:
            name.string = f"{FAMILY} subset"
    missing = wanted - {chr(code) for code in font.getBestCmap()}
    if missing:
        sys.exit(f"{sys.argv[1]} lacks {''.join(sorted(missing))}")
    font.recalcTimestamp = False
    font.save(OUT)
    print(f"{OUT}: {len(wanted)} characters, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
