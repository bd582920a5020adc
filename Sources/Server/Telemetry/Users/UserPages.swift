package import EventLog
package import SQLDatabase
import SubGuardSQL

/// The stored users, in ``UserPage``s by key.
///
/// A page holds the users whose keys lie from its own first key up to that of the next page. Keys are made with the
/// store's secret (``EventIDSeed/key(of:)``), so that no client can choose users who all fall on one page. There always
/// is a page that begins with the lowest key.
package struct UserPages {
    private let seed: EventIDSeed
    let calendar: ReportCalendar

    /// - Parameter calendar: the stored one, where it was read already.
    init(in session: any SQLSession, _ calendar: ReportCalendar? = nil) throws {
        seed = try EventLogState.load(in: session).seed
        self.calendar = try calendar ?? ReportCalendar.load(in: session)
    }

    func key(of user: UserHash) -> Int64 { seed.key(of: user) }

    /// Those of the users who are stored.
    func stored(_ users: [UserHash], in session: any SQLSession) throws -> Set<UserHash> {
        var found: Set<UserHash> = []
        let batch = try UserPageBatch(users.map { (key(of: $0), $0) }.sorted { $0.0 < $1.0 }, calendar, in: session)
        for (index, user) in batch.users.enumerated() where batch.contains(index) { found.insert(user.hash) }
        return found
    }

    /// Users renamed at a time, to bound the pages in memory.
    private static let usersRenamedAtOnce = 500

    /// Gives users other hashes. Returns those of the former ones whose users are stored.
    func rename(_ replacements: [UserHash: UserHash], in transaction: any SQLTransaction) throws -> Set<UserHash> {
        var renamed: Set<UserHash> = []
        try Array(replacements).forEachPart(ofAtMost: Self.usersRenamedAtOnce) { part in
            let hashes = part.flatMap { [$0.key, $0.value] }
            let users = hashes.map { (key: key(of: $0), hash: $0) }.sorted { $0.key < $1.key }
            var batch = try UserPageBatch(users, calendar, in: transaction)
            let places = Dictionary(uniqueKeysWithValues: users.enumerated().map { ($1.hash, $0) })
            for (old, new) in part {
                guard let place = places[old], let newPlace = places[new], let state = try batch.state(place) else {
                    continue
                }
                batch.set(place, nil)
                batch.set(newPlace, state)
                renamed.insert(old)
            }
            try batch.save(in: transaction, with: self)
        }
        return renamed
    }

    /// Pages that ``join(from:in:)`` reads at a time.
    private static let pagesJoinedAtOnce = 256

    /// Joins neighbours that have become sparse: a database has no other use for the room in them. The transaction has
    /// entered ``SQLWriteLane/figures``, and no fold is under way.
    ///
    /// - Parameter firstKey: of the first page to look at.
    /// - Returns: where to continue; nil at the end.
    func join(from firstKey: Int64, in transaction: any SQLTransaction) throws -> Int64? {
        let pages = try transaction.query(
            "SELECT first_key, users FROM user_pages WHERE first_key >= ? ORDER BY first_key LIMIT ?",
            [.integer(firstKey), .integer(Int64(Self.pagesJoinedAtOnce))]
        ) { (firstKey: try $0.integer(0), page: try UserPage(try $0.blob(1), calendar)) }
        var rest = pages[...]
        var last: Int64?
        while let first = rest.first {
            var size = 0
            let group = rest.prefix {
                size += $0.page.bytes.count
                return size <= UserPage.mostBytes * 2 / 3
            }
            last = first.firstKey
            rest = rest.dropFirst(max(1, group.count))
            guard group.count > 1 else { continue }
            let joined = try UserPage.joining(group.map(\.page), calendar)
            try transaction.execute(
                "DELETE FROM user_pages WHERE first_key > ? AND first_key <= ?",
                [.integer(first.firstKey), .integer(group.last?.firstKey ?? first.firstKey)])
            try transaction.execute(
                "UPDATE user_pages SET users = ? WHERE first_key = ?",
                [.blob(joined.bytes), .integer(first.firstKey)])
        }
        return pages.count < Self.pagesJoinedAtOnce ? nil : last
    }

    /// The number of stored users whose hashes satisfy a condition.
    package static func count(in session: any SQLSession, where isWanted: (UserHash) -> Bool) throws -> Int {
        var count = 0
        try forEach(in: session) { hash, _ in if isWanted(hash) { count += 1 } }
        return count
    }

    /// Calls `visit` for each stored user, in no particular order.
    static func forEach(in session: any SQLSession, _ visit: (UserHash, UserState) throws -> Void) throws {
        let calendar = try ReportCalendar.load(in: session)
        try session.scan("SELECT users FROM user_pages ORDER BY first_key", []) { row in
            try UserPage(try row.blob(0), calendar).forEach(visit)
        }
    }
}

/// The pages of some users: read together, changed in memory, written together.
struct UserPageBatch {
    /// In the order of their keys.
    let users: [(key: Int64, hash: UserHash)]
    private var pages: [(firstKey: Int64, page: UserPage)] = []
    /// For each user the place of their page in ``pages``.
    private var places: [Int] = []
    /// For each user what they became, as far as that was said.
    private var changes: [Change?]

    var pageCount: Int { pages.count }

    private struct Change {
        let state: UserState?
    }

    /// - Parameter users: in the order of their keys, none twice.
    init(
        _ users: [(key: Int64, hash: UserHash)], _ calendar: ReportCalendar, in session: any SQLSession
    ) throws {
        self.users = users
        changes = [Change?](repeating: nil, count: users.count)
        places.reserveCapacity(users.count)
        var firstKeys = [Int64?](repeating: nil, count: users.count)
        try session.forEach(Self.search, rows: users.map { [.integer($0.key)] }) { index, row in
            firstKeys[index] = try row.integer(0)
        }
        for key in firstKeys {
            guard let key else { throw UserPage.malformed }
            if pages.last?.firstKey != key { pages.append((key, UserPage(calendar))) }
            places.append(pages.count - 1)
        }
        try session.forEach(Self.reading, rows: pages.map { [.integer($0.firstKey)] }) { index, row in
            pages[index].page = try UserPage(try row.blob(0), calendar)
        }
    }

    func contains(_ index: Int) -> Bool { pages[places[index]].page.contains(users[index].hash) }

    /// Nil for a user who is not stored.
    func state(_ index: Int) throws -> UserState? { try pages[places[index]].page.state(of: users[index].hash) }

    /// Sets what ``save(in:with:)`` writes; nil removes the user.
    mutating func set(_ index: Int, _ state: UserState?) { changes[index] = Change(state: state) }

    /// Writes the changed pages.
    func save(in transaction: any SQLTransaction, with all: UserPages) throws {
        try changedPages(of: all).save(in: transaction)
    }

    /// The changed pages, of which those are split that have grown too long.
    func changedPages(of all: UserPages) throws -> ChangedPages {
        var rows: [[SQLValue]] = []
        var index = 0
        for (place, stored) in pages.enumerated() {
            var changed: [(key: Int64, hash: UserHash, state: UserState?)] = []
            while index < users.count, places[index] == place {
                if let change = changes[index] { changed.append((users[index].key, users[index].hash, change.state)) }
                index += 1
            }
            guard !changed.isEmpty else { continue }
            for page in try stored.page.applying(changed, from: stored.firstKey, keyOf: all.key) {
                rows.append([.integer(page.firstKey), .blob(page.page.bytes)])
            }
        }
        return ChangedPages(rows: rows)
    }

    /// Pages as they are to be written.
    struct ChangedPages: Sendable {
        fileprivate let rows: [[SQLValue]]

        func save(in transaction: any SQLTransaction) throws {
            try transaction.execute(UserPageBatch.writing, rows: rows)
        }
    }

    private static let search = SQLBatchStatement(
        eachRow: "SELECT first_key FROM user_pages WHERE first_key <= ? ORDER BY first_key DESC LIMIT 1",
        allRows: """
            SELECT number, page.first_key
            FROM unnest(?::bigint[]) WITH ORDINALITY AS given (key, number)
            CROSS JOIN LATERAL (
                SELECT first_key FROM user_pages WHERE first_key <= key ORDER BY first_key DESC LIMIT 1
            ) AS page
            """)

    private static let reading = SQLBatchStatement(
        eachRow: "SELECT users FROM user_pages WHERE first_key = ?",
        allRows: """
            SELECT number, users
            FROM unnest(?::bigint[]) WITH ORDINALITY AS given (first_key, number) JOIN user_pages USING (first_key)
            """)

    private static let writing = SQLBatchStatement.insertion(
        into: "user_pages", [.integer("first_key"), .blob("users")],
        conflict: "ON CONFLICT (first_key) DO UPDATE SET users = excluded.users")
}
