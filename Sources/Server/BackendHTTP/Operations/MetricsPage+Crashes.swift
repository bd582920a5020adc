import SubGuardDomain
import Telemetry

extension MetricsPage {
    func writeCrashes(_ page: inout PrometheusText) {
        let tally = crashes.tally
        page.family(
            "subguard_envelope_items_total", "counter", "Items of Sentry envelopes by type and outcome.")
        for (outcome, counts) in [
            ("accepted", tally.acceptedItems), ("skipped", tally.skippedItems), ("malformed", tally.malformedItems),
        ] {
            for (type, count) in counts.sorted(by: { $0.key < $1.key }) {
                page.sample("subguard_envelope_items_total", [("type", type), ("outcome", outcome)], count)
            }
        }
        page.family(
            "subguard_crash_reports_total", "counter", "Crash reports by outcome.", by: "outcome",
            [("stored", tally.reports), ("duplicate", tally.duplicates), ("expired", tally.expired)])
        page.family(
            "subguard_crash_maskings_total", "counter", "Texts masked in crash reports by kind.", by: "kind",
            Masking.allCases.map { ($0.rawValue, tally.maskings[$0] ?? 0) })
        page.family(
            "subguard_crash_folded_total", "counter",
            "Reports and session counts without a group or release of their own, by reason.", by: "reason",
            CrashFolding.allCases.map { ($0.rawValue, tally.folded[$0] ?? 0) })
        page.family(
            "subguard_crash_evictions_total", "counter", "Groups and releases merged into (other) to make room.",
            by: "kind", CrashEviction.allCases.map { ($0.rawValue, tally.evicted[$0] ?? 0) })
        page.single(
            "subguard_crash_regressions_total", "counter", "Resolved crash groups reopened by a report.",
            tally.regressions)
        page.single("subguard_sessions_total", "counter", "Sessions counted.", tally.sessions)
        page.single(
            "subguard_sessions_late_total", "counter", "Messages about sessions that had ended or are too old.",
            tally.lateSessions)
        page.family(
            "subguard_session_unknown_statuses_total", "counter",
            "Sessions of Sentry SDKs that were not counted, by their unknown status.", by: "status",
            tally.unknownStatuses.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        page.family(
            "subguard_ingest_unknown_requests_total", "counter",
            "Requests to addresses of Sentry and PostHog SDKs that this server does not have, answered 404.",
            by: "endpoint", UnknownIngestAddress.allCases.map { ($0.rawValue, requests.count(of: $0)) })
        page.single(
            "subguard_sessions_refused_total", "counter",
            "Sessions not counted because their client had used up its allowance.", tally.refusedSessions)
        page.single(
            "subguard_client_dropped_events_total", "counter", "Events that SDKs say they dropped.",
            tally.droppedByClients)
    }
}
