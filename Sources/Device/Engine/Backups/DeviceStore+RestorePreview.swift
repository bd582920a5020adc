import SQLDatabase
import SubGuardDomain

extension DeviceStore.Backups {
    /// What ``restore(_:passphrase:keepsCopy:at:progress:)`` would change. Changes nothing; throws what that throws.
    ///
    /// - Parameter most: how many things of each effect are listed; the others are counted.
    public func restorePreview(
        _ bytes: [UInt8], passphrase: Passphrase? = nil, most: Int = 100, at moment: Moment
    ) throws -> StoreDifferences {
        struct Preview: Error { let report: StoreDifferences }
        let document = try BackupDocument(SealedBackup.opened(bytes, passphrase: passphrase))
        do {
            // Rolled back with everything that it wrote.
            return try store.write(at: moment) { unit -> StoreDifferences in
                var comparison = StoreComparison(
                    from: try BackupDocument.read(unit.session) { _, _ in }, to: document, most: most)
                try comparison.lookBefore(unit)
                var steps = Steps(0) { _, _ in }
                try unit.replaceAll(with: document, &steps)
                throw Preview(report: try comparison.report(after: unit))
            }
        } catch let preview as Preview {
            return preview.report
        }
    }
}
