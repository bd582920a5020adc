/// The sizes of the widget; the raw value is the word on the command line.
public enum WidgetFamily: String, Sendable, Hashable, CaseIterable {
    case small
    case medium
    case large

    /// How many payments it has room for.
    public var maximumPayments: Int {
        switch self {
        case .small: 1
        case .medium: 3
        case .large: 5
        }
    }
}
