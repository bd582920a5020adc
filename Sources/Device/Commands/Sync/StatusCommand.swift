import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct StatusCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show cached server data, pending uploads and the last backup; works offline.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let status = try DeviceStatus(session)
        if let warning = status.backupWarning { session.warn(warning) }
        if let ahead = try session.store.clock.ahead(at: session.moment) {
            session.warn(
                """
                other devices refuse edits with times up to \(session.time(ahead)). If the clock of this device is \
                behind, set it; otherwise run `subguard repair clock`
                """
            )
        }
        let foreignObjects = try session.store.foreignObjects()
        if !foreignObjects.isEmpty {
            let changes = foreignObjects.prefix(5).joined(separator: ", ")
            session.warn("another program has changed the database: \(changes)")
        }
        try session.print(object: { try status.write(to: &$0) }, text: { try status.text() })
    }
}

/// The output of `status`.
private struct DeviceStatus {
    private let session: Session
    private let server: String?
    private let copy: CatalogueCopy?
    /// Nil while the device has a catalogue of a server.
    private let starter: StarterCatalogue?
    private let erasures: Int
    private let record: SyncRecord
    private let consent: AnalyticsConsent
    /// The server of the current session, and the error when the session cannot be read.
    private let account: String?
    private let problem: ClientError?
    private let isPremium: Bool
    private let proof: EntitlementProof?
    private let backup: BackupAge

    init(_ session: Session) throws {
        self.session = session
        let store = session.store
        server = try session.server()?.address.text
        copy = try store.catalogue.copy()
        starter = try store.catalogue.starter()
        erasures = try store.analytics.pendingErasures()
        record = try store.sync.last()
        consent = try store.analytics.consent()
        // An unreadable session file must not hide the rest.
        do throws(ClientError) {
            account = try session.credentials.load()?.server
            problem = nil
        } catch {
            account = nil
            problem = error
        }
        isPremium = try store.premium.isActive(at: session.moment)
        proof = try store.premium.proof()
        backup = try store.backups.age(at: session.moment)
    }

    private var store: DeviceStore { session.store }
    private var now: UTCInstant { session.moment.now }

    var backupWarning: Sentence? {
        guard backup.isOverdue else { return nil }
        guard let days = backup.days else {
            return backup.last == nil
                ? "no backup yet; run `subguard backup FILE`"
                : "the last backup is dated ahead; run `subguard backup FILE`"
        }
        return """
            the last backup is \(days) day old; run `subguard backup FILE`|the last backup is \(days) days old; \
            run `subguard backup FILE`
            """
    }

    private var state: String {
        copy.map { $0.isUpToDate(at: now) ? "fresh" : "stale" } ?? (starter == nil ? "none" : "built_in")
    }

    func write(to json: inout JSONWriter) throws {
        json.field("database", store.path)
        json.field("server", server)
        json.object("catalogue") { json in
            json.field("state", state)
            json.field("items", copy?.itemCount ?? starter?.itemCount ?? 0)
            json.field("as_of", starter?.day.iso)
            json.field("server", copy?.server)
            json.field("checked_at", copy?.checkedAt.rfc3339)
            json.field("age_seconds", copy?.ageSeconds(at: now))
        }
        try json.object("queues") { json in
            let (suggestions, events) = (try store.suggestions.counts(), try store.analytics.queueCounts())
            let signals = store.signals.counts()
            json.field("suggestions", suggestions.waiting)
            json.field("suggestions_refused", suggestions.refused)
            json.field("events", events.waiting)
            json.field("events_dropped", events.dropped)
            json.field("events_rejected", events.rejected)
            json.field("sessions", signals.sessions)
            json.field("crashes", signals.crashes)
            json.field("erasures", erasures)
        }
        json.object("last_sync") { json in
            json.field("succeeded_at", record.succeededAt?.rfc3339)
            json.object("failures") { json in
                for (part, reason) in record.failures(.english) { json.field(part.rawValue, reason) }
            }
        }
        json.field("consent", consent.rawValue)
        json.object("account") { json in
            json.field("signed_in", account != nil)
            json.field("server", account)
            json.field("problem", problem?.description)
        }
        json.object("premium") { json in
            json.field("is_premium", isPremium)
            json.field("status", proof?.status.rawValue)
            json.field("product_id", proof?.productID)
            json.field("expires_at", proof?.expiresAt?.rfc3339)
            json.field("proven_at", proof?.provenAt.rfc3339)
        }
        json.object("backup") { json in
            json.field("last_at", backup.last?.madeAt.rfc3339)
            json.field("kind", backup.last?.kind.rawValue)
            json.field("path", backup.last?.path)
            json.field("days", backup.days)
            json.field("warning_days", backup.warningDays)
            json.field("is_overdue", backup.isOverdue)
        }
        json.field("clock_ahead", try store.clock.ahead(at: session.moment)?.rfc3339)
        json.strings("foreign_objects", try store.foreignObjects())
    }

    func text() throws -> String {
        let text = session.text
        var sheet = FactSheet()
        sheet.add(text("database"), store.path)
        let catalogue = try session.catalogue().map { session.list($0) } ?? "–"
        sheet.add(text("catalogue"), catalogue + (copy.map { ", \($0.server)" } ?? ""))
        sheet.add(text("suggestions"), session.list(QueueWording.text(try store.suggestions.counts())))
        sheet.add(text("events"), session.list(QueueWording.text(try store.analytics.queueCounts())))
        sheet.add(text("sessions"), session.list(QueueWording.text(store.signals.counts())))
        sheet.add(text("consent"), session.list(QueueWording.text(consent, erasures: erasures)))
        sheet.add(text("last sync"), record.succeededAt.map { session.time($0) } ?? "–")
        for (part, reason) in record.failures(session.language) { sheet.add("  " + text(part.phrase), reason) }
        sheet.add(text("account"), problem.map { session.language.sentence("\($0)") } ?? account ?? "–")
        sheet.add(text("premium"), session.list([isPremium ? "yes" : "no", proof?.status.phrase]))
        let last = backup.last.map { "\(session.time($0.madeAt)), \(text($0.kind.phrase))" }
        sheet.add(text("last backup"), last ?? "–")
        return sheet.text(session.style)
    }
}
