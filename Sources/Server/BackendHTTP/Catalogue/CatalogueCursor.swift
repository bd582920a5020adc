import Foundation
import ServerContract

/// Where the next page of a list begins.
enum CatalogueCursor: Equatable {
    /// After this slug; the first page was of this revision, from which the device will synchronise.
    case listing(revision: Int64, afterSlug: String)
    /// After this revision.
    case changes(afterRevision: Int64)

    /// Of the list that a cursor belongs to: its filters. Eight hexadecimal digits.
    static func mark(of filter: CatalogueFilter) -> String {
        let parts = [filter.category, filter.text].map { $0.map { "+\($0)" } ?? "-" }
        return String(EntityTag(content: Array(parts.joined(separator: "\u{1F}").utf8)).opaque.prefix(8))
    }

    /// `nil` for a text that is no cursor of a list with this mark.
    init?(_ text: String, mark: String) {
        guard let bytes = OpaqueText.decode(text), let plain = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        let parts = plain.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1] == mark, let revision = Int64(parts[2]), revision >= 0 else { return nil }
        switch (parts[0], parts.count) {
        case ("l", 4): self = .listing(revision: revision, afterSlug: String(parts[3]))
        case ("c", 3): self = .changes(afterRevision: revision)
        default: return nil
        }
    }

    func text(mark: String) -> String {
        switch self {
        case .listing(let revision, let slug): OpaqueText.encode(Array("l:\(mark):\(revision):\(slug)".utf8))
        case .changes(let revision): OpaqueText.encode(Array("c:\(mark):\(revision)".utf8))
        }
    }
}
