import ArgumentParser
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "What is here of the server's, and what waits to go there. Asks nobody.")

    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let status = try DeviceStatus(session)
            session.print(object: { status.write(to: &$0) }, text: { status.text(session) })
        }
    }
}

/// What `status` shows.
private struct DeviceStatus {
    let server: String?
    let copy: CatalogueCopy?
    let now: UTCInstant
    let suggestions: SuggestionQueueCounts
    let events: EventQueueCounts
    let erasures: Int
    let record: SyncRecord
    let consent: AnalyticsConsent
    /// The server where somebody is signed in, and why that cannot be told.
    let account: String?
    let problem: ClientError?
    let isPremium: Bool
    let proof: EntitlementProof?

    init(_ session: Session) throws {
        let store = session.store
        server = try session.server()?.address.text
        copy = try store.catalogue.copy()
        now = session.moment.now
        suggestions = try store.suggestions.counts()
        events = try store.analytics.queueCounts()
        erasures = try store.analytics.pendingErasures()
        record = try store.sync.last()
        consent = try store.analytics.consent()
        // What is wrong with the file of the session hides nothing else.
        do throws(ClientError) {
            account = try session.credentials.load()?.server
            problem = nil
        } catch {
            account = nil
            problem = error
        }
        isPremium = try store.premium.isActive(at: session.moment)
        proof = try store.premium.proof()
    }

    private var state: String { copy.map { $0.isFresh(at: now) ? "fresh" : "stale" } ?? "none" }

    /// In the order of a synchronisation.
    private func failures(_ language: DisplayLanguage) -> [(part: SyncReport.Name, reason: String)] {
        SyncReport.Name.allCases.compactMap { part in
            record.failures[part.rawValue].map { note in
                // A store of an earlier build has the sentence itself.
                (part, ClientError(note: note).map { Refusal.text($0, language) } ?? note)
            }
        }
    }

    func write(to json: inout JSONWriter) {
        json.field("server", server)
        json.key("catalogue")
        json.beginObject()
        json.field("state", state)
        json.field("items", copy?.itemCount ?? 0)
        json.field("server", copy?.server)
        json.field("checked_at", copy?.checkedAt.rfc3339)
        json.field("age_seconds", copy?.ageSeconds(at: now))
        json.endObject()
        json.key("queues")
        json.beginObject()
        json.field("suggestions", suggestions.waiting)
        json.field("suggestions_refused", suggestions.refused)
        json.field("events", events.waiting)
        json.field("events_dropped", events.dropped)
        json.field("events_rejected", events.rejected)
        json.field("erasures", erasures)
        json.endObject()
        json.key("last_sync")
        json.beginObject()
        json.field("succeeded_at", record.succeededAt?.rfc3339)
        json.key("failures")
        json.beginObject()
        for (part, reason) in failures(.english) { json.field(part.rawValue, reason) }
        json.endObject()
        json.endObject()
        json.field("consent", consent.rawValue)
        json.key("account")
        json.beginObject()
        json.field("signed_in", account != nil)
        json.field("server", account)
        json.field("problem", problem?.description)
        json.endObject()
        json.key("premium")
        json.beginObject()
        json.field("is_premium", isPremium)
        json.field("status", proof?.status.rawValue)
        json.field("product_id", proof?.productID)
        json.field("expires_at", proof?.expiresAt?.rfc3339)
        json.field("proven_at", proof?.provenAt.rfc3339)
        json.endObject()
    }

    func text(_ session: Session) -> String {
        var lines: [(String, String)] = []
        let freshness = copy?.isFresh(at: now) == true ? session.text(state, "à jour") : session.text(state, "ancien")
        let age = copy.map { "\(freshness), \($0.itemCount), \($0.checkedAt.rfc3339), \($0.server)" }
        lines.append((session.text("catalogue", "catalogue"), age ?? "–"))
        lines.append(
            (
                session.text("suggestions", "suggestions"),
                session.text(
                    "waiting \(suggestions.waiting), refused \(suggestions.refused)",
                    "en attente \(suggestions.waiting), refusées \(suggestions.refused)")
            ))
        lines.append(
            (
                session.text("events", "événements"),
                session.text(
                    "waiting \(events.waiting), dropped \(events.dropped), rejected \(events.rejected)",
                    "en attente \(events.waiting), abandonnés \(events.dropped), rejetés \(events.rejected)")
            ))
        lines.append(
            (
                session.text("consent", "accord"),
                session.word(consent)
                    + (erasures > 0
                        ? session.text(", erasures \(erasures)", ", effacements en attente \(erasures)") : "")
            ))
        lines.append((session.text("last sync", "dernière sync"), record.succeededAt?.rfc3339 ?? "–"))
        for (part, reason) in failures(session.language) { lines.append(("  " + session.word(part), reason)) }
        let trouble = problem.map { Refusal.text($0, session.language) }
        lines.append((session.text("account", "compte"), trouble ?? account ?? "–"))
        let premium = isPremium ? session.text("yes", "oui") : session.text("no", "non")
        lines.append(
            (session.text("premium", "premium"), premium + (proof.map { ", " + session.word($0.status) } ?? "")))
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { $0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $1 }.joined(separator: "\n")
    }
}
