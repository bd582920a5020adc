public import Foundation
public import SubGuardDomain

/// Why the engine refused. Whatever was asked for is then undone whole.
public enum DeviceStoreError: Error, Sendable, Equatable {
    public enum Entity: String, Sendable {
        case subscription, occurrence, person, group, expense, transaction, budget, price
    }

    case notFound(Entity, id: String)
    /// The beginning of an id that several have.
    case ambiguous(Entity, id: String, candidates: [Candidate])
    case invalid(Fault)
    case premiumRequired(PremiumGate.Feature)
    /// An id is taken already.
    case duplicate(Entity, id: String)
    /// A file with bad rows, each with its line and what is wrong with it.
    case refusedRows([RefusedRow])
    /// The file is no backup, or was damaged; the reason is one sentence.
    case damagedBackup(String)
    case wrongPassphrase
    case passphraseRequired
    /// The backup or the store was written by a newer version.
    case tooNew(String)
    /// The work was cancelled by its caller.
    case cancelled
    /// The file system or SQLite said no.
    case storage(String)

    /// One of several that a beginning of an id may mean.
    public struct Candidate: Sendable, Hashable {
        public var id: UUID
        public var name: String

        public init(id: UUID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// One row of an import that cannot be taken.
    public struct RefusedRow: Error, Sendable, Hashable {
        /// The line of the file, or the number of the element, counted from 1.
        public var row: Int
        public var fault: Fault
    }
}

extension DeviceStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let entity, let id): "there is no \(entity.rawValue) \(id)"
        case .ambiguous(_, let id, let candidates):
            (["\(id) is ambiguous; give more of the id"] + candidates.map { "  \($0.id.lowercased)  \($0.name)" })
                .joined(separator: "\n")
        case .invalid(let fault): "\(fault.pointer): \(fault.detail)"
        case .premiumRequired(.unlimitedSubscriptions):
            "the free tier holds \(PremiumGate.freeSubscriptions) subscriptions; more need premium"
        case .premiumRequired(.customCategories): "category: categories other than pro and personal need premium"
        case .premiumRequired(.export): "this export needs premium; JSON export and backup are free"
        case .duplicate(let entity, let id): "there is a \(entity.rawValue) \(id) already"
        case .refusedRows(let rows):
            (["\(rows.count) rows cannot be imported; nothing was"]
                + rows.map { "  row \($0.row): \($0.fault.pointer): \($0.fault.detail)" }).joined(separator: "\n")
        case .damagedBackup(let reason): "the backup cannot be used: \(reason)"
        case .wrongPassphrase: "the passphrase is wrong"
        case .passphraseRequired: "the backup is sealed; it needs its passphrase"
        case .tooNew(let what): "\(what) was written by a newer version"
        case .cancelled: "cancelled; nothing was changed"
        case .storage(let what): "the store cannot be used: \(what)"
        }
    }
}
