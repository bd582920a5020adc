import Foundation
import SubGuardContract
import SubGuardDomain
public import SubGuardEngine

/// Updates the device's copy of the catalogue.
struct CatalogueSync {
    let store: DeviceStore
    let server: ServerConnection

    /// A page of 500 items is about 250 KB.
    private static let maximumPageBytes = 8 << 20
    /// Maximum size of all pages together: they are in memory until the last one arrived. 1,300 bytes for each
    /// of the most items.
    private static let maximumBytes = 64 << 20
    /// Stops with a server that never ends.
    private static let maximumPages = 400
    private static let pageSize = 500
    /// The token is sent back in the URL of the next request.
    private static let maximumTokenBytes = 1024

    enum Outcome {
        case fresh
        case unchanged
        /// Numbers of changed and deleted items; `isWhole` when the complete catalogue was downloaded.
        case updated(changed: Int, deleted: Int, isWhole: Bool)
    }

    /// - Parameter force: checks even if the copy is up to date.
    func run(force: Bool, at moment: Moment) async throws -> Outcome {
        guard let copy = try store.catalogue.copy(), copy.server == server.address.text else {
            return try await whole(at: moment)
        }
        if !force, copy.isUpToDate(at: moment.now) { return .fresh }
        do {
            return try await changes(since: copy, at: moment)
        } catch ClientError.refused(let status, _, _) where [400, 410, 414, 422].contains(status) {
            // The token is too old, of another database, or invalid: download everything.
            return try await whole(at: moment)
        } catch ClientError.answerTooLarge {
            // So many changes that the whole may be less.
            return try await whole(at: moment)
        }
    }

    private func whole(at moment: Moment) async throws -> Outcome {
        let (pages, token) = try await pages(since: nil, at: moment)
        let items = pages.flatMap(\.items).compactMap(Self.sound)
        // An item can occur twice when it moved during paging; the next delta corrects it.
        var seen: Set<UUID> = []
        let update = CatalogueUpdate(
            since: nil, items: items.filter { seen.insert($0.id).inserted }, deleted: [], syncToken: token,
            entityTag: nil)
        _ = try store.catalogue.apply(update, from: server.address.text, at: moment)
        return .updated(changed: seen.count, deleted: 0, isWhole: true)
    }

    private func changes(since copy: CatalogueCopy, at moment: Moment) async throws -> Outcome {
        var call = call(since: copy.syncToken, cursor: nil)
        call.ifNoneMatch = copy.entityTag
        let answer = try await listing(call, at: moment)
        if answer.status == 304 {
            try store.catalogue.confirm(copy, at: moment)
            return .unchanged
        }
        let (pages, token) = try await pages(since: copy.syncToken, first: answer, at: moment)
        let changed = pages.flatMap(\.items)
        let items = changed.compactMap(Self.sound)
        let dropped = Set(changed.map(\.id)).subtracting(items.map(\.id))
        let deleted = pages.flatMap { $0.deleted ?? [] }.map { ($0.id, $0.mergedInto) } + dropped.map { ($0, nil) }
        let isUnchanged = items.isEmpty && deleted.isEmpty && token == copy.syncToken
        let update = CatalogueUpdate(
            since: copy.syncToken, items: items, deleted: deleted, syncToken: token,
            // Without changes the next request is the same, so its ETag can be used.
            entityTag: isUnchanged ? answer.fields["etag"] : nil)
        _ = try store.catalogue.apply(update, from: server.address.text, at: moment)
        return isUnchanged ? .unchanged : .updated(changed: items.count, deleted: deleted.count, isWhole: false)
    }

    /// The item without aliases, a category or a notice period that no server of this program accepts; nil for such a
    /// name or slug, as with controls.
    private static func sound(_ item: CatalogueItem) -> CatalogueItem? {
        var item = item
        guard CatalogueRules.nameError(item.name, field: "") == nil,
            CatalogueRules.slugError(item.slug, field: "") == nil
        else { return nil }
        item.draft.aliases.removeAll { CatalogueRules.nameError($0, field: "") != nil }
        if CatalogueRules.categoryError(item.draft.category, field: "") != nil {
            item.draft.category = SubscriptionCategory.other.wire
        }
        if let days = item.draft.noticeDays, !CatalogueRules.noticeDaysRange.contains(days) {
            item.draft.noticeDays = nil
        }
        return item
    }

    /// All pages, or none.
    private func pages(
        since: String?, first: TransportAnswer? = nil, at moment: Moment
    ) async throws -> (pages: [CataloguePage], token: String) {
        var pages: [CataloguePage] = []
        var cursor: String?
        var (bytes, entries) = (0, 0)
        var answer = first
        while pages.count < Self.maximumPages {
            let call = call(since: since, cursor: cursor)
            let received: TransportAnswer
            if let answer { received = answer } else { received = try await listing(call, at: moment) }
            answer = nil
            bytes += received.body.count
            guard bytes <= Self.maximumBytes else { throw ClientError.answerTooLarge }
            let object = try ServerConnection.object(received, call)
            guard let page = try? CataloguePage(object, unknown: .ignored) else {
                throw ClientError.unreadable(call: call.route.template)
            }
            entries += page.items.count + (page.deleted?.count ?? 0)
            guard entries <= DeviceStore.Catalogue.maximumItems else { throw ClientError.answerTooLarge }
            pages.append(page)
            guard let next = page.nextCursor else {
                guard let token = page.syncToken, token.utf8.count <= Self.maximumTokenBytes else {
                    throw ClientError.unreadable(call: call.route.template)
                }
                return (pages, token)
            }
            guard next != cursor else { break }
            cursor = next
        }
        throw ClientError.unreadable(call: APIOperation.catalogue.template)
    }

    /// A page. Notes whether the server gives premium to all.
    private func listing(_ call: ServerCall, at moment: Moment) async throws -> TransportAnswer {
        let answer = try await server.answer(to: call)
        let isForAll = answer.fields[APIOperation.premiumField.lowercased()] == "all"
        try store.premium.noteGiver(isForAll ? server.address.text : nil, at: moment)
        return answer
    }

    private func call(since: String?, cursor: String?) -> ServerCall {
        var call = ServerCall(.catalogue)
        call.query = [("limit", "\(Self.pageSize)")]
        if let since { call.query.append(("since", since)) }
        if let cursor { call.query.append(("cursor", cursor)) }
        call.maximumAnswerBytes = Self.maximumPageBytes
        return call
    }
}

extension StarterCatalogue {
    /// The starter catalogue of this version, `Config/catalogue.csv`.
    public static let builtIn = StarterCatalogue(
        day: CalendarDay(iso: EmbeddedCatalogue.day) ?? .earliest, itemCount: EmbeddedCatalogue.itemCount
    ) {
        Data(base64Encoded: EmbeddedCatalogue.gzip, options: .ignoreUnknownCharacters).map { Array($0) } ?? []
    }
}
