public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// Keeps typed values of fields on disk without applying them, so that a crash loses no keystroke.
    func keepDraft(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws {
        try requireWritable()
        try Self.mapping {
            try database.write { session in
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

    /// Values that were typed and not applied: after a crash, or because they break a rule.
    public func drafts() throws -> [UUID: SubscriptionDraft] {
        var drafts: [UUID: SubscriptionDraft] = [:]
        try read { session in
            try session.forEach("SELECT subscription, field, value FROM drafts", []) { row in
                guard let field = SubscriptionField(rawValue: try row.text(1)) else { return }
                drafts[try row.uuid(0), default: [:]][field] = try row.text(2)
            }
        }
        return drafts
    }

    /// Applies what is kept for a subscription. The draft stays when it breaks a rule, and goes otherwise, in the
    /// transaction that applies it.
    @discardableResult
    public func applyDraft(_ id: UUID, at moment: Moment) throws -> Subscription? {
        guard let draft = try drafts()[id] else { return nil }
        return try write(at: moment) { unit in
            let subscription = try unit.edit(id, draft)
            for (field, value) in draft {
                // A value that was typed in the meantime waits for its own turn.
                try unit.session.execute(
                    "DELETE FROM drafts WHERE subscription = ? AND field = ? AND value = ?",
                    [.uuid(id), .text(field.rawValue), .text(value)])
            }
            return subscription
        }
    }

    /// Forgets what is kept for a subscription.
    public func discardDraft(_ id: UUID, at moment: Moment) throws {
        try write(at: moment) { try $0.session.execute("DELETE FROM drafts WHERE subscription = ?", [.uuid(id)]) }
    }
}

/// Saves edits of a form once the typing pauses.
///
/// Each value is on disk as a draft when ``type(_:_:at:)`` returns; after the pause it is applied as one edit. After a
/// crash, ``DeviceStore/drafts()`` has what was not applied yet.
public actor DraftAutosave {
    private let store: DeviceStore
    private let pause: Duration
    private let finished: @Sendable (UUID, Result<Subscription, any Error>) -> Void
    private var waiting: [UUID: Task<Void, Never>] = [:]

    /// - Parameters:
    ///   - pause: how long nothing must be typed; 500 ms unless given.
    ///   - finished: called with each edit that was applied or refused.
    public init(
        store: DeviceStore, pause: Duration = .milliseconds(500),
        finished: @escaping @Sendable (UUID, Result<Subscription, any Error>) -> Void = { _, _ in }
    ) {
        self.store = store
        self.pause = pause
        self.finished = finished
    }

    public func type(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws {
        try store.keepDraft(id, draft, at: moment)
        waiting[id]?.cancel()
        waiting[id] = Task { [pause] in
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            self.apply(id, at: moment)
        }
    }

    /// Applies everything that waits, for when a form closes.
    public func flush(at moment: Moment) {
        let ids = waiting.keys
        for id in ids {
            waiting[id]?.cancel()
            apply(id, at: moment)
        }
    }

    private func apply(_ id: UUID, at moment: Moment) {
        waiting[id] = nil
        let result = Result { try store.applyDraft(id, at: moment) }
        switch result {
        case .success(let subscription?): finished(id, .success(subscription))
        case .success(nil): break
        case .failure(let error): finished(id, .failure(error))
        }
    }
}
