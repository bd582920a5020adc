/// Tells an encoding of one byte for each character by the letters that it makes.
///
/// Accented letters stand among letters of their case, and nearly all are those of one language: `Café` of a Mac is
/// `CafŽ` in Windows-1252, which no language writes.
enum StatementLetters {
    private static let candidates: [StatementEncoding] = [
        .windows1252, .iso8859p15, .windows1250, .iso8859p2, .windows1251, .macRoman, .cp850,
    ]
    private static let mostLetters = 4000

    private static let languages: [Set<Unicode.Scalar>] = [
        "àâæçéèêëîïôœùûüÿ", "äöüß", "áéíñóúü", "áâãàçéêíóôõúü", "àèéìòóùî", "åäöæøéü", "ëïéèüöóá", "ąćęłńóśźż",
        "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ", "čćđšž",
        "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґў",
    ].map { Set(($0 + $0.uppercased()).unicodeScalars) }

    private static let symbols = Set("€£§°«»“”‘’‚„–—…·•®©™ªº½¼²³µ×¿¡\u{A0}".unicodeScalars)

    /// The encoding in which the letters make most sense; Windows-1252 where all are alike.
    static func encoding(of bytes: [UInt8]) -> StatementEncoding {
        let places = Array(bytes.indices.lazy.filter { bytes[$0] >= 0x80 }.prefix(mostLetters))
        var best = (score: Int.min, encoding: StatementEncoding.windows1252)
        for encoding in candidates {
            let score = score(encoding, bytes, places)
            if score > best.score { best = (score, encoding) }
        }
        return best.encoding
    }

    private static func score(_ encoding: StatementEncoding, _ bytes: [UInt8], _ places: [Int]) -> Int {
        var points = 0
        var hits = languages.map { _ in 0 }
        var letters = 0
        let scalar = { (place: Int) -> Unicode.Scalar? in
            guard bytes.indices.contains(place) else { return nil }
            return bytes[place] < 0x80 ? Unicode.Scalar(bytes[place]) : encoding.scalar(bytes[place])
        }
        for place in places {
            let own = encoding.scalar(bytes[place])
            let before = scalar(place - 1)
            let after = scalar(place + 1)
            guard own.properties.isAlphabetic, own != "ª", own != "º" else {
                let isInside = before.map(isLetter) == true && after.map(isLetter) == true
                // An apostrophe stands between letters, other symbols do not.
                points += symbols.contains(own) ? (isInside && own != "’" ? -2 : 1) : -3
                continue
            }
            // A letter alone may be a sign in another encoding: `£12`.
            guard before.map(isLetter) == true || after.map(isLetter) == true else { continue }
            letters += 1
            for (language, alphabet) in languages.enumerated() where alphabet.contains(own) { hits[language] += 1 }
            for neighbour in [before, after] {
                guard let neighbour, isLetter(neighbour) else { continue }
                if isCyrillic(own) != isCyrillic(neighbour) { points -= 2 }
            }
            // `LibellÉ` and `LIBELLé` are hardly ever written.
            if let before, before.properties.isLowercase, own.properties.isUppercase { points -= 2 }
            if let before, before.properties.isUppercase, let after, after.properties.isUppercase,
                own.properties.isLowercase
            {
                points -= 2
            }
        }
        let known = hits.max() ?? 0
        return points + known * 2 - (letters - known)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }

    private static func isCyrillic(_ scalar: Unicode.Scalar) -> Bool { (0x400...0x4FF).contains(scalar.value) }
}
