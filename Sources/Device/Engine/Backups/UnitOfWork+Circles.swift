import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension UnitOfWork {
    /// Two devices can each put one of two subscriptions into the other. Neither would ever be counted, so of those
    /// that include each other the one that was put into another last is by itself again. So is one of a chain with
    /// more than ``SubscriptionTable/mostBundles`` levels. Returns their ids.
    ///
    /// The time of the edit stays as it is: every device decides alike, and the edit holds again where nothing makes a
    /// circle or too long a chain of it.
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
        func open(_ links: some Sequence<UUID>) throws {
            let last = links.max { (edited[$0] ?? "", $0.uuidString) < (edited[$1] ?? "", $1.uuidString) }
            guard let last else { return }
            try session.execute("UPDATE subscriptions SET bundled_in = NULL WHERE id = ?", [.uuid(last)])
            outer[last] = nil
            opened.insert(last)
        }
        let starts = outer.keys.sorted { $0.uuidString < $1.uuidString }
        var visited: Set<UUID> = []
        for start in starts {
            var path: [UUID] = []
            var next: UUID? = start
            while let id = next, visited.insert(id).inserted {
                path.append(id)
                next = outer[id]
            }
            // Unless a circle ends here, the rest is known.
            guard let next, let first = path.firstIndex(of: next) else { continue }
            try open(path[first...])
        }
        for start in starts {
            var links: [UUID] = []
            var next: UUID? = start
            while let id = next, let bundle = outer[id], links.count <= SubscriptionTable.mostBundles {
                links.append(id)
                next = bundle
            }
            if links.count > SubscriptionTable.mostBundles { try open(links) }
        }
        return opened
    }
}
