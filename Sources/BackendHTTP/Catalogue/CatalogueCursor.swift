import Foundation

/// Where the next page of a list begins.
enum CatalogueCursor: Equatable {
    /// After this slug; the first page was of this revision, from which the device will synchronise.
    case listing(revision: Int64, afterSlug: String)
    /// After this revision.
    case changes(afterRevision: Int64)

    init?(_ text: String) {
        guard let bytes = OpaqueText.decode(text), let plain = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        let parts = plain.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let revision = Int64(parts[1]), revision >= 0 else { return nil }
        switch (parts[0], parts.count) {
        case ("l", 3): self = .listing(revision: revision, afterSlug: String(parts[2]))
        case ("c", 2): self = .changes(afterRevision: revision)
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .listing(let revision, let slug): OpaqueText.encode(Array("l:\(revision):\(slug)".utf8))
        case .changes(let revision): OpaqueText.encode(Array("c:\(revision)".utf8))
        }
    }
}
