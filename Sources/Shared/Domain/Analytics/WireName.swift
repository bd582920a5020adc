/// A name that incoming bytes are compared with, kept in both forms so that comparing allocates nothing.
struct WireName: Sendable, Hashable {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == bytes.count else { return false }
        for index in 0..<other.count where other[index] != bytes[index] { return false }
        return true
    }
}
