public import Foundation
import SQLDatabase
import SQLiteDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Drafts {
    /// Stores typed values without applying them, so that a crash loses nothing.
    func keep(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws {
        try store.requireWritable()
        try DeviceStore.mapping {
            try store.database.write { session in
                for (field, value) in draft {
                    try session.execute(
                        """
                        INSERT INTO drafts (subscription, field, value, written_at) VALUES (?, ?, ?, ?) \
                        ON CONFLICT (subscription, field) DO UPDATE \
                        SET value = excluded.value, written_at = excluded.written_at
                        """,
                        [.uuid(id), .text(field.rawValue), .text(value), .instant(moment.now)])
                }
            }
        }
    }

    /// Values that were typed but not applied, because of a crash or a broken rule.
    public func all() throws -> [UUID: SubscriptionDraft] {
        var drafts: [UUID: SubscriptionDraft] = [:]
        try store.read { session in
            try session.forEach("SELECT subscription, field, value FROM drafts", []) { row in
                guard let field = SubscriptionField(rawValue: try row.text(1)) else { return }
                drafts[try row.uuid(0), default: [:]][field] = try row.text(2)
            }
        }
        return drafts
    }

    /// Applies the draft of a subscription and deletes it in the same transaction. A draft that breaks a rule is kept.
    @discardableResult
    public func apply(_ id: UUID, at moment: Moment) throws -> Subscription? {
        guard let draft = try all()[id] else { return nil }
        return try store.write(at: moment, as: .subscriptionEdited) { unit in
            let subscription = try unit.edit(id, draft)
            for (field, value) in draft {
                // Keep a value that was typed in the meantime.
                try unit.session.execute(
                    "DELETE FROM drafts WHERE subscription = ? AND field = ? AND value = ?",
                    [.uuid(id), .text(field.rawValue), .text(value)])
            }
            return subscription
        }
    }

    /// Deletes the draft of a subscription.
    public func discard(_ id: UUID, at moment: Moment) throws {
        try store.write(at: moment) { try $0.session.execute("DELETE FROM drafts WHERE subscription = ?", [.uuid(id)]) }
    }
}

/// Saves edits of a form once the typing pauses.
///
/// Each value is on disk as a draft when ``type(_:_:at:)`` returns, and applied as one edit after the pause. After a
/// crash, ``DeviceStore/Drafts/all()`` returns what was not applied.
public actor DraftAutosave {
    private let store: DeviceStore
    private let pause: Duration
    private let finished: @Sendable (UUID, Result<Subscription, any Error>) -> Void
    private var waiting: [UUID: Task<Void, Never>] = [:]

    /// - Parameters:
    ///   - store: the database of the drafts and of the subscriptions that they edit.
    ///   - pause: the time without typing before an edit is applied. Default: 500 ms.
    ///   - finished: called after each edit was applied or refused.
    public init(
        store: DeviceStore, pause: Duration = .milliseconds(500),
        finished: @escaping @Sendable (UUID, Result<Subscription, any Error>) -> Void = { _, _ in }
    ) {
        self.store = store
        self.pause = pause
        self.finished = finished
    }

    /// Stores what was typed; applies it once nothing was typed for the pause. Throws ``DeviceStoreError/storage(_:)``.
    public func type(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws {
        try store.drafts.keep(id, draft, at: moment)
        waiting[id]?.cancel()
        waiting[id] = Task { [pause] in
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            self.apply(id, at: moment)
        }
    }

    /// Applies all pending edits, for when a form closes.
    public func flush(at moment: Moment) {
        let ids = waiting.keys
        for id in ids {
            waiting[id]?.cancel()
            apply(id, at: moment)
        }
    }

    private func apply(_ id: UUID, at moment: Moment) {
        waiting[id] = nil
        let result = Result { try store.drafts.apply(id, at: moment) }
        switch result {
        case .success(let subscription?): finished(id, .success(subscription))
        case .success(nil): break
        case .failure(let error): finished(id, .failure(error))
        }
    }
}
