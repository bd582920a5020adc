package import Foundation

/// The name of a service that a device misses in the catalogue. Nothing else is taken from the sender.
package struct Suggestion: Sendable, Hashable {
    /// Made by the device; sending it again changes nothing.
    package let id: UUID
    package let name: String

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}
