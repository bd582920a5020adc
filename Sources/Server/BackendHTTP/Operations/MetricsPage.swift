import Accounts
import EventLog
import Foundation
import HTTPServer
import HTTPWire
import Operations
import SQLDatabase
import SubGuardDomain
import Telemetry
import TextCoding

/// The page `/metrics`.
struct MetricsPage: Sendable {
    let requests: RequestMetrics
    let ingest: EventIngest
    let log: EventLog
    let crashes: CrashCounters
    let refreshes: RefreshRepetitions
    let alerts: AlertDispatcher
    let backups: BackupFolder
    let storage: StorageWatch
    /// Nil without a standby.
    let standbyReads: StandbyReads?
    let sink: LogSink
    /// Nil without one.
    let eventSink: EventSinkSender?
    let startedAt: UTCInstant
    /// Route templates in the order of the route table.
    let templates: [String]

    func text() -> String {
        var page = PrometheusText()
        writeRequests(&page)
        writeIngest(&page)
        writeCrashes(&page)
        page.single(
            "subguard_session_refresh_repeats_total", "counter",
            "Refresh tokens that were used again within the grace and gave the same pair.", refreshes.count)
        writeAlerts(&page)
        writeBackups(&page)
        writeStorage(&page)
        writeStandby(&page)
        writeEventSink(&page)
        writeProcess(&page)
        return page.text
    }

    private func writeRequests(_ page: inout PrometheusText) {
        let routes = templates.indices.map { (templates[$0], requests.figures(ofRoute: $0)) }
        let all = routes + [("none", requests.figures(ofRoute: nil))]
        page.family(
            "subguard_http_requests_total", "counter", "Answered requests by route template, method and status.")
        for (route, figures) in Self.merged(all) {
            for (outcome, count) in figures.requests.sorted(by: { $0.outcome.sortKey < $1.outcome.sortKey }) {
                let labels = [
                    ("route", route), ("method", outcome.method?.name ?? "none"), ("status", "\(outcome.status)"),
                ]
                page.sample("subguard_http_requests_total", labels, count)
            }
        }
        let name = "subguard_http_request_duration_seconds"
        page.family(name, "histogram", "Time from a request's complete head to its response.")
        for (route, figures) in Self.merged(all) {
            var sum: Int64 = 0
            for (bound, count) in zip(RequestMetrics.bucketBounds, figures.buckets) {
                sum += count
                page.sample("\(name)_bucket", [("route", route), ("le", "\(bound)")], sum)
            }
            page.sample("\(name)_bucket", [("route", route), ("le", "+Inf")], figures.count)
            page.sample("\(name)_sum", [("route", route)], Double(figures.nanoseconds) / 1e9)
            page.sample("\(name)_count", [("route", route)], figures.count)
        }
        let connections = requests.connections
        page.single("subguard_http_connections", "gauge", "Open connections.", connections.open)
        page.single("subguard_http_connections_accepted_total", "counter", "Connections so far.", connections.accepted)
        page.family(
            "subguard_http_connection_shortages_total", "counter",
            "Connections rejected because their client has too many, and waits for a free connection or descriptor.",
            by: "reason", ConnectionShortage.allCases.map { ($0.rawValue, requests.count(of: $0)) })
        page.family(
            "subguard_http_memory_refusals_total", "counter",
            "Requests answered 503, and connections closed, because bodies or unread responses take too much memory.",
            by: "limit", MemoryShortage.allCases.map { ($0.rawValue, requests.count(of: $0)) })
    }

    private func writeIngest(_ page: inout PrometheusText) {
        let counters = ingest.counters
        page.family(
            "subguard_ingest_events_total", "counter", "Analytics events received by outcome.", by: "outcome",
            [
                ("accepted", counters.accepted), ("duplicate", counters.duplicates),
                ("rejected", counters.rejectedByCode.values.reduce(0, +)),
            ])
        page.family(
            "subguard_ingest_rejected_events_total", "counter", "Analytics events rejected, by reason.", by: "code",
            EventRejection.allCases.map { ($0.rawValue, counters.rejectedByCode[$0] ?? 0) })
        page.family(
            "subguard_ingest_batches_total", "counter", "Analytics batches by outcome.", by: "outcome",
            [
                ("committed", counters.batches - counters.failedBatches), ("failed", counters.failedBatches),
                ("refused", counters.refusedBatches),
            ])
        page.single(
            "subguard_ingest_waiting_events", "gauge", "Analytics events waiting to be written.",
            counters.waitingEvents)
        page.single(
            "subguard_ingest_failed_upkeeps_total", "counter",
            "Failures to count events; each is retried.", counters.failedUpkeeps)
        let figures = log.currentFigures
        page.single(
            "subguard_event_log_unfolded_events", "gauge", "Accepted events that are not counted yet.",
            figures.unfoldedEvents)
        page.family(
            "subguard_event_log_ids", "gauge", "Known event ids by storage.", by: "place",
            [("memory", figures.recentIDs), ("runs", figures.indexedIDs)])
        page.single("subguard_event_log_runs", "gauge", "Sorted runs of event ids.", figures.runs)
        page.single(
            "subguard_event_log_filter_bytes", "gauge", "Memory of the filters of these runs.", figures.filterBytes)
        page.family("subguard_store_commit_seconds", "summary", "Duration of analytics transactions.")
        page.sample("subguard_store_commit_seconds_sum", [], Double(counters.commitNanoseconds) / 1e9)
        page.sample("subguard_store_commit_seconds_count", [], counters.commits)
    }

    private func writeProcess(_ page: inout PrometheusText) {
        let process = ProcessMetrics.read()
        page.family("subguard_build_info", "gauge", "Always 1; the labels describe the running version.")
        page.sample("subguard_build_info", [("version", BuildInfo.version)], 1)
        page.single(
            "subguard_log_lines_dropped_total", "counter",
            "Log lines dropped because the log was read too slowly or could not be written.", sink.dropped)
        page.single(
            "process_start_time_seconds", "gauge", "Start time of the process since the epoch.",
            Double(startedAt.millisecondsSinceEpoch) / 1000)
        page.single("process_cpu_seconds_total", "counter", "User and system CPU time.", process.cpuSeconds)
        if let bytes = process.residentBytes {
            page.single("process_resident_memory_bytes", "gauge", "Resident memory.", bytes)
        }
        if let count = process.openDescriptors {
            page.single("process_open_fds", "gauge", "Open file descriptors.", count)
        }
    }

    /// One entry per template: the methods of a path share it.
    private static func merged(_ all: [(String, RequestMetrics.Figures)]) -> [(String, RequestMetrics.Figures)] {
        var merged: [(String, RequestMetrics.Figures)] = []
        for (route, figures) in all {
            if let index = merged.firstIndex(where: { $0.0 == route }) {
                merged[index].1.add(figures)
            } else {
                merged.append((route, figures))
            }
        }
        return merged
    }
}

extension RequestMetrics.Outcome {
    fileprivate var sortKey: String { "\(method?.name ?? "")\(status)" }
}

/// Writes the Prometheus text format 0.0.4: each metric once with help and type, followed by its samples.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: some CustomStringConvertible) {
        let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
    }

    /// Writes a metric with a sample for each value of a label.
    mutating func family<Value: CustomStringConvertible>(
        _ name: String, _ type: String, _ help: String, by label: String, _ samples: [(String, Value)]
    ) {
        family(name, type, help)
        for (text, value) in samples { sample(name, [(label, text)], value) }
    }

    /// Writes a metric with one sample without labels.
    mutating func single(_ name: String, _ type: String, _ help: String, _ value: some CustomStringConvertible) {
        family(name, type, help)
        sample(name, [], value)
    }

    private static func escaped(_ value: String) -> String {
        value.escaping(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }
}

/// Metrics of this process, read from the kernel. Unavailable ones are nil.
struct ProcessMetrics {
    let residentBytes: Int?
    let cpuSeconds: Double
    let openDescriptors: Int?

    static func read() -> ProcessMetrics {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let cpu =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
        return ProcessMetrics(residentBytes: resident, cpuSeconds: cpu, openDescriptors: descriptors)
    }
}
