/// A word of a payee: folded for comparison, and as the file has it.
package struct PayeeWord: Sendable, Hashable {
    package var word: String
    /// The token of the file that it stands in, and its place among the words there.
    let token: String
    private let place: Int
    private let count: Int

    /// As the file has it.
    package var part: String {
        let parts = token.split { !($0.isLetter || $0.isNumber) }
        return parts.count == count ? String(parts[place]) : word
    }

    /// With accents; in capitals as names have them. A mixture such as `NordVPN` stays.
    var shown: String {
        let part = part
        let isMixed = part.contains(where: \.isLowercase) && part.contains(where: \.isUppercase)
        if isMixed { return part }
        let lower = part.lowercased()
        return lower.prefix(1).uppercased() + lower.dropFirst()
    }

    var isNumber: Bool { word.utf8.allSatisfy(Self.isDigit) }
    var isLongNumber: Bool { isNumber && word.utf8.count > 3 }

    /// How many words of a text are read: the bank's may be among the first ones.
    private static let most = 12

    /// The words of a text without what belongs to one payment only, and without the bank's at its beginning unless
    /// these are kept.
    static func cleaned(_ text: String, keepsLead: Bool = false) -> [PayeeWord] {
        var text = String(text.prefix(300))[...]
        if let star = text.firstIndex(of: "*") ?? text.firstIndex(of: "_") {
            // `PAYPAL *SPOTIFY`, `PADDLE.NET* SETAPP`: the first name only passes the money on.
            let before = TextFolding.fold(String(text[..<star])).split(separator: " ").suffix(2).map(String.init)
            let after = text[text.index(after: star)...]
            if before.contains(where: PayeeWords.intermediaries.contains), after.contains(where: \.isLetter) {
                text = after
            }
        }
        let parts = PayeeTextPart.all(text)
        var words: [PayeeWord] = []
        let lead = keepsLead ? 0 : PayeeTextPart.lead(parts)
        // A number in several groups: the last ones may be short.
        var isInNumber =
            lead > 0 && parts[lead - 1].word.map { !$0.isNumber && isID($0.word, isFirst: false) } ?? false
        // Of a month with its day, the day is to be skipped too.
        var skipped = -1
        for place in parts.indices.dropFirst(lead) where place > skipped {
            guard let piece = parts[place].word else { continue }
            let word = piece.word
            let (next, before) = (place + 1 < parts.count ? parts[place + 1] : nil, place > 0 ? parts[place - 1] : nil)
            if !words.isEmpty {
                // `ON 23 JAN BCC`.
                if BankWords.beforeDays.contains(word), next?.isDay ?? false { continue }
                if BankWords.afterDays.contains(word), before?.isDay ?? false { continue }
                if MonthWords.isMonth(word), let number = next?.word?.word,
                    MonthWords.isDay(number: number) || MonthWords.isYear(number)
                {
                    skipped = place + 1
                    continue
                }
                if PayeeWords.markers.contains(word) { return words }
            }
            let isDigits = word.utf8.allSatisfy(isDigit)
            defer {
                isInNumber = isDigits && (word.utf8.count > 2 || isInNumber) || isID(word, isFirst: false)
            }
            guard !isID(word, isFirst: words.isEmpty), !(isInNumber && isDigits),
                words.isEmpty || !PayeeWords.noise.contains(word)
            else { continue }
            if words.isEmpty, PayeeWords.webWords.contains(word) { continue }
            words.append(piece)
            if words.count == most { return words }
        }
        return words
    }

    /// The folded words of a token with their parts of the text.
    package static func pieces(_ token: Substring) -> [PayeeWord] {
        let token = String(token)
        let words = TextFolding.fold(token).split(separator: " ")
        return words.enumerated().map { place, word in
            PayeeWord(word: String(word), token: token, place: place, count: words.count)
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Of more than two digits: a date, a card, a reference.
    static func isNumber(_ word: String) -> Bool {
        word.utf8.count > 2 && word.utf8.allSatisfy(isDigit)
    }

    /// A mixture of letters and digits as in references, a long number, or letters that no language writes.
    static func isID(_ word: String, isFirst: Bool) -> Bool {
        let digits = word.utf8.count(where: isDigit)
        let length = word.utf8.count
        if digits == length { return length > 3 }
        if digits >= 3 || digits == 2 && length - digits < 3 && length > 3 { return true }
        let vowels = "aeiouy"
        return !isFirst && digits == 0 && length >= 6 && word.utf8.allSatisfy { $0 < 0x80 }
            && !word.contains(where: vowels.contains)
    }
}

/// A word of a text, or something between words that is about one payment: a date, an amount.
struct PayeeTextPart {
    /// Nil for what is no word.
    let word: PayeeWord?
    /// Whether it is a day, with or without the year, or a time.
    let isDay: Bool
    /// Of the first word of a token, all its words together: `ecom` of `E-Com`; else the word.
    private let joined: String
    /// How many words the token has, for its first one; else one.
    private let width: Int
    /// Whether a colon ends it: `Naam:`.
    private let isLabel: Bool

    private init(_ word: PayeeWord?, isDay: Bool = false, joined: String = "", width: Int = 1, isLabel: Bool = false) {
        (self.word, self.isDay, self.joined, self.width, self.isLabel) = (word, isDay, joined, width, isLabel)
    }

    static func all(_ text: Substring) -> [PayeeTextPart] {
        var parts: [PayeeTextPart] = []
        let tokens = text.split { $0.isWhitespace || $0 == "*" || $0 == "_" || $0 == "|" }
        for token in tokens {
            if isDate(token) || isAmount(token) {
                parts.append(PayeeTextPart(nil, isDay: isDate(token)))
                continue
            }
            // A dash between blanks is no word.
            guard token.contains(where: { $0.isLetter || $0.isNumber || !$0.isASCII }) else { continue }
            let pieces = PayeeWord.pieces(token)
            for (place, piece) in pieces.enumerated() {
                if isMasked(piece.word) || MonthWords.isDay(piece.word) {
                    parts.append(PayeeTextPart(nil, isDay: !isMasked(piece.word)))
                    continue
                }
                let isFirst = place == 0
                parts.append(
                    PayeeTextPart(
                        piece, joined: isFirst && pieces.count > 1 ? pieces.map(\.word).joined() : piece.word,
                        width: isFirst ? pieces.count : 1,
                        isLabel: place + 1 == pieces.count && token.hasSuffix(":")))
            }
        }
        return joiningDays(parts)
    }

    /// `23 JAN` is a day.
    private static func joiningDays(_ parts: [PayeeTextPart]) -> [PayeeTextPart] {
        var joined: [PayeeTextPart] = []
        joined.reserveCapacity(parts.count)
        var place = 0
        while place < parts.count {
            if let day = parts[place].word?.word, MonthWords.isDay(number: day), place + 1 < parts.count,
                let month = parts[place + 1].word?.word, MonthWords.isMonth(month),
                // `12 Mars` alone is a name.
                joined.contains(where: { $0.word != nil }) || place + 2 < parts.count
            {
                joined.append(PayeeTextPart(nil, isDay: true))
                place += 2
            } else {
                joined.append(parts[place])
                place += 1
            }
        }
        return joined
    }

    /// How many of the parts at the beginning are the bank's: its words, with small words between them, and dates,
    /// amounts and numbers of cards.
    static func lead(_ parts: [PayeeTextPart]) -> Int {
        var start = 0
        var isAfterBank = false
        runs: while start < parts.count {
            var place = start
            while place < parts.count, place - start < longestRun {
                let part = parts[place]
                guard let piece = part.word, !PayeeWord.isNumber(piece.word), !PayeeWord.isID(piece.word, isFirst: true)
                else {
                    // `CARTE DU 12/03`, but `LE MONDE`.
                    guard isAfterBank || parts[start..<place].allSatisfy(\.isConnector) else { break runs }
                    start = place + 1
                    continue runs
                }
                let isWhole = part.width > 1 && BankWords.isOfBank(part.joined)
                let isBeside = BankWords.isBeside(piece.word)
                if isWhole || BankWords.isOfBank(piece.word) || part.isLabel && isBeside {
                    guard isAfterBank || place == start || !parts[start].isConnector else { break runs }
                    start = place + (isWhole ? part.width : 1)
                    isAfterBank = true
                    continue runs
                }
                guard isBeside || part.isConnector else { break runs }
                place += 1
            }
            break
        }
        return start
    }

    private static let longestRun = 10

    private var isConnector: Bool { word.map { BankWords.connectors.contains($0.word) } ?? false }

    /// `XXXX`, where the digits of a card were.
    private static func isMasked(_ word: String) -> Bool { word.utf8.count >= 4 && word.utf8.allSatisfy { $0 == 0x78 } }

    /// `12/03`, `12.03.`, `12.03.26`, `2026-03-12`, `10:00`, `12.03.26/10.00`.
    private static func isDate(_ token: Substring) -> Bool {
        guard let first = token.utf8.first, PayeeWord.isDigit(first) else { return false }
        var parts = token.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." || $0 == "-" || $0 == ":" }
        if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
        return (2...5).contains(parts.count) && parts.count != 4
            && parts.allSatisfy { (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(PayeeWord.isDigit) }
    }

    /// `13,49`, `1.234,56`.
    private static func isAmount(_ token: Substring) -> Bool {
        guard let comma = token.utf8.lastIndex(of: UInt8(ascii: ",")), comma > token.startIndex else { return false }
        let (whole, decimals) = (token[..<comma], token[token.index(after: comma)...])
        return decimals.utf8.count == 2 && decimals.utf8.allSatisfy(PayeeWord.isDigit)
            && whole.utf8.allSatisfy { PayeeWord.isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}
