import Foundation
import SQLDatabase
import SubGuardDomain

extension DeviceStore.Portability {
    /// What ``importFile(_:_:at:progress:)`` would change. Changes nothing; throws what that throws. Lists at most
    /// `most` things of each effect, and counts the others.
    public func importPreview(
        _ bytes: [UInt8], _ options: ImportOptions, most: Int = 100, at moment: Moment
    ) throws -> (report: ImportReport, differences: StoreDifferences) {
        struct Imported: Error {
            let old: BackupDocument
            let new: BackupDocument
        }
        struct Preview: Error {
            let report: ImportReport
            let differences: StoreDifferences
        }
        let content = try content(bytes, options, at: moment)
        let ids = RepeatedIDs { store.makeID(moment) }
        do {
            // Once to see which rows differ, and once more to put both sides of them in words. Both are rolled back.
            let imported: Imported
            do {
                imported = try store.write(at: moment, as: .imported) { unit -> Imported in
                    let old = try BackupDocument.read(unit.session) { _, _ in }
                    _ = try take(content, options, unit, { _, _ in true }, makeID: ids.next)
                    throw Imported(old: old, new: try BackupDocument.read(unit.session) { _, _ in })
                }
            } catch let found as Imported {
                imported = found
            }
            ids.startAgain()
            let preview = try store.write(at: moment, as: .imported) { unit -> Preview in
                var comparison = StoreComparison(from: imported.old, to: imported.new, most: most)
                try comparison.lookBefore(unit)
                let report = try take(content, options, unit, { _, _ in true }, makeID: ids.next)
                throw Preview(report: report, differences: try comparison.report(after: unit))
            }
            return (preview.report, preview.differences)
        } catch let preview as Preview {
            return (preview.report, preview.differences)
        }
    }
}

/// The same ids again in the same order.
private final class RepeatedIDs {
    private let make: () -> UUID
    private var made: [UUID] = []
    private var place = 0

    init(_ make: @escaping () -> UUID) { self.make = make }

    func next() -> UUID {
        if place == made.count { made.append(make()) }
        place += 1
        return made[place - 1]
    }

    func startAgain() { place = 0 }
}
