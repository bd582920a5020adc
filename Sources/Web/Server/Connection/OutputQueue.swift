/// Bytes on their way to a client that does not take them at once. Each segment is charged to the ``AnswerBudget`` until
/// its last byte is gone.
struct OutputQueue {
    private var segments: [HeldAnswer?] = []
    private var next = 0
    /// Bytes of the first segment that are gone.
    private var offset = 0

    var isEmpty: Bool { next == segments.count }

    mutating func append(_ segment: HeldAnswer, from start: Int = 0) {
        guard start < segment.bytes.count else { return }
        if isEmpty { offset = start } else { precondition(start == 0, "only the first segment may be begun") }
        segments.append(segment)
    }

    /// The bytes to send next. Not to be called when empty.
    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        (segments[next]?.bytes ?? []).withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    }

    mutating func drop(_ count: Int) {
        offset += count
        guard offset >= segments[next]?.bytes.count ?? 0 else { return }
        segments[next] = nil
        next += 1
        offset = 0
        if isEmpty {
            segments = []
            next = 0
        }
    }
}
