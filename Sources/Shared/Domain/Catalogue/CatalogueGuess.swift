/// Which catalogue item a typed name means.
public enum CatalogueGuess: Sendable, Hashable {
    /// The name or an alias itself, or with a typing error.
    case sure(CatalogueItem)
    /// Similar ones, best first; at least one.
    case unsure([CatalogueItem])
    /// No item is similar, or the name has neither letters nor digits.
    case none

    /// Names of fewer letters are too often those of other services.
    private static let minimumLettersForSlip = 5
    private static let proposals = 5
    /// Of ``CatalogueMatcher``: the name or an alias begins with the text, or differs by one typo.
    private static let minimumScore = 50

    /// Compares a typed name with names and aliases, without case, accents, blanks and punctuation.
    public init(_ name: String, among items: [CatalogueItem]) {
        let typed = Self.letters(name)
        guard !typed.isEmpty else {
            self = .none
            return
        }
        let named = items.filter { Self.letters($0.name) == typed }
        let same = named.isEmpty ? items.filter { $0.aliases.contains { Self.letters($0) == typed } } : named
        if same.count == 1 {
            self = .sure(same[0])
            return
        }
        guard same.isEmpty else {
            self = .unsure(Array(same.prefix(Self.proposals)))
            return
        }
        let matcher = CatalogueMatcher(items.map { .init(id: $0.id, name: $0.name, aliases: $0.aliases) })
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        let similar = matcher.search(name, limit: Self.proposals).filter { $0.score >= Self.minimumScore }
            .compactMap { byID[$0.id] }
        if typed.count >= Self.minimumLettersForSlip {
            let slips = items.filter { item in
                ([item.name] + item.aliases).contains { Self.isSlip(typed, of: Self.letters($0)) }
            }
            // Another service so similar leaves a doubt.
            if slips.count == 1, similar.allSatisfy({ $0.id == slips[0].id }) {
                self = .sure(slips[0])
                return
            }
        }
        self = similar.isEmpty ? .none : .unsure(similar)
    }

    /// Letters and digits without case, accents and blanks.
    private static func letters(_ text: String) -> [UInt16] {
        TextFolding.fold(text).utf16.filter { $0 != 0x20 }
    }

    /// Whether one letter inside is missing, one is doubled, or two neighbours are swapped. A wrong letter, and one
    /// more or less at the end, are as likely another name: `Strata` is not `Strava`, `Canvas` not `Canva`.
    static func isSlip(_ typed: [UInt16], of name: [UInt16]) -> Bool {
        guard name.count >= minimumLettersForSlip, abs(typed.count - name.count) <= 1,
            let at = typed.indices.first(where: { !name.indices.contains($0) || typed[$0] != name[$0] }), at > 0,
            name.indices.contains(at)
        else { return false }
        switch typed.count - name.count {
        case -1: return typed[at...] == name[(at + 1)...]
        case 1: return typed[at] == typed[at - 1] && typed[(at + 1)...] == name[at...]
        default:
            return at + 1 < typed.count && typed[at] == name[at + 1] && typed[at + 1] == name[at]
                && typed[(at + 2)...] == name[(at + 2)...]
        }
    }
}
