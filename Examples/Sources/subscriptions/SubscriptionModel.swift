import Foundation
import Observation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

extension Moment {
    /// The present time of the device.
    static var current: Moment { Moment(now: UTCInstant(Date()), zone: .current) }
}

/// What the main view shows.
struct Screen: Sendable {
    var subscriptions: [SubscriptionSummary] = []
    var toConfirm: [Occurrence] = []

    @concurrent static func read(_ store: DeviceStore, at moment: Moment) async throws -> Screen {
        Screen(
            subscriptions: try store.subscriptions.list(at: moment), toConfirm: try store.ledger.pending(at: moment))
    }
}

/// The state behind the views. Calls of the store block, so they run off the main actor.
@MainActor @Observable
final class SubscriptionModel {
    private(set) var screen = Screen()
    /// Messages by the name of their field, for the form.
    private(set) var faults: [String: String] = [:]
    /// Whether to show the paywall.
    private(set) var needsPremium = false
    private(set) var failure: String?
    let store: DeviceStore

    init(path: String) throws {
        store = try DeviceStore(path: path, now: Moment.current.now, starter: .builtIn)
    }

    /// For `.task` of the main view: shows changes of this app, its widget and its extensions.
    func follow() async {
        await reload()
        for await _ in store.changes() { await reload() }
    }

    func reload() async {
        do { screen = try await Screen.read(store, at: .current) } catch { failure = "\(error)" }
    }

    func add(_ draft: SubscriptionDraft) async {
        await change { store, moment in try store.subscriptions.add(draft, at: moment) }
    }

    func confirm(_ charge: Occurrence) async {
        await change { store, moment in try store.ledger.confirm(charge.id, at: moment) }
    }

    func undo() async {
        await change { store, moment in try store.journal.undo(at: moment) }
    }

    private func change(_ body: @Sendable (DeviceStore, Moment) throws -> Void) async {
        (faults, needsPremium, failure) = ([:], false, nil)
        do {
            try await Self.run(body, store)
        } catch DeviceStoreError.premiumRequired {
            needsPremium = true
        } catch let error as DeviceStoreError where !error.faults.isEmpty {
            for fault in error.faults { faults[fault.pointer] = fault.detail }
        } catch {
            failure = "\(error)"
        }
        await reload()
    }

    @concurrent private static func run(
        _ body: @Sendable (DeviceStore, Moment) throws -> Void, _ store: DeviceStore
    ) async throws {
        try body(store, .current)
    }
}
