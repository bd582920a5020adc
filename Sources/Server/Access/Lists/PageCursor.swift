import Cryptography
package import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL
import TextCoding

/// The position after the last row of a page: the sort key and the id as tie-breaker, so that rows inserted or deleted
/// before it do not shift the next page. Clients receive it as opaque text.
package struct PageCursor: Sendable, Hashable {
    /// A list with its parameters. A cursor is accepted only by the list that it was made for.
    package struct List: Sendable, Hashable {
        /// Eight bytes that identify the list.
        fileprivate let mark: [UInt8]
        fileprivate let idCount: Int

        /// - Parameters:
        ///   - name: unique name of the list.
        ///   - ids: how many ids its cursors contain.
        ///   - parameters: everything except the page size that affects which rows are returned and in which order; nil
        ///     for an absent parameter.
        package init(_ name: String, ids: Int, _ parameters: String?...) {
            idCount = ids
            // The prefix distinguishes absent from empty.
            let parts = [name] + parameters.map { $0.map { "+\($0)" } ?? "-" }
            mark = Array(SHA256.hash(of: parts.joined(separator: "\u{1F}").utf8).prefix(8))
        }
    }

    /// Maximum bytes of an encoded cursor.
    package static let maximumBytes = 1024

    package var number: Int64
    package var text: String
    package var ids: [UUID]

    package init(number: Int64 = 0, text: String = "", ids: [UUID] = []) {
        self.number = number
        self.text = text
        self.ids = ids
    }

    /// Opaque text, safe in a URL.
    package func encoded(for list: List) -> String {
        let number = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return Base64URL.text(of: list.mark + number + ids.flatMap(\.rawBytes) + text.utf8)
    }

    /// Nil for anything that ``encoded(for:)`` does not write for this list.
    package init?(_ encoded: String, of list: List) {
        let textStart = 16 + 16 * list.idCount
        guard encoded.utf8.count <= Self.maximumBytes, let bytes = Base64URL.bytes(of: encoded),
            bytes.count >= textStart, Array(bytes[..<8]) == list.mark,
            let text = String(validating: bytes[textStart...], as: UTF8.self)
        else { return nil }
        self.init(
            number: bytes[8..<16].reduce(0) { $0 << 8 | Int64($1) }, text: text,
            ids: stride(from: 16, to: textStart, by: 16).compactMap { UUID(rawBytes: bytes[$0..<$0 + 16]) })
    }
}

/// Days in UTC, both ends included; nil is unbounded.
package struct DayRange: Sendable, Hashable {
    package var from: CalendarDay?
    package var to: CalendarDay?

    package init(from: CalendarDay? = nil, to: CalendarDay? = nil) {
        self.from = from
        self.to = to
    }

    /// The numbers of the first and the last day.
    package var numbers: (first: Int64, last: Int64) {
        (from.map { Int64($0.daysSinceEpoch) } ?? .min, to.map { Int64($0.daysSinceEpoch) } ?? .max)
    }
}

/// The list of a condition `id IN (?, ?, …)`.
///
/// Filled up with its last id to one of a few lengths, so that few statements are prepared.
package struct SQLIDList {
    package let arguments: [SQLValue]

    /// Nil without ids.
    package init?(_ ids: [UUID]) { self.init(ids.map { .uuid($0) }) }

    /// The same for hashes.
    init?(hashes: [[UInt8]]) { self.init(hashes.map { .blob($0) }) }

    private init?(_ values: [SQLValue]) {
        guard let last = values.last else { return nil }
        var length = 1
        while length < values.count { length *= 4 }
        arguments = values + Array(repeating: last, count: length - values.count)
    }

    package var placeholders: String { "(" + arguments.map { _ in "?" }.joined(separator: ", ") + ")" }
}
