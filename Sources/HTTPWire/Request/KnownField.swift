/// Field names that the server or its application asks for by name. Recognised once, while parsing, so that later
/// look-ups compare one byte.
package enum KnownField: UInt8, Sendable, CaseIterable {
    case other
    case host, contentLength, transferEncoding, connection, expect
    case contentType, contentEncoding, accept, acceptEncoding, authorization
    case ifMatch, ifNoneMatch, idempotencyKey, requestID, traceParent
    case forwarded, forwardedFor, userAgent, sentryAuth

    private var spelling: StaticString {
        switch self {
        case .other: ""
        case .host: "host"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .connection: "connection"
        case .expect: "expect"
        case .contentType: "content-type"
        case .contentEncoding: "content-encoding"
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        case .authorization: "authorization"
        case .ifMatch: "if-match"
        case .ifNoneMatch: "if-none-match"
        case .idempotencyKey: "idempotency-key"
        case .requestID: "x-request-id"
        case .traceParent: "traceparent"
        case .forwarded: "forwarded"
        case .forwardedFor: "x-forwarded-for"
        case .userAgent: "user-agent"
        case .sentryAuth: "x-sentry-auth"
        }
    }

    /// Known names by their length, so that an unknown name costs at most a few comparisons.
    private static let byLength: [[(name: [UInt8], field: KnownField)]] = {
        var table: [[(name: [UInt8], field: KnownField)]] = Array(repeating: [], count: 32)
        for field in allCases where field != .other {
            let name = Array(StaticOctets(field.spelling))
            table[name.count].append((name, field))
        }
        return table
    }()

    @inline(__always)
    init(_ octets: UnsafeRawBufferPointer) {
        self = .other
        guard octets.count < Self.byLength.count else { return }
        for candidate in Self.byLength[octets.count] where Self.matches(octets, candidate.name) {
            self = candidate.field
            return
        }
    }

    /// Compares ignoring ASCII case. OR-ing 0x20 folds letters and leaves `-` alone; the other octets that it would fold
    /// together with a letter are no token characters, so the parser has refused them before.
    private static func matches(_ octets: UnsafeRawBufferPointer, _ name: [UInt8]) -> Bool {
        for index in 0..<name.count where octets[index] | 0x20 != name[index] | 0x20 { return false }
        return true
    }
}
