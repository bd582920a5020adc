/// Keeps the best results of a search whose candidates come in the order of their names.
///
/// Within a rank that order is the wanted one already, so nothing is ever sorted.
struct SearchRanking {
    private let limit: Int
    private var textsByRank: [[Int]]
    private var plainCount = 0

    init(limit: Int) {
        self.limit = limit
        textsByRank = Array(repeating: [], count: CatalogueMatchKind.rankCount)
    }

    mutating func insert(text: Int, rank: Int) {
        guard textsByRank[rank].count < limit else { return }
        textsByRank[rank].append(text)
        if rank < CatalogueMatchKind.typo.rank(isAlias: false) { plainCount += 1 }
    }

    /// Whether a match with a typo could still be among the results.
    var hasRoomForTypos: Bool { plainCount < limit }

    var best: [(rank: Int, text: Int)] {
        var results: [(rank: Int, text: Int)] = []
        for rank in textsByRank.indices {
            for text in textsByRank[rank] {
                guard results.count < limit else { return results }
                results.append((rank, text))
            }
        }
        return results
    }
}
