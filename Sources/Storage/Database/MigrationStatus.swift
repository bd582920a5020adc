/// How far the schema of one store is.
package struct MigrationStatus: Sendable, Equatable {
    /// A migration as the store remembers it.
    package struct Applied: Sendable, Equatable {
        package let number: Int
        package let slug: String
        package let checksum: String
        /// As it was given to the migrator: RFC 3339, UTC.
        package let appliedAt: String
    }

    /// In the order of their numbers.
    package let applied: [Applied]
    /// In the order in which they will be applied.
    package let pending: [Migration]

    package var isUpToDate: Bool { pending.isEmpty }
}
