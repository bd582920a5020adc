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
    /// Whether nothing but words of banks is left, which say nothing about who was paid.
    public let isOfBank: Bool
    /// The words of the text that are not known to be the bank's, without numbers; up to twelve, with those of a
    /// payment service.
    package let spelled: [String]
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
    ///   - note: further words of the bank; they tell the kind, and who is behind a payment service. Where the payee is
    ///     nothing but words of the bank, they name it.
    ///   - type: the bank's name for the kind of payment, where it stands apart from the note.
    public init(_ payee: String, note: String = "", type: String = "") {
        self.init(payee, note: note, type: type, dropping: 0)
    }

    /// - Parameter frame: how many of ``spelled`` are the bank's too.
    package init(_ payee: String, note: String, type: String, dropping frame: Int) {
        let (text, rest) = payee.isEmpty ? (note, "") : (payee, note)
        var named = (text: text, note: rest, words: PayeeWord.cleaned(text))
        if Self.sayNothing(named.words), !rest.isEmpty {
            let others = PayeeWord.cleaned(rest)
            if !Self.sayNothing(others) { named = (rest, "", others) }
        }
        // Nobody else is named: `ZAHLUNG`.
        if named.words.isEmpty { named.words = PayeeWord.cleaned(text, keepsLead: true) }
        spelled = named.words.filter { !$0.isNumber }.map(\.word)
        let (cleaned, isService) = Self.behind(Self.dropping(frame, named.words), note: named.note)
        let said = PaymentType(payee: text, note: rest, type: type, name: cleaned.prefix(Self.most).map(\.word))
        kind = said.kind
        self.isService = isService
        self.cleaned = Array(cleaned.prefix(Self.most))
        words = self.cleaned.map(\.word)
        let letters = self.cleaned.filter { !$0.isNumber }.map(\.word)
        key = letters.prefix(4).joined(separator: " ")
        isPerson = !said.isByCard && !isService && PersonName.isPerson(cleaned, in: named.text)
        isOfBank = !isService && letters.prefix(4).allSatisfy(BankWords.saysNothing)
    }

    private static func sayNothing(_ words: [PayeeWord]) -> Bool {
        words.allSatisfy { $0.isNumber || BankWords.saysNothing($0.word) }
    }

    private static let most = 8

    private static func dropping(_ count: Int, _ words: [PayeeWord]) -> [PayeeWord] {
        var left = count
        return Array(
            words.drop { word in
                guard left > 0 else { return false }
                if !word.isNumber { left -= 1 }
                return true
            })
    }

    /// The name to show, with the accents of the file and in capitals as names have them. Ends before the name of a
    /// person that follows.
    public var display: String {
        let shown = isPerson ? cleaned[...] : PersonName.prefix(cleaned)
        return shown.filter { !$0.isLongNumber }.prefix(4).map(\.shown).joined(separator: " ")
    }

    /// The word behind those of ``key``; nil without any.
    package var following: String? { cleaned.lazy.filter { !$0.isNumber }.dropFirst(4).first?.word }

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
    private static func behind(_ words: [PayeeWord], note: String) -> (words: [PayeeWord], isService: Bool) {
        if let named = PaymentService.merchant(named: words) { return (named, false) }
        guard let rest = PaymentService.rest(of: words) else { return (words, false) }
        if !rest.isEmpty { return (rest, false) }
        if let named = PaymentService.merchant(named: note) ?? PaymentService.merchant(in: note) {
            return (named, false)
        }
        return (Array(words.prefix(1)), true)
    }
}
