import Foundation
import Observation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

nonisolated struct Screen: Sendable {
    var subscriptions: [SubscriptionSummary] = []
    var toConfirm: [Occurrence] = []
    /// The yearly cost; nil without a home currency.
    var cost: HomeSum?

    @concurrent static func read(_ store: DeviceStore, at moment: Moment) async throws -> Screen {
        Screen(
            subscriptions: try store.subscriptions.list(at: moment), toConfirm: try store.ledger.pending(at: moment),
            cost: try store.rates.annualCost(at: moment))
    }
}

@MainActor @Observable
final class SubscriptionModel {
    private(set) var screen = Screen()
    /// Messages beside the fields of the form.
    private(set) var faults: [SubscriptionField: String] = [:]
    /// Whether to show the paywall.
    private(set) var needsPremium = false
    /// Why the last change, and the last reading, failed.
    private(set) var failure: String?
    private(set) var readFailure: String?
    let store: DeviceStore
    let language: DisplayLanguage

    private init(store: DeviceStore, language: DisplayLanguage) {
        (self.store, self.language) = (store, language)
    }

    @concurrent static func open(
        path: String, language: DisplayLanguage = DisplayLanguage(.current) ?? .english
    ) async throws -> SubscriptionModel {
        let store = try DeviceStore(path: path, now: Moment.current.now, starter: .builtIn)
        return await SubscriptionModel(store: store, language: language)
    }

    /// Shows changes of this app, its widget and its extensions until its task is cancelled.
    func follow() async {
        await reload()
        for await _ in store.changes() { await reload() }
    }

    func reload() async {
        do {
            screen = try await Screen.read(store, at: .current)
            readFailure = nil
        } catch {
            readFailure = message(error, language)
        }
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

    func change(_ body: @Sendable (DeviceStore, Moment) throws -> Void) async {
        (faults, needsPremium, failure) = ([:], false, nil)
        do {
            try await Self.run(body, store)
        } catch DeviceStoreError.premiumRequired {
            needsPremium = true
        } catch let error as DeviceStoreError where !error.faults.isEmpty {
            for fault in error.faults {
                if let field = SubscriptionField(rawValue: fault.pointer) {
                    faults[field] = fault.displayDetail(language)
                } else {
                    failure = fault.displayText(language)
                }
            }
        } catch {
            failure = message(error, language)
        }
        await reload()
    }

    @concurrent private static func run(
        _ body: @Sendable (DeviceStore, Moment) throws -> Void, _ store: DeviceStore
    ) async throws {
        try body(store, .current)
    }
}
