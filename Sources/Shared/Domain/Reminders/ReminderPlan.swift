/// When a subscription reminds of its charges.
public struct ReminderPlan: Sendable, Hashable {
    /// Days before the billing day, each once, farthest first. Empty for no reminder. Default: 3.
    public var offsets: [Int]

    public static let offsetRange = 0...366
    public static let maximumOffsets = 10

    public init(offsets: [Int] = [3]) {
        self.offsets = Array(Set(offsets)).sorted(by: >)
    }

    func requireValid() throws(Fault) {
        guard offsets.count <= Self.maximumOffsets else {
            throw Fault("remind", .outOfRange, "There may be at most \(Self.maximumOffsets) reminders.")
        }
        for offset in offsets { _ = try FieldRules.within(Self.offsetRange, offset, field: "remind") }
    }

    /// Reads `7,1`; an empty text is no reminder.
    public init(wire: String) throws(Fault) {
        var offsets: [Int] = []
        for part in wire.split(separator: ",", omittingEmptySubsequences: !wire.contains(",")) {
            guard let days = Int(part.filter { $0 != " " }) else {
                throw Fault("remind", .invalidFormat, "Must be days with commas between, such as 7,1.")
            }
            offsets.append(days)
        }
        self.init(offsets: offsets)
        try requireValid()
    }

    public var wire: String { offsets.map(String.init).joined(separator: ",") }
}
