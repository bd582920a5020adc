import Operations
import SQLDatabase
import SubGuardDomain
import Telemetry

extension MetricsPage {
    /// Writes the last measurement, at most a few seconds old.
    func writeStorage(_ page: inout PrometheusText) {
        let measure = storage.measure
        page.single("subguard_store_bytes", "gauge", "Used size of the store.", measure.usedBytes)
        page.single(
            "subguard_store_limit_bytes", "gauge", "Size from which devices get 503; 0 for no limit.",
            storage.limits.maximumBytes)
        if let free = measure.freeBytes {
            page.single("subguard_store_disk_free_bytes", "gauge", "Free space on the disk of the store.", free)
            page.single(
                "subguard_store_disk_minimum_free_bytes", "gauge",
                "Free space below which devices get 503; 0 for no limit.", storage.limits.minimumFreeBytes)
        }
        page.family(
            "subguard_store_level", "gauge", "1 for the current storage level, 0 for the others.", by: "level",
            StorageLevel.allCases.map { ($0.rawValue, storage.level == $0 ? 1 : 0) })
    }

    func writeAlerts(_ page: inout PrometheusText) {
        // Other metrics report an unreadable database; this gauge is omitted rather than wrong.
        if let depths = try? alerts.store.depths() {
            page.family(
                "subguard_alert_outbox_deliveries", "gauge", "Alert deliveries in the outbox by state.", by: "state",
                AlertDelivery.State.allCases.map { ($0.rawValue, depths[$0] ?? 0) })
        }
        let name = "subguard_alert_attempts_total"
        page.family(name, "counter", "Attempts to deliver an alert, by channel and by what they led to.")
        let counts = alerts.counts
        for channel in AlertChannel.allCases {
            for state in [AlertDelivery.State.delivered, .retrying, .dead] {
                page.sample(
                    name, [("channel", channel.rawValue), ("outcome", state.rawValue)], counts[channel]?[state] ?? 0)
            }
        }
    }

    /// Read from the file next to the backups, so that backups by a timer are included. Omitted before the first
    /// backup.
    func writeBackups(_ page: inout PrometheusText) {
        let status = BackupStatus(in: backups)
        func seconds(_ name: String, _ help: String, _ instant: UTCInstant?) {
            guard let instant else { return }
            page.single(name, "gauge", help, Double(instant.millisecondsSinceEpoch) / 1000)
        }
        seconds(
            "subguard_backup_last_success_timestamp_seconds", "Time of the newest backup.", status.lastBackupAt)
        if let bytes = status.lastBackupBytes {
            page.single("subguard_backup_last_bytes", "gauge", "Size of the newest backup.", bytes)
        }
        seconds(
            "subguard_restore_drill_last_run_timestamp_seconds", "Time of the last restore drill.",
            status.lastDrillAt)
        seconds(
            "subguard_restore_drill_last_success_timestamp_seconds", "Time of the last successful restore drill.",
            status.lastProvenAt)
        if let succeeded = status.lastDrillSucceeded {
            page.single(
                "subguard_restore_drill_success", "gauge", "1 when the last restore drill succeeded, else 0.",
                succeeded ? 1 : 0)
        }
    }

    /// Omitted without a standby.
    func writeStandby(_ page: inout PrometheusText) {
        guard let reads = standbyReads else { return }
        page.family(
            "subguard_standby_reads_total", "counter",
            "Reads that may use a standby, by outcome; the primary does what it does not.", by: "outcome",
            [("served", reads.served), ("late", reads.late), ("unavailable", reads.unavailable)])
    }
}

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

extension MetricsPage {
    /// Omitted without an event sink.
    func writeEventSink(_ page: inout PrometheusText) {
        guard let eventSink else { return }
        // Other metrics report an unreadable database.
        if let lag = try? eventSink.sink.lag() {
            page.single(
                "subguard_event_sink_lag_seconds", "gauge",
                "Time since the oldest event that is not in ClickHouse was received.", lag.seconds)
            page.single(
                "subguard_event_sink_waiting_blocks", "gauge", "Blocks of events that are not in ClickHouse.",
                lag.blocks)
        }
        let counts = eventSink.counts
        page.single(
            "subguard_event_sink_events_total", "counter", "Events sent to ClickHouse by this server.", counts.events)
        page.single(
            "subguard_event_sink_ranges_total", "counter", "Ranges of events sent by this server.", counts.ranges)
        page.single(
            "subguard_event_sink_failures_total", "counter", "Attempts that failed.", counts.failures)
    }
}
