package import JSONWire
package import SubGuardDomain

/// Why a whole request of events is rejected.
package enum EventParserError: Error, Sendable, Hashable {
    /// Not JSON, from the given byte on.
    case malformed(JSONError)
    /// More events than allowed in one request.
    case tooManyEvents
    /// Valid JSON with faults around the events; every fault is listed.
    case invalid(FaultList)

    /// Whether the text is malformed rather than invalid.
    package var isMalformed: Bool {
        if case .malformed = self { true } else { false }
    }

    /// One sentence for the client's developer.
    package var detail: String {
        switch self {
        case .malformed(let error): error.description
        case .tooManyEvents: "A request carries at most \(AnalyticsLimits.batchSize.upperBound) events."
        case .invalid(let errors): errors.first?.detail ?? ""
        }
    }
}
