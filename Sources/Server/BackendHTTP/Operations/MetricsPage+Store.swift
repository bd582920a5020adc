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
