/// The names that one object has used so far.
///
/// They are compared as bytes: names that differ only in their Unicode normalisation are different ones
/// (RFC 8259 section 8.3), though Swift's strings call them equal.
struct JSONNames {
    /// Few names are compared faster one by one than hashed.
    private static let linearLimit = 12

    private var list: [String] = []
    private var set: Set<[UInt8]> = []

    /// False when the name has been there before.
    mutating func insert(_ name: String) -> Bool {
        guard set.isEmpty else { return set.insert(Array(name.utf8)).inserted }
        guard !list.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
        list.append(name)
        if list.count > Self.linearLimit { set = Set(list.map { Array($0.utf8) }) }
        return true
    }
}
