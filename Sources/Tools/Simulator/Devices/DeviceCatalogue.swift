import Foundation

/// A device's copy of the catalogue, reduced to its items and its synchronisation state.
package struct DeviceCatalogue: Sendable {
    /// How long a copy is up to date, in simulated milliseconds.
    package static let life: Int64 = 24 * 3_600_000

    package private(set) var token: String
    /// From a response without changes since the token.
    package private(set) var entityTag: String?
    /// When the server last confirmed that the copy is current.
    package var checkedAt: Int64
    /// As received, so that devices share the pages' memory.
    private var pages: [[String]]
    private var gone: Set<String> = []

    package init(pages: [ReceivedPage], token: String, at moment: Int64) {
        self.pages = pages.map(\.ids)
        self.token = token
        checkedAt = moment
    }

    package func isFresh(at moment: Int64) -> Bool { moment - checkedAt < Self.life }

    /// Applies changes. `entityTag` is kept if there were none, because the next request is then the same.
    package func applying(
        _ changes: [ReceivedPage], token: String, entityTag: String?, at moment: Int64
    ) -> DeviceCatalogue {
        let isUnchanged = changes.allSatisfy { $0.deleted.isEmpty && $0.ids.isEmpty } && token == self.token
        var copy = self
        copy.token = token
        copy.entityTag = isUnchanged ? entityTag : nil
        copy.checkedAt = moment
        copy.pages += changes.map(\.ids).filter { !$0.isEmpty }
        copy.gone.formUnion(changes.flatMap(\.deleted))
        return copy
    }

    /// The item at this position of the catalogue's popularity, or the next one that is neither deleted nor in `taken`;
    /// nil if there is none. The first items of the copy are the most popular.
    ///
    /// - Parameter popularity: at least 0, less than 1. For uniformly distributed numbers, the second item is chosen
    ///   about two thirds as often as the first, the tenth a seventh.
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
