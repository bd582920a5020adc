import Foundation

/// A device's copy of the catalogue, as far as it matters here: which items there are, and how it is kept current.
package struct DeviceCatalogue: Sendable {
    /// For how long a copy is used without asking, in simulated milliseconds.
    package static let life: Int64 = 24 * 3_600_000

    package let token: String
    /// Of an answer that knew of no change since the token.
    package let entityTag: String?
    /// When the server last said that the copy is current.
    package var checkedAt: Int64
    /// As they came: devices share the memory of the pages.
    private let pages: [[String]]
    private let gone: Set<String>

    package init(pages: [ReceivedPage], token: String, at moment: Int64) {
        self.init(token: token, entityTag: nil, checkedAt: moment, pages: pages.map(\.ids), gone: [])
    }

    private init(token: String, entityTag: String?, checkedAt: Int64, pages: [[String]], gone: Set<String>) {
        self.token = token
        self.entityTag = entityTag
        self.checkedAt = checkedAt
        self.pages = pages
        self.gone = gone
    }

    package func isFresh(at moment: Int64) -> Bool { moment - checkedAt < Self.life }

    /// With what changed. `entityTag` is kept where nothing did: the next question is the same, and so may the answer be.
    package func applying(
        _ changes: [ReceivedPage], token: String, entityTag: String?, at moment: Int64
    ) -> DeviceCatalogue {
        let deleted = changes.flatMap(\.deleted)
        let added = changes.map(\.ids).filter { !$0.isEmpty }
        let isUnchanged = deleted.isEmpty && added.isEmpty && token == self.token
        return DeviceCatalogue(
            token: token, entityTag: isUnchanged ? entityTag : nil, checkedAt: moment, pages: pages + added,
            gone: gone.union(deleted))
    }

    /// The item at this place of the catalogue's popularity, or the next one that is neither deleted nor among `taken`;
    /// nil when there is none. The first items of the copy are the popular ones.
    ///
    /// - Parameter popularity: from 0 up to 1. Of evenly spread numbers the second item gets about two thirds as many as
    ///   the first, the tenth a seventh.
    package func item(at popularity: Double, except taken: [String?] = []) -> String? {
        let count = pages.reduce(0) { $0 + $1.count }
        // The inverse of the sum of 1 / (rank + 2), which the logarithm approximates.
        let rank = Int(1.5 * pow((Double(count) + 1.5) / 1.5, popularity) - 1.5)
        for offset in 0..<count {
            let id = item(number: (rank + offset) % count)
            if !gone.contains(id), !taken.contains(id) { return id }
        }
        return nil
    }

    private func item(number: Int) -> String {
        var rest = number
        for page in pages {
            if rest < page.count { return page[rest] }
            rest -= page.count
        }
        return ""
    }
}
