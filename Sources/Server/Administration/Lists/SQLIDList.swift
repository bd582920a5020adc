package import Foundation
package import SQLDatabase
import SubGuardSQL

/// The list of a condition `id IN (?, ?, …)`.
///
/// Filled up with its last id to one of a few lengths, so that few statements are prepared.
package struct SQLIDList {
    package let arguments: [SQLValue]

    /// Nil without ids.
    package init?(_ ids: [UUID]) {
        guard let last = ids.last else { return nil }
        var length = 1
        while length < ids.count { length *= 4 }
        arguments = (ids + Array(repeating: last, count: length - ids.count)).map { .uuid($0) }
    }

    package var placeholders: String { "(" + arguments.map { _ in "?" }.joined(separator: ", ") + ")" }
}
