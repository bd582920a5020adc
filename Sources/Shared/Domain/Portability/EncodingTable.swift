import Foundation

/// The characters 0x80…0xFF of the encodings of one byte for each character.
enum EncodingTable {
    static let windows1252 = scalars(
        """
        €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """)

    static let iso8859p15 = scalars(
        unused
            + """
            \u{A0}¡¢£€¥Š§š©ª«¬\u{AD}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿\
            ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
            àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
            """)

    static let windows1250 = scalars(
        """
        €\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰Š‹ŚŤŽŹ\u{FFFD}‘’“”•–—\u{FFFD}™š›śťžź\
        \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """)

    static let iso8859p2 = scalars(
        unused
            + """
            \u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż\
            ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
            ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
            """)

    static let windows1251 = scalars(
        """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{FFFD}™љ›њќћџ\
        \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
        абвгдежзийклмнопрстуфхцчшщъыьэюя
        """)

    static let macRoman = scalars(
        """
        ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\
        †°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
        ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
        ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
        """)

    static let cp850 = scalars(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
        áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
        └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀\
        ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}
        """)

    /// Where ISO has control characters.
    private static let unused = String(repeating: "\u{FFFD}", count: 32)

    // Foundation has these as well, but reads some of the above differently on Linux.
    static let windows1253 = scalars(.windowsCP1253)
    static let windows1254 = scalars(.windowsCP1254)
    static let windows1255 = scalars(.page(0x505))
    static let windows1256 = scalars(.page(0x506))
    static let koi8r = scalars(.page(0xA02))

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

    private static func scalars(_ encoding: String.Encoding) -> [Unicode.Scalar] {
        (UInt8(0x80)...0xFF).map { byte in
            String(data: Data([byte]), encoding: encoding)?.unicodeScalars.first ?? "\u{FFFD}"
        }
    }
}

extension String.Encoding {
    /// One that has a number in Core Foundation only, `CFStringEncodingExt.h`.
    fileprivate static func page(_ number: UInt) -> String.Encoding { String.Encoding(rawValue: 0x8000_0000 | number) }
}

extension StatementEncoding {
    /// The character of a byte from 0x80 on; a replacement character for an unused one.
    func scalar(_ byte: UInt8) -> Unicode.Scalar {
        let place = Int(byte) - 0x80
        guard let table, table.indices.contains(place) else { return "\u{FFFD}" }
        return table[place]
    }

    private var table: [Unicode.Scalar]? {
        switch self {
        case .utf8, .utf16: nil
        case .windows1252: EncodingTable.windows1252
        case .iso8859p15: EncodingTable.iso8859p15
        case .windows1250: EncodingTable.windows1250
        case .iso8859p2: EncodingTable.iso8859p2
        case .windows1251: EncodingTable.windows1251
        case .macRoman: EncodingTable.macRoman
        case .cp850: EncodingTable.cp850
        case .windows1253: EncodingTable.windows1253
        case .windows1254: EncodingTable.windows1254
        case .windows1255: EncodingTable.windows1255
        case .windows1256: EncodingTable.windows1256
        case .koi8r: EncodingTable.koi8r
        case .shiftJIS, .gb18030, .big5, .eucKR: nil
        }
    }

    /// Whether most characters have two bytes.
    var hasPairs: Bool { pages != nil }

    private var pages: String.Encoding? {
        switch self {
        case .shiftJIS: .page(0x420)
        case .gb18030: .page(0x632)
        case .big5: .page(0x423)
        case .eucKR: .page(0x422)
        default: nil
        }
    }

    /// The text in an encoding of pairs; nil for bytes that are none.
    func text(_ bytes: some Collection<UInt8>) -> String? { pages.flatMap { String(data: Data(bytes), encoding: $0) } }
}
