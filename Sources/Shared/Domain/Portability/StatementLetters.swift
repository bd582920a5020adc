/// Tells an encoding by the letters that it makes.
///
/// Accented letters stand among letters of their case, and nearly all are those of one language: `Café` of a Mac is
/// `CafŽ` in Windows-1252, which no language writes.
enum StatementLetters {
    private static let candidates: [StatementEncoding] = [
        .windows1252, .iso8859p15, .windows1250, .iso8859p2, .windows1251, .macRoman, .cp850, .windows1254,
        .windows1253, .windows1255, .koi8r, .windows1256,
    ]
    private static let mostLetters = 4000

    private static let languages: [Set<Unicode.Scalar>] = [
        "àâæçéèêëîïôœùûüÿ", "äöüß", "áéíñóúü", "áâãàçéêíóôõúü", "àèéìòóùî", "åäöæøéü", "ëïéèüöóá", "ąćęłńóśźż",
        "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ", "čćđšž",
        "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґў", "çğıöşüâİ", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",
        "אבגדהוזחטיכךלמםנןסעפףצץקרשת", "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإآؤئ",
    ].map { Set(($0 + $0.uppercased()).unicodeScalars) }

    private static let symbols = Set("€£§°«»“”‘’‚„–—…·•®©™ªº½¼²³µ×¿¡\u{A0}".unicodeScalars)

    /// The encodings of pairs, with characters that statements in them are full of.
    private static let pairs: [(encoding: StatementEncoding, typical: Set<Unicode.Scalar>)] = [
        (.shiftJIS, scalars(0x3041...0x30FF, "日付金額円取引内容摘要残高入出支払落振込利用店名年月")),
        (.gb18030, scalars(nil, "日期时间交易金额余收支付款类型方式状态商品说明账户人民币摘要对银行转入出年月备注元")),
        (.big5, scalars(nil, "日期時間交易金額餘收支付款類型方式狀態商品說明帳戶摘要銀行轉入出年月備註元存提")),
        // Of Korean syllables, Chinese texts and letters with accents make others.
        (.eucKR, scalars(nil, "날짜거래내용금액일자시간입출잔고적요메모카드결제승인은행점이체기타구분취소가맹명월년원수")),
    ]

    private static func scalars(_ range: ClosedRange<UInt32>?, _ others: String) -> Set<Unicode.Scalar> {
        Set((range.map(Array.init) ?? []).compactMap(Unicode.Scalar.init)).union(others.unicodeScalars)
    }

    /// How much of the text is read to recognise an encoding of pairs.
    private static let mostOfPairs = 64 << 10

    /// The encoding of pairs in which a quarter of the characters are typical, and most stand beside another one; nil
    /// for none. Letters with accents of other encodings stand alone, and mostly make no valid pairs.
    private static func encodingOfPairs(_ bytes: [UInt8]) -> StatementEncoding? {
        var head = bytes.prefix(mostOfPairs)
        if head.count < bytes.count, let end = head.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            head = head[..<end]
        }
        var best: (share: Double, encoding: StatementEncoding?) = (0.25, nil)
        for (encoding, typical) in pairs {
            guard let text = encoding.text(head) else { continue }
            let runs = text.unicodeScalars.split { $0.value < 0x80 }
            let count = runs.reduce(0) { $0 + $1.count }
            guard count >= 4, runs.count(where: { $0.count == 1 }) * 2 < count else { continue }
            let share = Double(runs.reduce(0) { $0 + $1.count(where: typical.contains) }) / Double(count)
            if share > best.share { best = (share, encoding) }
        }
        return best.encoding
    }

    /// The encoding in which the letters make most sense; Windows-1252 where all are alike.
    static func encoding(of bytes: [UInt8]) -> StatementEncoding {
        if let encoding = encodingOfPairs(bytes) { return encoding }
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
        var hasCapitals = false
        var mayHaveCapitals = false
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
            if script(own) > 0, own.properties.isUppercase || own.properties.isLowercase {
                mayHaveCapitals = true
                hasCapitals = hasCapitals || own.properties.isUppercase
            }
            for (language, alphabet) in languages.enumerated() where alphabet.contains(own) { hits[language] += 1 }
            for neighbour in [before, after] {
                guard let neighbour, isLetter(neighbour) else { continue }
                if script(own) != script(neighbour) { points -= 2 }
            }
            // `LibellÉ` and `LIBELLé` are hardly ever written.
            if let before, before.properties.isLowercase, own.properties.isUppercase { points -= 2 }
            if let before, before.properties.isUppercase, let after, after.properties.isUppercase,
                own.properties.isLowercase
            {
                points -= 2
            }
        }
        // Greek and Cyrillic names of columns begin with capitals. Letters without any are of another script.
        if mayHaveCapitals, !hasCapitals { points -= letters }
        let known = hits.max() ?? 0
        return points + known * 2 - (letters - known)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }

    /// The first one is Latin.
    private static let scripts: [ClosedRange<UInt32>] = [
        0...0x36F, 0x370...0x3FF, 0x400...0x52F, 0x590...0x5FF, 0x600...0x6FF,
    ]

    private static func script(_ scalar: Unicode.Scalar) -> Int { scripts.firstIndex { $0 ~= scalar.value } ?? 0 }
}
