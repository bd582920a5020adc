/// In what way a name or alias matches, best first.
enum CatalogueMatchKind: Int {
    case exact
    /// The name begins with the query.
    case prefix
    /// A later word of the name begins with the query.
    case wordPrefix
    case infix
    /// The name is the query but for one typo.
    case typo
    /// The name begins with the query but for one typo.
    case typoPrefix
    /// A later word begins with the query but for one typo.
    case typoWordPrefix

    /// Position in the order of all results; an alias comes just behind a name that matches in the same way.
    func rank(isAlias: Bool) -> Int { rawValue * 2 + (isAlias ? 1 : 0) }

    static let rankCount = 14

    /// 100 for the best rank, 5 less for each further one.
    static func score(ofRank rank: Int) -> Int { 100 - 5 * rank }
}
