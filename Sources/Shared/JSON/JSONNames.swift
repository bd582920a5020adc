/// The names that one object has used so far.
///
/// Names are compared bytewise: those that differ only in their Unicode normalisation are different (RFC 8259 section
/// 8.3), although Swift's strings consider them equal.
struct JSONNames {
    /// Up to this number, comparing names one by one is faster than hashing them.
    private static let linearLimit = 12

    /// A name that is hashed and compared by its bytes, without copying them.
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

    /// Returns false if the name is already present.
    mutating func insert(_ name: String) -> Bool {
        guard set.isEmpty else { return set.insert(Name(text: name)).inserted }
        guard !list.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
        list.append(name)
        if list.count > Self.linearLimit { set = Set(list.map { Name(text: $0) }) }
        return true
    }
}
