/// The reminders of one subscription: on which days before a charge, the end of a trial or a new price, and of what
/// not.
public struct ReminderPlan: Sendable, Hashable {
    /// Days before the event, without duplicates, in descending order; empty for no such reminders. Nil, the default,
    /// for ``ReminderPolicy/days``.
    public private(set) var days: [Int]?
    /// The kinds of which there are no reminders.
    public var muted: Set<ReminderKind> = []

    /// Days before an event on which there may be a reminder.
    public static let dayRange = 0...366
    /// How many reminders an event may have.
    public static let maximumDays = 10
    private static let muteMark = "no-"
    /// No days, also where an empty text means something else.
    package static let noneWord = "none"

    /// Sorts the days and removes duplicates; does not check ``dayRange`` and ``maximumDays``.
    public init(days: [Int]? = nil, muted: Set<ReminderKind> = []) {
        self.days = days.map { Array(Set($0)).sorted(by: >) }
        self.muted = muted
    }

    func requireValid() throws(Fault) {
        let days = days ?? []
        guard days.count <= Self.maximumDays else {
            throw Fault("remind", .outOfRange, "At most \(Self.maximumDays) reminders.")
        }
        for day in days { _ = try FieldRules.within(Self.dayRange, day, field: "remind") }
    }

    /// Reads days, `default` or `none`, and muted kinds: `7,1`, `default,no-cancel_by`. An empty text means no days.
    public init(wire: String) throws(Fault) {
        var days: [Int]?
        var muted: Set<ReminderKind> = []
        var isNone = wire.isEmpty
        for part in wire.split(separator: ",", omittingEmptySubsequences: !wire.contains(",")) {
            let word = part.filter { $0 != " " }
            if let number = Int(word) {
                days = (days ?? []) + [number]
            } else if word == Self.noneWord {
                isNone = true
            } else if word.hasPrefix(Self.muteMark),
                let kind = ReminderKind(rawValue: String(word.dropFirst(Self.muteMark.count))), kind != .budget
            {
                muted.insert(kind)
            } else if word != "default" {
                throw Fault(
                    "remind", .invalidFormat,
                    """
                    Must be numbers of days separated by commas, such as 7,1, or default, or none; no-cancel_by mutes \
                    a kind.
                    """
                )
            }
        }
        self.init(days: isNone ? days ?? [] : days, muted: muted)
        try requireValid()
    }

    /// `7,1`, `default`, an empty text for no days; muted kinds follow: `default,no-cancel_by`.
    public var wire: String {
        let kinds = ReminderKind.allCases.filter(muted.contains).map { Self.muteMark + $0.rawValue }
        guard let days else { return (["default"] + kinds).joined(separator: ",") }
        if days.isEmpty { return kinds.isEmpty ? "" : ([Self.noneWord] + kinds).joined(separator: ",") }
        return (days.map(String.init) + kinds).joined(separator: ",")
    }
}
