/// Which letter or digit stands for those that look like it. Rows are for lower case, behind the folding of
/// case: so В and в, of which only the first looks like B, both become b. The same table is printed in
/// `Protocol/aliases.md`.
package enum AliasLookAlikes {
    package static let table: [UInt32: String] = [
        // Digits and Latin
        0x0030: "o", 0x0031: "l", 0x0069: "l", 0x00ec: "l\u{300}", 0x00ed: "\u{13a}", 0x00ee: "l\u{302}",
        0x00ef: "l\u{308}", 0x0129: "l\u{303}", 0x012b: "l\u{304}", 0x012d: "l\u{306}", 0x012f: "l\u{328}",
        0x01d0: "\u{13e}", 0x0209: "l\u{30f}", 0x020b: "l\u{311}", 0x1e2d: "l\u{330}",
        0x1e2f: "l\u{308}\u{301}", 0x1ec9: "l\u{309}", 0x1ecb: "\u{1e37}",
        // Greek
        0x03ac: "\u{e1}", 0x03ad: "\u{e9}", 0x03ae: "h\u{301}", 0x03af: "\u{13a}", 0x03b1: "a", 0x03b2: "b",
        0x03b5: "e", 0x03b6: "z", 0x03b7: "h", 0x03b9: "l", 0x03ba: "k", 0x03bc: "m", 0x03bd: "n",
        0x03bf: "o", 0x03c1: "p", 0x03c4: "t", 0x03c5: "y", 0x03c7: "x", 0x03c9: "w", 0x03ca: "l\u{308}",
        0x03cb: "\u{ff}", 0x03cc: "\u{f3}", 0x03cd: "\u{fd}", 0x03ce: "\u{1e83}",
        // Cyrillic
        0x0430: "a", 0x0431: "6", 0x0432: "b", 0x0433: "r", 0x0435: "e", 0x0437: "3", 0x043a: "k",
        0x043c: "m", 0x043d: "h", 0x043e: "o", 0x0440: "p", 0x0441: "c", 0x0442: "t", 0x0443: "y",
        0x0445: "x", 0x0447: "4", 0x0450: "\u{e8}", 0x0451: "\u{eb}", 0x0453: "\u{155}", 0x0455: "s",
        0x0456: "l", 0x0457: "l\u{308}", 0x0458: "j", 0x045c: "\u{1e31}", 0x045e: "y\u{306}", 0x04af: "y",
        0x04bb: "h", 0x04cf: "l", 0x04d1: "\u{103}", 0x04d3: "\u{e4}", 0x04d5: "\u{e6}", 0x04d7: "\u{115}",
        0x04d9: "\u{259}", 0x04df: "3\u{308}", 0x04e7: "\u{f6}", 0x04ef: "\u{233}", 0x04f1: "\u{ff}",
        0x04f3: "y\u{30b}", 0x04f5: "4\u{308}", 0x0501: "d", 0x051b: "q", 0x051d: "w",
        // Armenian
        0x0566: "q", 0x0570: "h", 0x0575: "j", 0x0578: "n", 0x057d: "u", 0x057f: "s", 0x0581: "g",
        0x0585: "o",
        // Cherokee
        0x13fb: "g", 0x13fc: "b", 0xab70: "d", 0xab71: "r", 0xab72: "t", 0xab75: "l", 0xab79: "y",
        0xab7a: "a", 0xab7b: "j", 0xab7c: "e", 0xab83: "w", 0xab87: "m", 0xab8b: "h", 0xab90: "g",
        0xab93: "z", 0xab9e: "4", 0xaba4: "w", 0xaba9: "v", 0xabaa: "s", 0xabae: "l", 0xabaf: "c",
        0xabb2: "p", 0xabb6: "k",
    ]
}
