import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension UnitOfWork {
    /// Two devices can each put one of two subscriptions into the other. Neither would ever be counted, so of those
    /// that include each other the one that was put into another last is by itself again. Returns their ids.
    ///
    /// The time of the edit stays as it is: every device decides alike, and the edit holds again where nothing makes a
    /// circle of it. Throws when subscriptions are put into each other too often.
    func openCircles() throws -> Set<UUID> {
        let table = EntityTables.subscriptions
        let bundled = table.selectAll.replacing(" ORDER BY ", with: " WHERE bundled_in IS NOT NULL ORDER BY ")
        var outer: [UUID: UUID] = [:]
        var edited: [UUID: String] = [:]
        for row in try session.query(bundled, [], table.read) {
            let subscription = try Subscription(row)
            outer[subscription.id] = subscription.bundledIn
            edited[subscription.id] = row.stamps["bundled_in"]
        }
        var opened: Set<UUID> = []
        var visited: Set<UUID> = []
        var levels: [UUID: Int] = [:]
        for start in outer.keys.sorted(by: { $0.uuidString < $1.uuidString }) {
            var path: [UUID] = []
            var next: UUID? = start
            while let id = next, visited.insert(id).inserted {
                path.append(id)
                next = outer[id]
            }
            // Known, unless a circle ends here.
            var level = next.flatMap { levels[$0] } ?? 0
            for id in path.reversed() {
                level += 1
                levels[id] = level
                guard level <= SubscriptionTable.mostBundles else {
                    throw BackupDocument.damaged(
                        "table subscriptions, bundled_in: At most \(SubscriptionTable.mostBundles) levels.")
                }
            }
            guard let next, let first = path.firstIndex(of: next) else { continue }
            let last = path[first...].max { (edited[$0] ?? "", $0.uuidString) < (edited[$1] ?? "", $1.uuidString) }
            guard let last else { continue }
            try session.execute("UPDATE subscriptions SET bundled_in = NULL WHERE id = ?", [.uuid(last)])
            opened.insert(last)
        }
        return opened
    }
}
