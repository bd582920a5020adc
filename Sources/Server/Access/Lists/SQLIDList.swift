package import Foundation
package import SQLDatabase
import SubGuardSQL

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
