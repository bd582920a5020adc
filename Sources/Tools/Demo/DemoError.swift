/// Why the demo ends early, in words for whoever started it. Never holds the token.
package enum DemoError: Error, CustomStringConvertible {
    case unreachable(server: String, reason: String)
    /// An answer that is not the one hoped for. `reason` is the server's own words where it gave any.
    case refused(call: String, status: Int, reason: String)
    case stillBusy(call: String, status: Int, tries: Int)
    case unreadableAnswer(call: String)
    case emptyCatalogue
    case eventsRejected(count: Int, first: String)
    case eventsUncounted(sent: Int, counted: Int)

    package var description: String {
        switch self {
        case .unreachable(let server, let reason): "\(server) cannot be reached: \(reason)"
        case .refused(let call, let status, let reason): "\(call) was answered \(status): \(reason)"
        case .stillBusy(let call, let status, let tries): "\(call) was answered \(status) \(tries) times; giving up"
        case .unreadableAnswer(let call): "the answer to \(call) is not what a SubGuard server answers"
        case .emptyCatalogue:
            "the server's catalogue is empty: `subguardd catalogue import Config/catalogue.csv` fills it"
        case .eventsRejected(let count, let first): "the server rejected \(count) events; the first as \(first)"
        case .eventsUncounted(let sent, let counted): "\(sent) events were sent, but the server counted \(counted)"
        }
    }
}
