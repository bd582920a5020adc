package import JSONWire
package import SubGuardDomain

/// Why a whole request of events is refused.
package enum EventParserError: Error, Sendable, Hashable {
    /// Not JSON, from the byte on that the error names.
    case malformed(JSONError)
    /// More events than one request may carry.
    case tooManyEvents
    /// JSON that makes no sense here, with every fault of what stands around the events.
    case invalid(FaultList)

    /// Whether the text could not be parsed, rather than being JSON that makes no sense here.
    package var isMalformed: Bool {
        if case .malformed = self { true } else { false }
    }

    /// One sentence for the developer of the device.
    package var detail: String {
        switch self {
        case .malformed(let error): error.description
        case .tooManyEvents: "A request carries at most \(AnalyticsLimits.batchSize.upperBound) events."
        case .invalid(let errors): errors.first?.detail ?? ""
        }
    }
}
