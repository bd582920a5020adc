import JSONWire
import ZlibCoding

/// The content of a catalogue page, as far as a device uses it.
package struct ReceivedPage: Sendable, Equatable {
    package let ids: [String]
    package let deleted: [String]
    package let nextCursor: String?
    package let syncToken: String?

    package init(ids: [String], deleted: [String], nextCursor: String?, syncToken: String?) {
        self.ids = ids
        self.deleted = deleted
        self.nextCursor = nextCursor
        self.syncToken = syncToken
    }
}

/// Parses pages of the catalogue. Thousands of devices receive the same bytes, which are parsed once; further copies
/// are compared bytewise and parsed again only if they differ.
package struct CatalogueReader {
    package struct Unreadable: Error {}

    private static let maximumPageBytes = 8 << 20
    /// Enough for all pages of the catalogue and the responses to the tokens of a day.
    private static let maximumPages = 256

    private var pages: [String: (body: [UInt8], page: ReceivedPage)] = [:]

    package init() {}

    package mutating func read(_ body: [UInt8], isCompressed: Bool, path: String) throws(Unreadable) -> ReceivedPage {
        if let known = pages[path], known.body == body { return known.page }
        let page = try Self.parse(body, isCompressed: isCompressed)
        if pages.count >= Self.maximumPages { pages.removeAll(keepingCapacity: true) }
        pages[path] = (body, page)
        return page
    }

    private static func parse(_ body: [UInt8], isCompressed: Bool) throws(Unreadable) -> ReceivedPage {
        let text: [UInt8]
        do {
            text = isCompressed ? try Inflater.inflate(body, maximumBytes: maximumPageBytes) : body
        } catch { throw Unreadable() }
        guard let object = (try? JSONValue.parse(text))?.objectValue, let items = object["items"]?.arrayValue else {
            throw Unreadable()
        }
        let ids = items.compactMap { $0.objectValue?["id"]?.stringValue }
        let deleted = object["deleted"]?.arrayValue ?? []
        let gone = deleted.compactMap { $0.objectValue?["id"]?.stringValue }
        guard ids.count == items.count, gone.count == deleted.count else { throw Unreadable() }
        return ReceivedPage(
            ids: ids, deleted: gone, nextCursor: object["next_cursor"]?.stringValue,
            syncToken: object["sync_token"]?.stringValue)
    }
}
