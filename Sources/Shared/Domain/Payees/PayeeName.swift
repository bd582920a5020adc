/// The other party of a payment, without what differs from one payment to the next: card and mandate numbers, dates,
/// places, the bank's own words, and the service that only passes the money on.
public struct PayeeName: Sendable, Hashable {
    /// Folded words; the same for all payments to a payee. Empty when nothing is left.
    public let key: String
    /// The same with the short numbers that belong to names: `microsoft 365`.
    public let words: [String]
    /// How the payment was made.
    public let kind: Kind
    /// Whether the payee only passes money on, and nothing tells to whom: `PayPal Europe S.a.r.l.`.
    public let isService: Bool
    /// Whether it looks like the name of a person, who is no merchant.
    public let isPerson: Bool
    private let cleaned: [PayeeWord]

    /// What the bank says about the payment.
    public enum Kind: Int, Sendable, Hashable {
        /// By card, or not said.
        case card
        /// The payee collects it with a mandate.
        case directDebit
        /// The account's holder sends it, once or as a standing order, also between currencies.
        case transfer
        /// A withdrawal of cash, such as at a machine.
        case cash
        /// Instalments of a loan, rent and taxes.
        case obligation
    }

    /// - Parameters:
    ///   - payee: the name, or the whole text of the bank.
    ///   - note: further words of the bank; they tell the kind, and who is behind a payment service.
    ///   - type: the bank's name for the kind of payment, where it stands apart from the note.
    public init(_ payee: String, note: String = "", type: String = "") {
        let text = payee.isEmpty ? note : payee
        let (cleaned, isService) = Self.behind(text, note: payee.isEmpty ? "" : note)
        let said = PaymentType(
            payee: text, note: payee.isEmpty ? "" : note, type: type, name: cleaned.map(\.word))
        kind = said.kind
        self.isService = isService
        self.cleaned = cleaned
        words = cleaned.map(\.word)
        let letters = cleaned.filter { !$0.isNumber }
        key = letters.prefix(4).map(\.word).joined(separator: " ")
        isPerson = !said.isByCard && !isService && PersonName.isPerson(cleaned, in: text)
    }

    /// The name to show, with the accents of the file and in capitals as names have them. Ends before the name of a
    /// person that follows.
    public var display: String {
        let shown = isPerson ? cleaned[...] : PersonName.prefix(cleaned)
        return shown.filter { !$0.isLongNumber }.prefix(4).map(\.shown).joined(separator: " ")
    }

    /// All words as the file has them, also those of persons; for lists on the screen, not for storing.
    public var whole: String { cleaned.map(\.shown).joined(separator: " ") }

    /// Whether it has fewer words, or, as a fixed order, sorts first.
    package func isPlainer(than other: PayeeName) -> Bool {
        if words.count != other.words.count { return words.count < other.words.count }
        if words != other.words { return words.lexicographicallyPrecedes(other.words) }
        // By what is shown, then by the tokens of the file: `VIDEO` before `VIDEO,`.
        let (shown, others) = (cleaned.map(\.part), other.cleaned.map(\.part))
        if shown != others { return shown.lexicographicallyPrecedes(others) }
        let (tokens, otherTokens) = (cleaned.map(\.token), other.cleaned.map(\.token))
        if tokens != otherTokens { return tokens.lexicographicallyPrecedes(otherTokens) }
        if kind != other.kind { return kind.rawValue > other.kind.rawValue }
        return !isPerson && other.isPerson
    }

    /// The words of who gets the money: the merchant, or else the payment service, if that is all there is.
    private static func behind(_ text: String, note: String) -> (words: [PayeeWord], isService: Bool) {
        let words = PayeeWord.cleaned(text)
        if let named = PaymentService.merchant(named: words) { return (named, false) }
        guard let rest = PaymentService.rest(of: words) else { return (words, false) }
        if !rest.isEmpty { return (rest, false) }
        if let named = PaymentService.merchant(named: note) ?? PaymentService.merchant(in: note) {
            return (named, false)
        }
        return (Array(words.prefix(1)), true)
    }
}

/// A word of a payee: folded for comparison, and as the file has it.
package struct PayeeWord: Sendable, Hashable {
    package var word: String
    /// The token of the file that it stands in, and its place among the words there.
    fileprivate let token: String
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

    /// The words of a text without what belongs to one payment only.
    static func cleaned(_ text: String) -> [PayeeWord] {
        var text = String(text.prefix(300))[...]
        if let star = text.firstIndex(of: "*") ?? text.firstIndex(of: "_") {
            // `PAYPAL *SPOTIFY`, `PADDLE.NET* SETAPP`: the first name only passes the money on.
            let before = TextFolding.fold(String(text[..<star])).split(separator: " ").suffix(2).map(String.init)
            let after = text[text.index(after: star)...]
            if before.contains(where: PayeeWords.intermediaries.contains), after.contains(where: \.isLetter) {
                text = after
            }
        }
        var words: [PayeeWord] = []
        var isStart = true
        // A number in several groups: the last ones may be short.
        var isInNumber = false
        let tokens = text.split { $0.isWhitespace || $0 == "*" || $0 == "_" || $0 == "|" }
        for (place, token) in tokens.enumerated() {
            guard !isDate(token) else { continue }
            // `CARTE DU 12/03`, but `LE MONDE`.
            if isStart, place + 1 < tokens.count, isDate(tokens[place + 1]) || isNumber(String(tokens[place + 1])),
                PayeeWords.connectors.contains(token.lowercased())
            {
                continue
            }
            for piece in pieces(token) {
                let word = piece.word
                if isStart, PayeeWords.prefixes.contains(word) || isNumber(word) { continue }
                if !words.isEmpty, PayeeWords.markers.contains(word) { return words }
                let isDigits = word.utf8.allSatisfy(isDigit)
                defer {
                    isInNumber = isDigits && (word.utf8.count > 2 || isInNumber) || isID(word, isFirst: false)
                }
                guard !isID(word, isFirst: words.isEmpty), !(isInNumber && isDigits),
                    words.isEmpty || !PayeeWords.noise.contains(word)
                else { continue }
                if words.isEmpty, PayeeWords.webWords.contains(word) { continue }
                isStart = false
                words.append(piece)
                if words.count == 8 { return words }
            }
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
    private static func isNumber(_ word: String) -> Bool {
        word.utf8.count > 2 && word.utf8.allSatisfy(isDigit)
    }

    /// `12/03`, `12.03.26`, `2026-03-12`.
    private static func isDate(_ token: Substring) -> Bool {
        guard let first = token.utf8.first, isDigit(first) else { return false }
        let parts = token.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." || $0 == "-" || $0 == ":" }
        return (2...3).contains(parts.count)
            && parts.allSatisfy { (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }
    }

    /// A mixture of letters and digits as in references, a long number, or letters that no language writes.
    private static func isID(_ word: String, isFirst: Bool) -> Bool {
        let digits = word.utf8.count(where: isDigit)
        let length = word.utf8.count
        if digits == length { return length > 3 }
        if digits >= 3 || digits == 2 && length - digits < 3 && length > 3 { return true }
        let vowels = "aeiouy"
        return !isFirst && digits == 0 && length >= 6 && word.utf8.allSatisfy { $0 < 0x80 }
            && !word.contains(where: vowels.contains)
    }
}
