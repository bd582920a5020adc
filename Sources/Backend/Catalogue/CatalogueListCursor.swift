import Foundation
import SubGuardDomain

/// The place behind the last item of a page: its sort key and id, so that rows that come and go before it shift nothing.
package struct CatalogueListCursor: Sendable, Hashable {
    enum Key: Sendable, Hashable {
        case text(String)
        case integer(Int64)
    }

    package let sort: CatalogueSort
    let key: Key
    let id: UUID

    init(sort: CatalogueSort, key: Key, id: UUID) {
        self.sort = sort
        self.key = key
        self.id = id
    }

    /// Opaque text, safe in a URL.
    package var encoded: String {
        var bytes = Array(sort.wire.utf8)
        bytes.append(0)
        bytes.append(contentsOf: id.rawBytes)
        switch key {
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return Base64URL.text(of: bytes)
    }

    /// Nil for anything that ``encoded`` does not write.
    package init?(encoded: String) {
        guard let bytes = Base64URL.bytes(of: encoded), let end = bytes.firstIndex(of: 0), bytes.count >= end + 17,
            let sort = CatalogueSort(wire: String(decoding: bytes[..<end], as: UTF8.self)),
            let id = UUID(rawBytes: bytes[(end + 1)..<(end + 17)])
        else { return nil }
        let key = bytes[(end + 17)...]
        if sort.field == .updatedAt {
            guard key.count == 8 else { return nil }
            self.init(sort: sort, key: .integer(key.reduce(0) { $0 << 8 | Int64($1) }), id: id)
        } else {
            guard let text = String(validating: key, as: UTF8.self) else { return nil }
            self.init(sort: sort, key: .text(text), id: id)
        }
    }
}
