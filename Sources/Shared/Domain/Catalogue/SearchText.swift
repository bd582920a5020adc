/// Where a folded name or alias lies in the matcher's units.
struct SearchText: Sendable {
    let letters: LetterSet
    let start: Int32
    let count: Int32
    let entry: Int32
    let isAlias: Bool

    func units(in all: UnsafeBufferPointer<UInt16>) -> UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(rebasing: all[Int(start)..<Int(start + count)])
    }
}
