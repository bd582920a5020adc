import Cryptography
package import Foundation
import Locking
public import SubGuardDomain
import ZlibCoding

/// The catalogue that comes with the program, for a device that has none of a server. It is read when first asked for
/// an item, then kept.
public struct StarterCatalogue: Sendable {
    /// The day of the catalogue.
    public let day: CalendarDay
    /// How many items it has, known before it is read.
    public let itemCount: Int
    private let read: @Sendable () -> [UInt8]
    private let kept = Guarded<[CatalogueItem]?>(nil)

    /// A hundred times the starter catalogue.
    private static let maximumBytes = 16 << 20

    /// - Parameter read: gives the catalogue as CSV with the columns of `Config/catalogue.csv`, compressed with gzip.
    package init(day: CalendarDay, itemCount: Int, read: @escaping @Sendable () -> [UInt8]) {
        self.day = day
        self.itemCount = itemCount
        self.read = read
    }

    /// Sorted by slug. Rows that are not understood are left out.
    public var items: [CatalogueItem] {
        kept.withLock { kept in
            if let kept { return kept }
            let csv = (try? Inflater.inflate(read(), maximumBytes: Self.maximumBytes)) ?? []
            let updatedAt = UTCInstant(startOf: day)
            let items = CatalogueDraft.all(csv: csv).map {
                CatalogueItem(id: Self.id(slug: $0.slug), $0, updatedAt: updatedAt, revision: 0)
            }
            kept = items
            return items
        }
    }

    /// The id of an item, always the same for a slug. Of version 8, which no server makes.
    package static func id(slug: String) -> UUID { DerivedID.of("subguard starter catalogue\u{0}\(slug)") }

    /// Whether an id may be one of ``id(slug:)``.
    static func mayHave(_ id: UUID) -> Bool { id.uuid.6 >> 4 == 8 }
}
