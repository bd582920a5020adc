import Backend
import SubGuardDomain

extension MetricsPage {
    /// Read from the file beside the backups, so that those of a timer count too. Nothing before the first backup.
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
}
