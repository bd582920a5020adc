package import SubGuardDomain

/// Packs the events of one commit into one value of the database.
///
/// Users, properties and property sets are stored once per block, and each event refers to them by a small number;
/// shared values cost an event a byte or two. The layout, all numbers packed as in ``PackedReader``:
///
///     1 or 2                         number of the layout
///     latest time of receipt         milliseconds since 1970
///     signers: count, then for each  length and bytes of its name; layout 2 only
///     batches: count, then for each  number of its events, milliseconds from its receipt to the latest one, and in
///                                    layout 2 its signer + 1, or 0 for none
///     users: count, then             32 bytes each
///     members: count, then           length and bytes of each, such as "locale":"fr"
///     sets: count, then for each     number of members, number of each member
///     events, a column each          16 bytes of id · name · user · time, relative to the latest receipt ·
///                                    set + 1, or 0 for none
///
/// A block has layout 2 if a batch in it was signed, and layout 1 otherwise.
package struct EventBlock {
    package static let layout: UInt8 = 1
    package static let layoutWithSigners: UInt8 = 2

    package private(set) var count = 0
    package private(set) var lastOccurredAt = UTCInstant.earliest
    package private(set) var receivedAt = UTCInstant.earliest

    private var batches: [(count: Int, receivedAt: UTCInstant, signer: Int?)] = []
    private var signers: [String] = []
    private var ids: [UInt8] = []
    private var names: [UInt8] = []
    private var users: [UInt8] = []
    private var userNumbers: [UserHash: Int] = [:]
    private var userList: [UInt8] = []
    private var moments: [UTCInstant] = []
    private var setNumbers: [[UInt8]: Int] = [:]
    private var memberNumbers: [ArraySlice<UInt8>: Int] = [:]
    private var members: [UInt8] = []
    private var sets: [UInt8] = []
    private var setColumn: [UInt8] = []

    /// Begins a batch; the events that follow belong to it. `signer` names the key that signed it.
    package mutating func beginBatch(receivedAt: UTCInstant, signer: String? = nil) {
        batches.append((0, receivedAt, signer.map { signerNumber(of: $0) }))
        self.receivedAt = max(self.receivedAt, receivedAt)
    }

    /// Call it after ``beginBatch(receivedAt:signer:)``.
    package mutating func append(_ event: AnalyticsEvent, id: EventID, nameID: Int64) {
        append(id: id, nameID: nameID, user: event.userID, at: event.timestamp, properties: event.properties)
    }

    /// Appends an event read from another block; `properties` are compact JSON.
    private mutating func append(
        id: EventID, nameID: Int64, user: UserHash, at moment: UTCInstant, properties: [UInt8]?
    ) {
        count += 1
        batches[batches.count - 1].count += 1
        ids.append(id)
        names.append(packed: UInt64(bitPattern: nameID))
        users.append(packed: userNumber(of: user))
        moments.append(moment)
        lastOccurredAt = max(lastOccurredAt, moment)
        setColumn.append(packed: properties.map { setNumber(of: $0) + 1 } ?? 0)
    }

    package var bytes: [UInt8] {
        var bytes = [signers.isEmpty ? Self.layout : Self.layoutWithSigners]
        bytes.reserveCapacity(ids.count + users.count + userList.count + members.count + sets.count + 8 * count + 64)
        bytes.append(packedSigned: receivedAt.millisecondsSinceEpoch)
        if !signers.isEmpty {
            bytes.append(packed: signers.count)
            for signer in signers {
                bytes.append(packed: signer.utf8.count)
                bytes += signer.utf8
            }
        }
        bytes.append(packed: batches.count)
        for batch in batches {
            bytes.append(packed: batch.count)
            bytes.append(packedSigned: batch.receivedAt.milliseconds(until: receivedAt))
            if !signers.isEmpty { bytes.append(packed: batch.signer.map { $0 + 1 } ?? 0) }
        }
        bytes.append(packed: userNumbers.count)
        bytes += userList
        bytes.append(packed: memberNumbers.count)
        bytes += members
        bytes.append(packed: setNumbers.count)
        bytes += sets
        bytes += ids
        bytes += names
        bytes += users
        for moment in moments { bytes.append(packedSigned: moment.milliseconds(until: receivedAt)) }
        bytes += setColumn
        return bytes
    }

    private mutating func signerNumber(of signer: String) -> Int {
        if let number = signers.firstIndex(of: signer) { return number }
        signers.append(signer)
        return signers.count - 1
    }

    private mutating func userNumber(of user: UserHash) -> Int {
        if let number = userNumbers[user] { return number }
        let number = userNumbers.count
        userNumbers[user] = number
        user.withBytes { userList.append(contentsOf: $0) }
        return number
    }

    /// The number of a property set given as compact JSON.
    private mutating func setNumber(of json: [UInt8]) -> Int {
        if let number = setNumbers[json] { return number }
        let parts = PropertyMembers.split(json)
        sets.append(packed: parts.count)
        for part in parts { sets.append(packed: memberNumber(of: part)) }
        let number = setNumbers.count
        setNumbers[json] = number
        return number
    }

    private mutating func memberNumber(of member: ArraySlice<UInt8>) -> Int {
        if let number = memberNumbers[member] { return number }
        let number = memberNumbers.count
        memberNumbers[member] = number
        members.append(packed: member.count)
        members += member
        return number
    }
}

extension EventBlock {
    /// Copies a block without the events for which `isRemoved` returns true, and without batches that become empty.
    package init(copying reader: EventBlockReader, unless isRemoved: (EventBlockReader.Event) throws -> Bool) throws {
        self.init()
        try append(reader, unless: isRemoved)
    }

    /// Appends the events of another block in batches of their own, even if these were received at the same moment as
    /// earlier ones.
    package mutating func append(
        _ reader: EventBlockReader, unless isRemoved: (EventBlockReader.Event) throws -> Bool = { _ in false }
    ) throws {
        var batch: Int?
        try reader.forEach { event in
            guard try !isRemoved(event) else { return }
            if event.batch != batch {
                batch = event.batch
                beginBatch(receivedAt: event.receivedAt, signer: reader.signer(ofBatch: event.batch))
            }
            append(
                id: event.id, nameID: event.nameID, user: event.userID, at: event.occurredAt,
                properties: event.set.map(reader.properties(ofSet:)))
        }
    }

    /// Replaces user hashes in the bytes of a block; their number and order stay. Returns whether any was replaced.
    /// Throws ``EventBlockError`` if the bytes are not a valid block.
    package static func replaceUsers(_ replacements: [UserHash: UserHash], in block: inout [UInt8]) throws -> Bool {
        let users = try block.withUnsafeBytes(EventBlockReader.userRange)
        var isChanged = false
        for place in stride(from: users.lowerBound, to: users.upperBound, by: UserHash.byteCount) {
            let hash = block.withUnsafeBytes {
                UserHash(checked: UnsafeRawBufferPointer(rebasing: $0[place..<place + UserHash.byteCount]))
            }
            guard let replacement = replacements[hash] else { continue }
            block.replaceSubrange(place..<place + UserHash.byteCount, with: replacement.bytes)
            isChanged = true
        }
        return isChanged
    }
}

/// The members of a compact JSON object as substrings of its text.
package enum PropertyMembers {
    /// Splits at the commas between members. Joining restores any input, valid or not, except its first and last byte.
    package static func split(_ json: [UInt8]) -> [ArraySlice<UInt8>] {
        let inner = json.dropFirst().dropLast()
        var parts: [ArraySlice<UInt8>] = []
        var (start, index, isInText) = (inner.startIndex, inner.startIndex, false)
        while index < inner.endIndex {
            switch inner[index] {
            case UInt8(ascii: "\\") where isInText: index += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: ",") where !isInText:
                parts.append(inner[start..<index])
                start = index + 1
            default: break
            }
            index += 1
        }
        parts.append(inner[start...])
        return parts
    }

    package static func join(_ members: [UnsafeRawBufferPointer]) -> [UInt8] {
        var json = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += member
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}
