import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import Synchronization
import TestKit
import Testing

/// A device's database, and a server simulated by the test.
struct ClientFixture {
    let folder: TemporaryFolder
    let store: DeviceStore
    let transport: ScriptedTransport
    let server: ServerConnection
    let pauses: Pauses
    let moment: Moment

    /// Records how long the client would have waited between attempts.
    final class Pauses: Sendable {
        private let log = Mutex<[Duration]>([])
        var all: [Duration] { log.withLock { $0 } }
        func note(_ pause: Duration) { log.withLock { $0.append(pause) } }
    }

    init(
        consent: AnalyticsConsent? = .granted, address: String = "https://a.example",
        callTimeout: Duration = .seconds(60), _ script: @escaping ScriptedTransport.Script
    ) throws {
        let transport = ScriptedTransport(script)
        folder = try TemporaryFolder()
        let moment = Self.moment("2026-11-20T10:00:00Z")
        self.moment = moment
        try StoreTemplate.device.place(at: folder.file("store.sqlite")) {
            try DeviceStore(path: $0, now: moment.now).close()
        }
        store = try DeviceStore(
            path: folder.file("store.sqlite"), now: moment.now, entitlement: .premium(until: nil), consent: consent)
        let pauses = Pauses()
        self.transport = transport
        self.pauses = pauses
        server = ServerConnection(
            try ServerAddress(address), transport: transport, version: "1.2.3", callTimeout: callTimeout,
            pause: { pauses.note($0) }, chance: { 0.5 }, clock: { Self.moment("2026-11-20T10:00:00Z").now })
    }

    static func moment(_ now: String) -> Moment {
        Moment(now: UTCInstant(rfc3339: now) ?? .earliest, zone: TimeZone(identifier: "Europe/Paris") ?? .gmt)
    }

    func account() -> AccountSession {
        AccountSession(
            server: server, credentials: CredentialFile(path: folder.file("session")),
            lockPath: folder.file("session-lock"))
    }

    func synchroniser(_ account: AccountSession? = nil) -> Synchroniser {
        Synchroniser(
            store: store, server: server, account: account,
            device: DeviceProperties(appVersion: "1.2.3", platform: "linux"))
    }

    @discardableResult
    func add(_ name: String, _ more: SubscriptionDraft = [:]) throws -> UUID {
        let draft: SubscriptionDraft = [
            .name: name, .amount: "13.49", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25",
        ]
        return try store.subscriptions.add(draft.merging(more) { $1 }, at: moment).id
    }
}
