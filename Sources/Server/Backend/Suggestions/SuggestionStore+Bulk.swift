package import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What bulk moderation did with one group.
package enum SuggestionOutcome: String, Sendable {
    case approved
    case rejected
    case reopened
    case deleted
    case notFound = "not_found"
    /// The action needs a pending group, or one that is not approved, since what became an item is not undone here.
    case alreadyDecided = "already_decided"
    /// No item of the catalogue resembles the name.
    case noNearestItem = "no_nearest_item"
    /// The nearest item has as many aliases as it may.
    case tooManyAliases = "too_many_aliases"
}

extension SuggestionStore {
    /// The raw value is the name on the wire.
    package enum BulkAction: String, Sendable, CaseIterable {
        case approve
        case reject
        case reopen
        case delete
    }

    /// Characters of a reason.
    package static let reasonLength = 1...500

    /// The reason without white space around it. Throws the error at `pointer` when it is empty, too long or has control
    /// characters.
    package static func validateReason(_ text: String, pointer: String) throws(FieldError) -> String {
        let trimmed = CatalogueRules.trimmed(text)
        guard reasonLength.contains(trimmed.unicodeScalars.count) else {
            throw FieldError(
                pointer: pointer, code: "out_of_range",
                detail: "Must have \(reasonLength.lowerBound) to \(reasonLength.upperBound) characters.")
        }
        guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw FieldError(
                pointer: pointer, code: "invalid_characters", detail: "Must not contain control characters.")
        }
        return trimmed
    }

    /// Carries out one action on many groups, in one transaction. What cannot be done with one does not keep the others
    /// from it. A deleted group is forgotten with the ids of its suggestions: the name may be suggested anew.
    ///
    /// - Parameters:
    ///   - nearest: the item whose alias an approved group becomes, by the group's id; only `approve` reads it.
    ///   - reason: written to the audit log beside each change.
    package func moderate(
        _ ids: [UUID], _ action: BulkAction, nearest: [UUID: UUID] = [:], reason: String? = nil, by actor: Actor
    ) throws -> [(id: UUID, outcome: SuggestionOutcome)] {
        let now = context.now()
        return try context.store.write { transaction in
            try ids.map { id in
                guard let group = try SuggestionRow.find(id, in: transaction) else { return (id, .notFound) }
                switch action {
                case .approve:
                    guard group.status == .pending else { return (id, .alreadyDecided) }
                    guard let itemID = nearest[id] else { return (id, .noNearestItem) }
                    let outcome = try approve(group, mergingInto: itemID, reason, by: actor, at: now, in: transaction)
                    return (id, outcome)
                case .reject:
                    guard group.status != .approved else { return (id, .alreadyDecided) }
                    if group.status == .pending {
                        _ = try Self.decide(group, .rejected, reason: reason, by: actor, at: now, in: transaction)
                    }
                    return (id, .rejected)
                case .reopen:
                    if group.status != .pending {
                        _ = try Self.decide(group, .pending, reason: reason, by: actor, at: now, in: transaction)
                    }
                    return (id, .reopened)
                case .delete:
                    try delete(group, reason, by: actor, at: now, in: transaction)
                    return (id, .deleted)
                }
            }
        }
    }

    private func approve(
        _ group: SuggestionGroup, mergingInto itemID: UUID, _ reason: String?, by actor: Actor, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> SuggestionOutcome {
        do {
            _ = try merge(group, into: itemID, reason: reason, by: actor, at: now, in: transaction)
            return .approved
        } catch BackendError.invalid(let errors) {
            // Nothing has been written. The item may have gone since it was looked for.
            return errors.contains { $0.code == Self.tooManyAliases } ? .tooManyAliases : .noNearestItem
        }
    }

    private func delete(
        _ group: SuggestionGroup, _ reason: String?, by actor: Actor, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws {
        try transaction.execute("DELETE FROM suggestions WHERE group_id = ?", [.uuid(group.id)])
        try transaction.execute("DELETE FROM suggestion_groups WHERE id = ?", [.uuid(group.id)])
        try AuditLog.append(
            in: transaction,
            AuditChange(
                actor: actor, action: "suggestion.delete", subjectID: group.id,
                before: SuggestionRow.auditJSON(group), after: reason.map(Self.auditJSON)),
            at: now)
    }

    private static func auditJSON(reason: String) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("reason", reason)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
