import Foundation
import JSONWire
import ZlibCoding

/// A device's copy of the catalogue, reduced to its items and its synchronisation state.
struct DeviceCatalogue: Sendable {
    /// How long a copy is up to date, in simulated milliseconds.
    static let life: Int64 = 24 * 3_600_000

    private(set) var token: String
    /// From a response without changes since the token.
    private(set) var entityTag: String?
    /// When the server last confirmed that the copy is current.
    var checkedAt: Int64
    /// As received, so that devices share the pages' memory.
    private var pages: [[String]]
    private var gone: Set<String> = []

    init(pages: [ReceivedPage], token: String, at moment: Int64) {
        (self.pages, self.token, checkedAt) = (pages.map(\.ids), token, moment)
    }

    func isFresh(at moment: Int64) -> Bool { moment - checkedAt < Self.life }

    /// Applies changes. `entityTag` is kept if there were none, because the next request is then the same.
    func applying(_ changes: [ReceivedPage], token: String, entityTag: String?, at moment: Int64) -> DeviceCatalogue {
        let isUnchanged = changes.allSatisfy { $0.deleted.isEmpty && $0.ids.isEmpty } && token == self.token
        var copy = self
        (copy.token, copy.entityTag, copy.checkedAt) = (token, isUnchanged ? entityTag : nil, moment)
        copy.pages += changes.map(\.ids).filter { !$0.isEmpty }
        copy.gone.formUnion(changes.flatMap(\.deleted))
        return copy
    }

    /// The item at this position of the catalogue's popularity, or the next one that is neither deleted nor in `taken`;
    /// nil if there is none. The first items of the copy are the most popular.
    ///
    /// - Parameter popularity: at least 0, less than 1. For uniformly distributed numbers, the second item is chosen
    ///   about two thirds as often as the first, the tenth a seventh.
    func item(at popularity: Double, except taken: [String?] = []) -> String? {
        let items = pages.joined()
        let count = pages.reduce(0) { $0 + $1.count }
        // The inverse of the sum of 1 / (rank + 2), which the logarithm approximates.
        let rank = Int(1.5 * pow((Double(count) + 1.5) / 1.5, popularity) - 1.5)
        let isFree = { (id: String) in !gone.contains(id) && !taken.contains(id) }
        return items.dropFirst(rank).first(where: isFree) ?? items.prefix(rank).first(where: isFree)
    }
}

/// The content of a catalogue page, as far as a device uses it.
struct ReceivedPage: Sendable, Equatable {
    let ids: [String]
    let deleted: [String]
    let nextCursor: String?
    let syncToken: String?
}

/// Parses pages of the catalogue. Thousands of devices receive the same bytes, which are parsed once; further copies
/// are compared bytewise and parsed again only if they differ.
struct CatalogueReader {
    struct Unreadable: Error {}

    private static let maximumPageBytes = 8 << 20
    /// Enough for all pages of the catalogue and the responses to the tokens of a day.
    private static let maximumPages = 256

    private var pages: [String: (body: [UInt8], page: ReceivedPage)] = [:]

    mutating func read(_ body: [UInt8], isCompressed: Bool, path: String) throws(Unreadable) -> ReceivedPage {
        if let known = pages[path], known.body == body { return known.page }
        let page = try Self.parse(body, isCompressed: isCompressed)
        if pages.count >= Self.maximumPages { pages.removeAll(keepingCapacity: true) }
        pages[path] = (body, page)
        return page
    }

    private static func parse(_ body: [UInt8], isCompressed: Bool) throws(Unreadable) -> ReceivedPage {
        let text = isCompressed ? try? Inflater.inflate(body, maximumBytes: maximumPageBytes) : body
        let object = text.flatMap { try? JSONValue.parse($0) }?.objectValue
        guard let object, let items = object["items"]?.arrayValue else { throw Unreadable() }
        let deleted = object["deleted"]?.arrayValue ?? []
        let (ids, gone) = (items.compactMap(id), deleted.compactMap(id))
        guard ids.count == items.count, gone.count == deleted.count else { throw Unreadable() }
        return ReceivedPage(
            ids: ids, deleted: gone, nextCursor: object["next_cursor"]?.stringValue,
            syncToken: object["sync_token"]?.stringValue)
    }

    private static func id(_ entry: JSONValue) -> String? { entry.objectValue?["id"]?.stringValue }
}
