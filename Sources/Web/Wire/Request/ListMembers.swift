/// The members of a list, blanks around them removed, empty ones included (RFC 9110 section 5.6.1). Walked through
/// instead of collected, so that looking for one allocates nothing.
package struct ListMembers {
    private let list: UnsafeRawBufferPointer
    private let separator: UInt8
    private var start = 0

    /// A comma separates list members, a semicolon the parameters of one.
    package init(_ list: UnsafeRawBufferPointer, separator: UInt8 = UInt8(ascii: ",")) {
        self.list = list
        self.separator = separator
    }

    package mutating func next() -> UnsafeRawBufferPointer? {
        guard start <= list.count else { return nil }
        let stop = list.index(of: separator, from: start) ?? list.count
        var first = start
        var end = stop
        while first < end, list[first] == .space || list[first] == .tab { first += 1 }
        while end > first, list[end - 1] == .space || list[end - 1] == .tab { end -= 1 }
        start = stop + 1
        return UnsafeRawBufferPointer(rebasing: list[first..<end])
    }
}

extension RequestHead {
    /// Whether `isWanted` holds for any member of any field line of this name, in order.
    package func hasMember(of name: KnownField, where isWanted: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        bytes.withUnsafeBytes { bytes in
            for field in fields where field.known == name {
                var members = ListMembers(UnsafeRawBufferPointer(rebasing: bytes[valueRange(field)]))
                while let member = members.next() { if isWanted(member) { return true } }
            }
            return false
        }
    }
}
