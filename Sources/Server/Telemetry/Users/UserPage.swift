import EventLog
import SQLDatabase
import SubGuardSQL

/// Some users in one value: a row of `user_pages`.
///
/// A version byte, the number of users, the end of each record, the hashes in ascending order, the records. Numbers of
/// the head have fixed sizes, so that a user is found by binary search without reading the others.
struct UserPage {
    /// A page that grows beyond is split. With its key it then fits a page of SQLite (4,096 bytes).
    static let mostBytes = 4000

    private static let version: UInt8 = 1
    fileprivate static let headBytes = 3
    fileprivate static let endBytes = 2

    private(set) var bytes: [UInt8]
    /// By which the records tell days.
    private let calendar: ReportCalendar

    /// Without users.
    init(_ calendar: ReportCalendar) {
        bytes = [Self.version, 0, 0]
        self.calendar = calendar
    }

    /// Throws ``SQLError`` when this program cannot have written the bytes.
    init(_ bytes: [UInt8], _ calendar: ReportCalendar) throws {
        self.calendar = calendar
        guard bytes.count >= Self.headBytes, bytes[0] == Self.version else { throw Self.malformed }
        self.bytes = bytes
        guard bytes.count >= start, count == 0 || end(ofRecord: count - 1) == bytes.count - start else {
            throw Self.malformed
        }
    }

    var count: Int { Int(bytes[1]) | Int(bytes[2]) << 8 }

    /// Where the records begin.
    private var start: Int { hashOffset(count) }

    private func hashOffset(_ index: Int) -> Int {
        Self.headBytes + count * Self.endBytes + index * UserHash.byteCount
    }

    /// Counted from ``start``.
    private func end(ofRecord index: Int) -> Int {
        let offset = Self.headBytes + index * Self.endBytes
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    func hash(at index: Int) -> UserHash {
        let offset = hashOffset(index)
        return bytes.withUnsafeBytes { UserHash(checked: .init(rebasing: $0[offset..<offset + UserHash.byteCount])) }
    }

    /// The place of a user, or where they would be.
    private func place(of hash: UserHash) -> (index: Int, isThere: Bool) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let found = self.hash(at: middle)
            if found == hash { return (middle, true) }
            if found < hash { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    func contains(_ hash: UserHash) -> Bool { place(of: hash).isThere }

    /// Nil for a user who is not in the page.
    func state(of hash: UserHash) throws -> UserState? {
        let (index, isThere) = place(of: hash)
        return isThere ? try state(at: index) : nil
    }

    func state(at index: Int) throws -> UserState {
        try record(at: index).withUnsafeBytes { try UserState(packed: $0, calendar) }
    }

    func forEach(_ visit: (UserHash, UserState) throws -> Void) throws {
        for index in 0..<count { try visit(hash(at: index), try state(at: index)) }
    }

    typealias Change = (key: Int64, hash: UserHash, state: UserState?)
    typealias Keyed = (firstKey: Int64, page: UserPage)

    /// What becomes of the page: itself after the changes or, where that is too long, several.
    ///
    /// - Parameters:
    ///   - changes: each user at most once; a state of nil removes them.
    ///   - firstKey: of this page, and so of the first one returned.
    func applying(_ changes: [Change], from firstKey: Int64, keyOf: (UserHash) -> Int64) throws -> [Keyed] {
        if count + changes.count <= Self.mostBytes / UserHash.byteCount {
            let merged = try merging(changes.sorted { $0.hash < $1.hash })
            if merged.bytes.count <= Self.mostBytes { return [(firstKey, merged)] }
        }
        return try splitting(changes, from: firstKey, keyOf: keyOf)
    }

    private func record(at index: Int) throws -> ArraySlice<UInt8> {
        let (from, to) = (index == 0 ? 0 : end(ofRecord: index - 1), end(ofRecord: index))
        guard from <= to, start + to <= bytes.count else { throw Self.malformed }
        return bytes[start + from..<start + to]
    }

    /// - Parameter changes: in the order of the hashes.
    private func merging(_ changes: [Change]) throws -> UserPage {
        var draft = Draft(capacity: count + changes.count, calendar)
        var rest = changes[...]
        for index in 0..<count {
            let hash = hash(at: index)
            while let change = rest.first, change.hash < hash {
                draft.append(change.hash, change.state)
                rest = rest.dropFirst()
            }
            if let change = rest.first, change.hash == hash {
                draft.append(hash, change.state)
                rest = rest.dropFirst()
            } else {
                draft.append(hash, record: try record(at: index))
            }
        }
        for change in rest { draft.append(change.hash, change.state) }
        return draft.page
    }

    /// Spreads all users over pages that are about two thirds full.
    private func splitting(_ changes: [Change], from firstKey: Int64, keyOf: (UserHash) -> Int64) throws -> [Keyed] {
        var users: [(key: Int64, hash: UserHash, record: ArraySlice<UInt8>)] = []
        users.reserveCapacity(count + changes.count)
        let changed = Set(changes.map(\.hash))
        for index in 0..<count {
            let hash = hash(at: index)
            guard !changed.contains(hash) else { continue }
            users.append((keyOf(hash), hash, try record(at: index)))
        }
        var packed: [UInt8] = []
        for change in changes {
            guard let state = change.state else { continue }
            packed.removeAll(keepingCapacity: true)
            state.pack(into: &packed, calendar)
            users.append((change.key, change.hash, packed[...]))
        }
        users.sort { $0.key < $1.key }
        var pages: [Keyed] = []
        var rest = users[...]
        while let first = rest.first {
            var size = Self.headBytes
            var end = rest.startIndex
            while end < rest.endIndex {
                size += UserHash.byteCount + Self.endBytes + rest[end].record.count
                // Users of one key, of whom there are hardly ever two, cannot be told apart by it.
                if size > Self.mostBytes * 2 / 3, end > rest.startIndex, rest[end].key != rest[end - 1].key { break }
                end += 1
            }
            var draft = Draft(capacity: end - rest.startIndex, calendar)
            for user in rest[..<end].sorted(by: { $0.hash < $1.hash }) { draft.append(user.hash, record: user.record) }
            pages.append((pages.isEmpty ? firstKey : first.key, draft.page))
            rest = rest[end...]
        }
        return pages.isEmpty ? [(firstKey, UserPage(calendar))] : pages
    }

    /// The users of several pages as one, however long.
    static func joining(_ pages: [UserPage], _ calendar: ReportCalendar) throws -> UserPage {
        var users: [(hash: UserHash, record: ArraySlice<UInt8>)] = []
        for page in pages {
            for index in 0..<page.count { users.append((page.hash(at: index), try page.record(at: index))) }
        }
        users.sort { $0.hash < $1.hash }
        var draft = Draft(capacity: users.count, calendar)
        for user in users { draft.append(user.hash, record: user.record) }
        return draft.page
    }

    static let malformed = SQLError.malformed("user_pages")

    /// A page that is being written.
    fileprivate struct Draft {
        private var hashes: [UInt8] = []
        private var ends: [UInt8] = []
        private var records: [UInt8] = []
        private var count = 0
        private let calendar: ReportCalendar

        init(capacity: Int, _ calendar: ReportCalendar) {
            self.calendar = calendar
            hashes.reserveCapacity(capacity * UserHash.byteCount)
            ends.reserveCapacity(capacity * endBytes)
            records.reserveCapacity(capacity * 24)
        }

        mutating func append(_ hash: UserHash, _ state: UserState?) {
            guard let state else { return }
            state.pack(into: &records, calendar)
            finish(hash)
        }

        mutating func append(_ hash: UserHash, record: ArraySlice<UInt8>) {
            records += record
            finish(hash)
        }

        private mutating func finish(_ hash: UserHash) {
            hash.withBytes { hashes.append(contentsOf: $0) }
            ends.append(UInt8(truncatingIfNeeded: records.count))
            ends.append(UInt8(truncatingIfNeeded: records.count >> 8))
            count += 1
        }

        var page: UserPage {
            var page = UserPage(calendar)
            page.bytes = [version, UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
            page.bytes.reserveCapacity(headBytes + ends.count + hashes.count + records.count)
            page.bytes += ends
            page.bytes += hashes
            page.bytes += records
            return page
        }
    }
}

/// Fills pages with users in the order of their keys.
struct UserPageFiller {
    /// A new page leaves room for some more users; one that is split is two thirds full.
    private static let mostBytes = UserPage.mostBytes * 5 / 6

    private typealias Record = (key: Int64, hash: UserHash, bytes: Range<Int>)

    private let calendar: ReportCalendar
    private var firstKey: Int64
    private var records: [Record] = []
    private var bytes: [UInt8] = []
    private var size = UserPage.headBytes

    /// - Parameter firstKey: of the first page; no user has a lower one.
    init(from firstKey: Int64, _ calendar: ReportCalendar) {
        self.firstKey = firstKey
        self.calendar = calendar
    }

    /// Adds the next user. Returns the page before, if it is full.
    mutating func append(key: Int64, hash: UserHash, state: UserState) -> UserPage.Keyed? {
        let start = bytes.count
        state.pack(into: &bytes, calendar)
        let added = UserHash.byteCount + UserPage.endBytes + bytes.count - start
        // Users of one key, of whom there are hardly ever two, stay together.
        guard size + added > Self.mostBytes, let last = records.last, last.key != key else {
            records.append((key, hash, start..<bytes.count))
            size += added
            return nil
        }
        let record = Array(bytes[start...])
        let full = takePage()
        firstKey = key
        records.append((key, hash, 0..<record.count))
        bytes = record
        size += added
        return full
    }

    /// Returns the last page, which may be without users, and begins anew.
    mutating func takePage() -> UserPage.Keyed {
        records.sort { $0.hash < $1.hash }
        var draft = UserPage.Draft(capacity: records.count, calendar)
        for record in records { draft.append(record.hash, record: bytes[record.bytes]) }
        records.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        size = UserPage.headBytes
        return (firstKey, draft.page)
    }
}
