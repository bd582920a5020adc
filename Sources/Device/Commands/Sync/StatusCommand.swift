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
        if let ahead = status.clockAhead {
            session.warn(
                """
                other devices refuse edits with times up to \(session.time(ahead)). If the clock of this device is \
                behind, set it; otherwise run `subguard repair clock`
                """
            )
        }
        if !status.foreignObjects.isEmpty {
            let changes = status.foreignObjects.prefix(5).joined(separator: ", ")
            session.warn("another program has changed the database: \(changes)")
        }
        session.print(object: { status.write(to: &$0) }, text: { status.text(session) })
    }
}

/// The output of `status`.
private struct DeviceStatus {
    let server: String?
    let copy: CatalogueCopy?
    /// Nil while the device has a catalogue of a server.
    let starter: StarterCatalogue?
    let now: UTCInstant
    let suggestions: SuggestionQueueCounts
    let events: EventQueueCounts
    let signals: SignalCounts
    let erasures: Int
    let record: SyncRecord
    let consent: AnalyticsConsent
    /// The path of the database.
    let store: String
    /// The server of the current session, and the error when the session cannot be read.
    let account: String?
    let problem: ClientError?
    let isPremium: Bool
    let proof: EntitlementProof?
    let backup: BackupAge
    /// The latest time that lies more than a day ahead; nil when none does.
    let clockAhead: UTCInstant?
    let foreignObjects: [String]

    init(_ session: Session) throws {
        let store = session.store
        self.store = store.path
        server = try session.server()?.address.text
        copy = try store.catalogue.copy()
        starter = try store.catalogue.starter()
        now = session.moment.now
        suggestions = try store.suggestions.counts()
        events = try store.analytics.queueCounts()
        signals = store.signals.counts()
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
        clockAhead = try store.clock.ahead(at: session.moment)
        foreignObjects = try store.foreignObjects()
    }

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

    func write(to json: inout JSONWriter) {
        json.field("database", store)
        json.field("server", server)
        json.object("catalogue") { json in
            json.field("state", state)
            json.field("items", copy?.itemCount ?? starter?.itemCount ?? 0)
            json.field("as_of", starter?.day.iso)
            json.field("server", copy?.server)
            json.field("checked_at", copy?.checkedAt.rfc3339)
            json.field("age_seconds", copy?.ageSeconds(at: now))
        }
        json.object("queues") { json in
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
        json.field("clock_ahead", clockAhead?.rfc3339)
        json.strings("foreign_objects", foreignObjects)
    }

    func text(_ session: Session) -> String {
        let text = session.text
        var sheet = FactSheet()
        sheet.add(text("database"), store)
        sheet.add(
            text("catalogue"), copy.map { self.text($0, session) } ?? starter.map { self.text($0, session) } ?? "–")
        sheet.add(text("suggestions"), session.list(QueueWording.text(suggestions)))
        sheet.add(text("events"), session.list(QueueWording.text(events)))
        sheet.add(text("sessions"), session.list(QueueWording.text(signals)))
        sheet.add(text("consent"), session.list(QueueWording.text(consent, erasures: erasures)))
        sheet.add(text("last sync"), record.succeededAt.map { session.time($0) } ?? "–")
        for (part, reason) in record.failures(session.language) { sheet.add("  " + text(part.phrase), reason) }
        sheet.add(text("account"), problem.map { session.language.sentence("\($0)") } ?? account ?? "–")
        sheet.add(text("premium"), session.list([isPremium ? "yes" : "no", proof?.status.phrase]))
        let last = backup.last.map { "\(session.time($0.madeAt)), \(text($0.kind.phrase))" }
        sheet.add(text("last backup"), last ?? "–")
        return sheet.text(session.style)
    }

    private func text(_ starter: StarterCatalogue, _ session: Session) -> String {
        "\(session.origin(of: starter)), "
            + session.list(["\(starter.itemCount) item|\(starter.itemCount) items"])
    }

    private func text(_ copy: CatalogueCopy, _ session: Session) -> String {
        session.list([
            copy.isUpToDate(at: now) ? "up to date" : "stale", "\(copy.itemCount) item|\(copy.itemCount) items",
            "checked \(session.time(copy.checkedAt))",
        ]) + ", \(copy.server)"
    }
}
