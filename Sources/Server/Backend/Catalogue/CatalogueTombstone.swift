package import Foundation

/// What is left of an item that was deleted or merged into another.
package struct CatalogueTombstone: Sendable, Hashable {
    package let id: UUID
    /// The item that took its place, or nil when it was deleted.
    package let mergedInto: UUID?
    /// The revision at which it went.
    package let revision: Int64

    package init(id: UUID, mergedInto: UUID?, revision: Int64) {
        self.id = id
        self.mergedInto = mergedInto
        self.revision = revision
    }
}
