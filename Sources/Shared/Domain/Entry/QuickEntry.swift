/// One reading of a subscription typed on one line: `netflix 13,49`, `Le Monde 12,99 €/mois le 15 janvier`.
///
/// A name comes first; amount, cycle and next charge follow in any order, each at most once and each as people write
/// it.
public struct QuickEntry: Sendable, Hashable {
    /// The words of the name as typed, with single blanks; empty only from ``nameless(_:in:)``.
    public var name: String
    /// As it was typed; ``AmountText`` reads it.
    public var amount: String?
    /// The wire form.
    public var cycle: String?
    /// The next charge; nil when the line names no date for it.
    public var next: DayExpression?
    /// The end of a free trial: `trial 14 days`, `essai jusqu'au 15 janvier`.
    public var trialEnd: DayExpression?
    /// What looks like a date but is no day of the calendar, such as `31/02/2027`; taken for the next charge.
    public var impossibleDate: String?

    /// More words than a person types; the others would belong to the name.
    private static let maximumWords = 24
    /// The longest part in words: `toutes les deux semaines`, `essai gratuit de 14 jours`.
    private static let longestPart = 5

    /// All readings of a line, the one with the shortest name first: in `Office 365` the number may be an amount or
    /// belong to the name. The last one takes the whole line as the name. Empty for a blank line. `named` are the
    /// currencies in use; a single letter is the sign of one of these only.
    public static func readings(of line: String, in named: [Currency] = []) -> [QuickEntry] {
        let words = words(of: line)
        guard !words.isEmpty else { return [] }
        var readings: [QuickEntry] = []
        if words.count <= maximumWords {
            for start in 1..<max(words.count, 1) {
                var entry = QuickEntry(name: words[..<start].joined(separator: " "), named)
                if entry.read(words[start...]) { readings.append(entry) }
            }
        }
        readings.append(QuickEntry(name: words.joined(separator: " "), named))
        return readings
    }

    /// Whether the name ends with an amount beside the one that was read: `Canal+ 25,99 € monthly 5`. A number without
    /// sign and two decimals is one of the name, as in `Office 365` and `Windows 8.1`.
    public var hasTwoAmounts: Bool {
        guard amount != nil else { return false }
        let words = name.split(separator: " ")
        return (1...2).contains { count in
            guard words.count > count else { return false }
            let end = words.suffix(count).joined(separator: " ")
            guard let read = AmountText.read(end), read.sign.map(mayMean) ?? true else { return false }
            return read.sign != nil || read.decimal.suffix(3).first == "."
        }
    }

    /// A line with an amount and a cycle or date, but no name. Nil for all others.
    public static func nameless(_ line: String, in named: [Currency] = []) -> QuickEntry? {
        let words = words(of: line)
        guard words.count > 1, words.count <= maximumWords else { return nil }
        var entry = QuickEntry(name: "", named)
        return entry.read(words[...]) && entry.amount != nil ? entry : nil
    }

    private let named: [Currency]

    private init(name: String, _ named: [Currency]) {
        self.name = name
        self.named = named
    }

    /// Separates a cycle from its amount, as in `13,49€/mois` and `13 EUR/mois`.
    private static func words(of line: String) -> [String] {
        line.split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
            guard let slash = word.lastIndex(of: "/"), word[word.index(after: slash)...].first?.isLetter == true,
                let before = word[..<slash].last,
                !before.isLetter || isMoney(word[..<slash]) && CycleText.wire(String(word[slash...])) != nil
            else { return [String(word)] }
            return [String(word[..<slash]), String(word[slash...])]
        }
    }

    /// Whether it is an amount with its sign, or a sign: `99kr`, `zł`.
    private static func isMoney(_ text: Substring) -> Bool {
        if let sign = CurrencySign(String(text)) { return !sign.isLetter }
        return AmountText.read(String(text)) != nil
    }

    /// Reads words until none is left; false when one is neither amount, cycle nor date.
    private mutating func read(_ words: ArraySlice<String>) -> Bool {
        if words.isEmpty { return true }
        for count in stride(from: min(Self.longestPart, words.count), to: 0, by: -1) {
            let part = words.prefix(count).joined(separator: " ")
            for var entry in with(part) where entry.read(words.dropFirst(count)) {
                swap(&self, &entry)
                return true
            }
        }
        return false
    }

    /// False for an amount with its cycle: `12,99 /mois` is not every 99 months.
    private static func mayBeCycle(_ part: String) -> Bool {
        !part.contains { $0 == "," || $0 == "." } && part.dropFirst().firstIndex(of: "/") == nil
    }

    private func mayMean(_ sign: CurrencySign) -> Bool {
        !sign.isLetter || named.contains { sign.currencies.contains($0) }
    }

    /// This entry with one more part; the surest meaning of the part first.
    private func with(_ part: String) -> [QuickEntry] {
        var entries: [QuickEntry] = []
        if next == nil, impossibleDate == nil {
            if let day = DayExpression(part) {
                entries.append(self)
                entries[entries.count - 1].next = day
            } else if DayText.isImpossible(part) || DayExpression.isImpossible(part) {
                entries.append(self)
                entries[entries.count - 1].impossibleDate = part
            }
        }
        if trialEnd == nil, let day = Self.trialEnd(part) {
            entries.append(self)
            entries[entries.count - 1].trialEnd = day
        }
        if cycle == nil, Self.mayBeCycle(part), let wire = CycleText.wire(part) {
            entries.append(self)
            entries[entries.count - 1].cycle = wire
        }
        if amount == nil, let read = AmountText.read(part), read.sign.map(mayMean) ?? true {
            entries.append(self)
            entries[entries.count - 1].amount = part
        }
        return entries
    }

    /// `trial 14 days`, `free trial until 15 January`, `essai gratuit de 14 jours`, `14 days trial`.
    private static func trialEnd(_ part: String) -> DayExpression? {
        var words = part.split(separator: " ").map(String.init)
        let folded = { (word: String?) in word.map { TextFolding.fold($0) } ?? "" }
        if ["trial", "essai"].contains(folded(words.last)) { words.insert(words.removeLast(), at: 0) }
        if folded(words.first) == "free" { words.removeFirst() }
        guard ["trial", "essai"].contains(folded(words.first)) else { return nil }
        words.removeFirst()
        if ["gratuit", "period"].contains(folded(words.first)) { words.removeFirst() }
        if ["until", "till", "through", "to", "jusqu au", "jusqu a"].contains(folded(words.first)) {
            return DayExpression(words.dropFirst().joined(separator: " "))
        }
        if ["of", "for", "de"].contains(folded(words.first)) { words.removeFirst() }
        // `14-day trial`, but not minus 14 days.
        guard !words.contains(where: { $0.first == "-" || $0.first == "\u{2212}" }) else { return nil }
        let length = words.joined(separator: " ").replacing("-", with: " ")
        // `10 €/month trial` is no trial of ten months.
        guard length.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " }) else { return nil }
        return DayExpression("in " + length)
    }
}
