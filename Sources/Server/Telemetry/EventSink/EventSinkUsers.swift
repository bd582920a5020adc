import EventLog
import SQLDatabase

/// The numbers that stand for users in the event sink: rows of `event_sink_users`.
///
/// A number is given once, in the order in which users first send something. It is not made from the hash: when a
/// device asks to be forgotten, its hash is replaced here as everywhere, and nothing leads from the old one to the
/// number.
struct EventSinkUsers: Sendable {
    /// Of the users looked up last; valid for one revision of ``EventSinkState``.
    private var known: [UserHash: Int64] = [:]
    private var revision: Int64 = -1

    private static let mostKnown = 200_000
    /// Of one statement: the values of a row take several times the memory of a number.
    private static let mostRows = 5000

    /// The numbers of users, in their order; nil for those without one.
    mutating func numbers(
        of users: [UserHash], revision: Int64, in session: any SQLSession
    ) throws -> [Int64?] {
        if revision != self.revision || known.count > Self.mostKnown { known.removeAll(keepingCapacity: true) }
        self.revision = revision
        var numbers = users.map { known[$0] }
        let unknown = numbers.indices.filter { numbers[$0] == nil }
        try unknown.forEachPart(ofAtMost: Self.mostRows) { part in
            try session.forEach(Self.search, rows: part.map { [.blob(users[$0].bytes)] }) { index, row in
                let place = part[part.startIndex + index]
                let number = try row.integer(0)
                numbers[place] = number
                known[users[place]] = number
            }
        }
        return numbers
    }

    /// The users with some numbers, as they are called now.
    static func hashes(of numbers: [Int64], in session: any SQLSession) throws -> [Int64: UserHash] {
        var hashes: [Int64: UserHash] = [:]
        try session.forEach(reverseSearch, rows: numbers.map { [.integer($0)] }) { index, row in
            hashes[numbers[index]] = try row.blob(0).withUnsafeBytes { UserHash(bytes: $0) }
        }
        return hashes
    }

    /// Gives users without a number theirs.
    static func insert(_ numbers: [(user: UserHash, number: Int64)], in transaction: any SQLTransaction) throws {
        try numbers.forEachPart(ofAtMost: mostRows) { part in
            try transaction.execute(insertion, rows: part.map { [.blob($0.user.bytes), .integer($0.number)] })
        }
    }

    /// Gives users other hashes; the numbers stay.
    static func rename(_ replacements: [UserHash: UserHash], in transaction: any SQLTransaction) throws {
        try transaction.execute(renaming, rows: replacements.map { [.blob($0.value.bytes), .blob($0.key.bytes)] })
        try transaction.execute("UPDATE event_sinks SET revision = revision + 1 WHERE id = 1")
    }

    private static let renaming = SQLBatchStatement(
        eachRow: "UPDATE event_sink_users SET user_hash = ? WHERE user_hash = ?",
        allRows: """
            UPDATE event_sink_users SET user_hash = given.new
            FROM unnest(?::bytea[], ?::bytea[]) AS given (new, old) WHERE user_hash = given.old
            """)

    private static let search = SQLBatchStatement(
        eachRow: "SELECT number FROM event_sink_users WHERE user_hash = ?",
        allRows: """
            SELECT given.place, users.number
            FROM unnest(?::bytea[]) WITH ORDINALITY AS given (user_hash, place)
            JOIN event_sink_users AS users ON users.user_hash = given.user_hash
            """)

    private static let reverseSearch = SQLBatchStatement(
        eachRow: "SELECT user_hash FROM event_sink_users WHERE number = ?",
        allRows: """
            SELECT given.place, users.user_hash
            FROM unnest(?::bigint[]) WITH ORDINALITY AS given (number, place)
            JOIN event_sink_users AS users ON users.number = given.number
            """)

    private static let insertion = SQLBatchStatement.insertion(
        into: "event_sink_users", [.blob("user_hash"), .integer("number")])
}

extension Array {
    func forEachPart(ofAtMost count: Int, _ visit: (ArraySlice<Element>) throws -> Void) rethrows {
        for start in stride(from: 0, to: self.count, by: count) { try visit(self[start...].prefix(count)) }
    }
}
