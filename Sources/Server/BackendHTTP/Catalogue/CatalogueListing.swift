import Catalogue
import Foundation
import HTTPServer
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TextCoding

/// `GET /api/v1/catalogue`: pages of the whole catalogue, or of the changes since a token.
struct CatalogueListing {
    private let limit: Int
    private let filter: CatalogueFilter
    private let cursor: PageCursor?
    private let since: Since
    private let list: PageCursor.List

    /// Throws 400 or 422 for an invalid query.
    init(_ request: Request) throws(HTTPFailure) {
        let query = try CatalogueQuery(query: request)
        limit = query.limit
        filter = CatalogueFilter(category: query.category, text: query.text)
        since = Since(query.since)
        // Cursors of the whole list contain the revision of the first page, which becomes the sync token, and the last
        // slug. Cursors of changes contain the last revision.
        list = PageCursor.List(since == .absent ? "catalogue" : "changes", ids: 0, filter.category, filter.text)
        cursor = query.cursor.flatMap { [list] in PageCursor($0, of: list) }
        guard (cursor == nil) == (query.cursor == nil) else {
            throw .invalid("cursor", .invalidCursor, PageCursor.fault)
        }
    }

    /// Whether the token is of a later revision.
    func isAhead(of view: CatalogueView) -> Bool {
        if case .token(let token) = since { token.epoch == view.epoch && token.revision > view.revision } else { false }
    }

    /// Returns a page and the cursor of the next one. Throws 410 for a token that is unreadable, older than the
    /// horizon, newer than the catalogue, or from another database.
    func body(from view: CatalogueView) throws(HTTPFailure) -> (bytes: [UInt8], next: String?) {
        switch since {
        case .absent: return listing(view)
        case .token(let token)
        where token.epoch == view.epoch && token.revision >= view.horizon && token.revision <= view.revision:
            return changes(view, since: token)
        case .token:
            throw HTTPFailure(
                .syncTokenExpired,
                "The changes since this token are no longer known. Read the catalogue from its start.")
        case .unreadable:
            throw HTTPFailure(
                .syncTokenExpired, "The token is not a sync_token of this server. Read the catalogue from its start.")
        }
    }

    private func listing(_ view: CatalogueView) -> (bytes: [UInt8], next: String?) {
        let search = filter.search(in: view)
        var revision = view.revision
        var remaining = view.items[...]
        if let cursor {
            // Changes made during paging are in the delta that follows.
            revision = min(max(0, cursor.number), view.revision)
            remaining = view.items[view.items.partitionIndex { $0.slug > cursor.text }...]
        }
        var page: [CatalogueItem] = []
        var hasMore = false
        for (place, item) in zip(remaining.indices, remaining) where filter.accepts(item, at: place, search) {
            if page.count == limit {
                hasMore = true
                break
            }
            page.append(item)
        }
        let next = hasMore ? page.last.map { PageCursor(number: revision, text: $0.slug) } : nil
        let token = next == nil ? SyncToken(epoch: view.epoch, revision: revision) : nil
        return render(items: page, deleted: nil, next: next, token: token)
    }

    private func changes(_ view: CatalogueView, since: SyncToken) -> (bytes: [UInt8], next: String?) {
        let search = filter.search(in: view)
        var after = since.revision
        if let cursor { after = max(after, cursor.number) }
        let remaining = view.changes[view.changes.partitionIndex { $0.revision > after }...]
        let page = remaining.prefix(limit)
        var items: [CatalogueItem] = []
        var deleted: [CataloguePage.Deletion] = []
        for change in page {
            switch change.subject {
            case .deletion(let tombstone):
                deleted.append(CataloguePage.Deletion(id: tombstone.id, mergedInto: tombstone.mergedInto))
            case .item(let item) where filter.accepts(item, at: view.place(of: item.id), search): items.append(item)
            // The item no longer matches the filter, so a filtered copy must delete it.
            case .item(let item):
                deleted.append(CataloguePage.Deletion(id: item.id, mergedInto: nil))
            }
        }
        let hasMore = page.count < remaining.count
        let next = hasMore ? page.last.map { PageCursor(number: $0.revision) } : nil
        let token = next == nil ? SyncToken(epoch: view.epoch, revision: view.revision) : nil
        return render(items: items, deleted: deleted, next: next, token: token)
    }

    private func render(
        items: [CatalogueItem], deleted: [CataloguePage.Deletion]?, next: PageCursor?, token: SyncToken?
    ) -> (bytes: [UInt8], next: String?) {
        let next = next?.encoded(for: list)
        let page = CataloguePage(items: items, deleted: deleted, nextCursor: next, syncToken: token?.text)
        return (page.json(capacity: 512 + page.items.count * 400), next)
    }
}

/// The parameter `since`. An unreadable token is handled like an expired one, because the device must drop both.
private enum Since: Equatable {
    case absent
    case token(SyncToken)
    case unreadable

    init(_ text: String?) {
        self = text.map { SyncToken($0).map(Since.token) ?? .unreadable } ?? .absent
    }
}

/// The filter of a list.
struct CatalogueFilter {
    let category: String?
    let text: String?

    /// Nil without a text, or if it is empty after folding.
    func search(in view: CatalogueView) -> CatalogueTextSearch? { text.flatMap(view.index.search(for:)) }

    /// Finds the text in name, slug and aliases, ignoring case and accents.
    func accepts(_ item: CatalogueItem, at place: Int?, _ search: CatalogueTextSearch?) -> Bool {
        if let category, item.category != category { return false }
        guard text != nil else { return true }
        guard let search, let place else { return false }
        return search.finds(place)
    }
}

/// The state of a device's catalogue copy: database and revision. Independent of any clock.
struct SyncToken: Equatable {
    let epoch: [UInt8]
    let revision: Int64

    private static let version: UInt8 = 1
    private static let epochBytes = 8

    init(epoch: [UInt8], revision: Int64) {
        self.epoch = epoch
        self.revision = revision
    }

    /// Nil for a text that is not a sync token of this format.
    init?(_ text: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.bytes(of: text), bytes.count == 1 + Self.epochBytes + 8,
            bytes[0] == Self.version
        else { return nil }
        epoch = Array(bytes[1...Self.epochBytes])
        revision = bytes[(1 + Self.epochBytes)...].reduce(0) { $0 << 8 | Int64($1) }
        guard revision >= 0 else { return nil }
    }

    var text: String {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * Int64($0))) }
        return Base64URL.text(of: [Self.version] + epoch + number)
    }
}
