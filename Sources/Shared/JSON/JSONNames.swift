/// The names that one object has used so far.
///
/// They are compared as bytes: names that differ only in their Unicode normalisation are different ones
/// (RFC 8259 section 8.3), though Swift's strings call them equal.
struct JSONNames {
    /// Few names are compared faster one by one than hashed.
    private static let linearLimit = 12

    /// A name that is hashed and compared by its bytes, without a copy of them.
    private struct Name: Hashable {
        let text: String

        static func == (left: Name, right: Name) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var list: [String] = []
    private var set: Set<Name> = []

    /// False when the name has been there before.
    mutating func insert(_ name: String) -> Bool {
        guard set.isEmpty else { return set.insert(Name(text: name)).inserted }
        guard !list.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
        list.append(name)
        if list.count > Self.linearLimit { set = Set(list.map { Name(text: $0) }) }
        return true
    }
}
