/// The calls that a device makes, each with a row in the report. Searches are no calls: they are answered from the copy.
package enum DeviceCall: String, Sendable, CaseIterable {
    /// A page of the catalogue for a device that has no copy, or whose token the server does not know any more.
    case whole
    /// What changed since the copy, with the tag of the last answer: 304 unless something did.
    case revalidation
    /// What changed since the copy, for a device that has no tag.
    case delta
    case suggestions
    case analytics

    package var isCatalogue: Bool { self == .whole || self == .revalidation || self == .delta }

    package var title: String {
        switch self {
        case .whole: "catalogue, whole"
        case .revalidation: "revalidation"
        case .delta: "delta"
        case .suggestions: "suggestions"
        case .analytics: "analytics"
        }
    }

    /// What an answer says that the device can go on with. 410 and 422 send it back to the first page.
    func isGood(_ status: Int) -> Bool {
        switch self {
        case .whole: status == 200
        case .revalidation: status == 200 || status == 304 || status == 410 || status == 422
        case .delta: status == 200 || status == 410 || status == 422
        case .suggestions, .analytics: status == 202
        }
    }
}

/// A request that a device wants to send.
package struct DeviceRequest: Sendable {
    /// What becomes of the answer.
    package enum Fate: Sendable {
        case read
        /// It arrives, and the device does not get to see it: the app was ended.
        case thrownAway
        /// The device hangs up as soon as the request is out.
        case cut
    }

    package let call: DeviceCall
    package let path: String
    package var entityTag: String?
    package var body: [UInt8]?
    package var fate = Fate.read

    /// As it goes over the wire, with the fields that the real client sends.
    func bytes(authority: String) -> [UInt8] {
        var head = "\(body == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: \(authority)\r\n"
        head += "User-Agent: subguard/load\r\nAccept: application/json\r\nAccept-Language: en\r\n"
        // URL loading systems ask for it by themselves.
        head += "Accept-Encoding: gzip\r\n"
        if let entityTag { head += "If-None-Match: \(entityTag)\r\n" }
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

/// When a call that failed is sent again: as the real client does it.
package enum BackOff {
    package static let attempts = 4
    static let firstPause: Int64 = 500_000_000
    static let longestPause: Int64 = 8_000_000_000
    /// A server that asks for a longer pause is left alone until the next visit.
    static let longestRequestedSeconds = 30
    /// Answers after which another attempt may succeed.
    static let passing: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Nanoseconds until the next attempt, of which `failed` have failed; nil when there is to be none.
    ///
    /// - Parameter chance: from 0 up to 1. Any pause up to the bound is as likely, so that what failed together does not
    ///   come back together.
    package static func pause(afterAttempt failed: Int, retryAfter: Int? = nil, chance: Double) -> Int64? {
        guard failed < attempts else { return nil }
        let bound = min(longestPause, firstPause << Int64(min(max(failed - 1, 0), 20)))
        let jitter = Int64(Double(bound) * min(max(chance, 0), 1))
        guard let retryAfter else { return jitter }
        guard retryAfter <= longestRequestedSeconds else { return nil }
        return Int64(max(0, retryAfter)) * 1_000_000_000 + min(jitter, 1_000_000_000)
    }
}
