import Foundation
import SubGuardDomain

/// The place behind the last item of a page: its sort key and id, so that rows that come and go before it shift nothing.
package struct CatalogueListCursor: Sendable, Hashable {
    enum Key: Sendable, Hashable {
        case text(String)
        case integer(Int64)
    }

    /// Of the query that it belongs to.
    let mark: [UInt8]
    let key: Key
    let id: UUID

    private static let markBytes = 8
    private static let textKey: UInt8 = 0
    private static let integerKey: UInt8 = 1

    init(mark: [UInt8], key: Key, id: UUID) {
        self.mark = mark
        self.key = key
        self.id = id
    }

    /// Whether it was given out for this query.
    package func belongs(to query: CatalogueListQuery) -> Bool { mark == query.mark }

    /// Opaque text, safe in a URL.
    package var encoded: String {
        var bytes = mark + id.rawBytes
        switch key {
        case .text(let text): bytes += [Self.textKey] + text.utf8
        case .integer(let integer):
            bytes.append(Self.integerKey)
            withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return Base64URL.text(of: bytes)
    }

    /// Nil for anything that ``encoded`` does not write.
    package init?(encoded: String) {
        guard let bytes = Base64URL.bytes(of: encoded), bytes.count > Self.markBytes + 16,
            let id = UUID(rawBytes: bytes[Self.markBytes..<(Self.markBytes + 16)])
        else { return nil }
        let mark = Array(bytes.prefix(Self.markBytes))
        let key = bytes[(Self.markBytes + 17)...]
        switch bytes[Self.markBytes + 16] {
        case Self.textKey:
            guard let text = String(validating: key, as: UTF8.self) else { return nil }
            self.init(mark: mark, key: .text(text), id: id)
        case Self.integerKey:
            guard key.count == 8 else { return nil }
            self.init(mark: mark, key: .integer(key.reduce(0) { $0 << 8 | Int64($1) }), id: id)
        default: return nil
        }
    }
}
