package import Catalogue
package import EventLog
package import Foundation
package import ServerAccess
package import SubGuardDomain
package import Telemetry

extension Actor {
    package static let editor = Actor(tokenID: nil, name: "Zoë “the editor” O'Neill 🦊", requestID: "req-1")
}

extension CatalogueDraft {
    package static func sample(
        _ name: String = "Ciné+ “OCS” 🎬", slug: String = "cine-plus", amount: Int64 = 1299, aliases: [String] = []
    ) -> CatalogueDraft {
        CatalogueDraft(
            name: name, slug: slug, category: "streaming", typicalAmount: Money(minorUnits: amount, currency: .eur),
            billingCycle: .monthly, website: "https://example.com/\(slug)", cancelURL: "https://example.com/cancel",
            noticeDays: 30, aliases: aliases)
    }
}

extension CatalogueStore {
    /// Inserts an item for each slug, named after it.
    package func insert(slugs: [String]) throws {
        for slug in slugs { try insert(.sample(slug, slug: slug), id: nil, by: .editor) }
    }
}

/// An id that depends only on its number.
package func makeID(_ number: UInt64) -> UUID {
    UUIDv7.make(millisecondsSinceEpoch: 1_700_000_000_000, random: (0, number))
}

/// The 32 bytes of a user that depend only on its number.
package func userHash(_ number: Int) -> UserHash {
    let bytes =
        [UInt8](repeating: 0xA5, count: 24) + withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    // proof: 24 and 8 are 32 bytes.
    guard let hash = UserHash(bytes: bytes) else { preconditionFailure("24 and 8 are 32 bytes") }
    return hash
}

package func event(
    _ number: UInt64, _ name: String = "app_opened", user: Int = 1, at timestamp: String,
    properties: String? = nil
) throws -> AnalyticsEvent {
    try event(number, name, user: user, at: try instant(timestamp), properties: properties)
}

package func event(
    _ number: UInt64, _ name: String, user: Int, at timestamp: UTCInstant, properties: String? = nil
) throws -> AnalyticsEvent {
    guard let definition = EventRegistry.definition(named: name) else { throw MalformedTestData() }
    return AnalyticsEvent(
        id: makeID(number), definition: definition, userID: userHash(user), timestamp: timestamp,
        properties: properties.map { Array($0.utf8) })
}

extension EventBatch {
    package init(
        _ events: [AnalyticsEvent], rejected: [RejectedEvent] = [], receivedAt: String = "2026-11-20T10:00:00Z"
    ) throws {
        self.init(events: events, rejected: rejected, receivedAt: try instant(receivedAt), byteCount: 0)
    }
}

extension EventIngest {
    /// Submits a batch and waits for the result.
    package func store(_ batch: EventBatch) async throws -> IngestReceipt {
        try await withCheckedThrowingContinuation { continuation in
            submit(batch) { continuation.resume(with: $0) }
        }
    }

    @discardableResult
    package func store(_ events: [AnalyticsEvent]) async throws -> IngestReceipt {
        try await store(try EventBatch(events))
    }
}

extension CatalogueStore {
    /// A page of the current contents.
    package func list(
        matching query: CatalogueListQuery, after cursor: PageCursor?, limit: Int
    ) throws -> (items: [CatalogueItem], next: PageCursor?) {
        try CatalogueIndex(try loadSnapshot().items).list(matching: query, after: cursor, limit: limit)
    }

    package func importItems(
        _ rows: [CatalogueImportRow], by actor: Actor, dryRun: Bool
    ) throws -> CatalogueImportReport {
        var options = CatalogueImportOptions()
        options.isDryRun = dryRun
        return try importItems(rows, by: actor, options: options)
    }
}
