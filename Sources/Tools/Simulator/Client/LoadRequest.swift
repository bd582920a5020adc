/// A request for any of the servers.
struct LoadRequest: Sendable {
    /// What happens to the response.
    enum Fate: Sendable {
        case read
        /// The response arrives, but the device does not process it, because the app was terminated.
        case thrownAway
        /// The device disconnects as soon as the request is sent.
        case cut
    }

    var method = "GET"
    let path: String
    var route = LoadRoute.analytics
    var agent = "subguard-load"
    /// Further header fields, each with its line break.
    var fields = ""
    var type = "application/json"
    var body: [UInt8]?
    /// Only for a batch of traffic at a rate.
    var batch: MadeBatch?
    var fate = Fate.read

    /// Head and body as sent to a server.
    func bytes(for target: LoadTarget) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(target.authority)\r\nUser-Agent: \(agent)\r\n\(fields)"
        if let body { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}
