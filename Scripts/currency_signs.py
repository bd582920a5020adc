#!/usr/bin/env python3
"""Print the table of currency signs as Swift, from the Unicode CLDR data that ICU (Debian: libicu72 and later) holds.

Usage: Scripts/currency_signs.py --version                    print the version of ICU; exit with 1 when there is none
       Scripts/currency_signs.py Sources/…/Currency.swift     print the table for the currencies of that file

Scripts/generate calls it. Signs of every locale are taken: the usual, the narrow, the formal and the variant one.
"""

import ctypes
import ctypes.util
import re
import sys
import unicodedata

STYLES = {"symbol": 0, "narrow": 2, "formal": 3, "variant": 4}


def library():
    name = ctypes.util.find_library("icuuc")
    if not name:
        sys.exit("there is no ICU on this machine")
    return ctypes.CDLL(name), re.search(r"\d+", name.partition(".so")[2] or name).group()


def plain(sign):
    """As CurrencySign.plain in Swift: without blanks, points and marks of direction, in the usual width."""
    wide = {"\uffe1": "£", "\uffe5": "¥", "\uffe6": "₩"}
    letters = []
    for letter in sign:
        if letter == "." or letter.isspace() or unicodedata.category(letter) == "Cf":
            continue
        letter = wide.get(letter, letter)
        letters.append(chr(ord(letter) - 0xFEE0) if "\uff01" <= letter <= "\uff5e" else letter)
    return "".join(letters)


def signs(codes):
    """The currencies of each sign, and those of which it is the usual English one."""
    icu, version = library()
    name = getattr(icu, f"ucurr_getName_{version}")
    name.restype = ctypes.POINTER(ctypes.c_uint16)
    locale = getattr(icu, f"uloc_getAvailable_{version}")
    locale.restype = ctypes.c_char_p
    used, usual = {}, {}
    for number in range(getattr(icu, f"uloc_countAvailable_{version}")()):
        tag = locale(number)
        for code in codes:
            for style in STYLES.values():
                length, failure, is_choice = ctypes.c_int32(), ctypes.c_int(0), ctypes.c_int8(0)
                text = name(
                    ctypes.c_char_p((code + "\0").encode("utf-16-le")), tag, style, ctypes.byref(is_choice),
                    ctypes.byref(length), ctypes.byref(failure))
                if failure.value > 0:
                    continue
                sign = plain(ctypes.string_at(text, length.value * 2).decode("utf-16-le"))
                if not sign or sign == code or any(letter.isdigit() for letter in sign):
                    continue
                used.setdefault(sign, set()).add(code)
                if tag == b"en" and style == STYLES["symbol"]:
                    usual[sign] = code
    return used, usual


def main():
    if sys.argv[1:] == ["--version"]:
        print(library()[1])
        return
    source = open(sys.argv[1], encoding="utf-8").read()
    lists = re.findall(r'static let with\w+ = (?:"""(.*?)"""|"(.*?)")', source, re.DOTALL)
    codes = sorted({code for pair in lists for text in pair for code in text.split()})
    used, usual = signs(codes)
    print("// swift-format-ignore-file")
    print(f"// Made by Scripts/generate from the Unicode CLDR data of ICU {library()[1]}. Do not edit.")
    print()
    print("/// The signs of currencies in every language.")
    print("enum CurrencySignTable {")
    print("    /// A sign on each line, then the currencies that use it; the one it usually means has a plus.")
    print('    static let text = """')
    for sign in sorted(used):
        names = sorted(used[sign], key=lambda code: (code != usual.get(sign), code))
        marked = ["+" + code if code == usual.get(sign) or len(names) == 1 else code for code in names]
        print(f"        {sign} {' '.join(marked)}")
    print('        """')
    print("}")


if __name__ == "__main__":
    main()
