/// Tells how far long work is, every so many steps and at its end.
struct Steps {
    private static let interval = 256

    private let count: Int
    private let tell: (_ done: Int, _ of: Int) -> Void
    private var done = 0

    init(_ count: Int, _ tell: @escaping (_ done: Int, _ of: Int) -> Void) {
        self.count = count
        self.tell = tell
    }

    mutating func step() {
        if done.isMultiple(of: Self.interval) { tell(done, count) }
        done += 1
    }

    func finish() { tell(count, count) }
}
