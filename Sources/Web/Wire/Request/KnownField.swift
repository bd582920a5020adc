/// Field names that the server or its application asks for by name. Recognised once, while parsing, so that later
/// look-ups compare one byte.
package enum KnownField: UInt8, Sendable, CaseIterable {
    case other
    case host, contentLength, transferEncoding, connection, expect
    case contentType, contentEncoding, accept, acceptEncoding, authorization
    case ifMatch, ifNoneMatch, idempotencyKey, requestID, traceParent
    case forwarded, forwardedFor, userAgent, sentryAuth, secFetchSite, subguardSignature

    /// Takes a field name in any case. By length first, so that a name costs at most a few comparisons.
    init(_ name: UnsafeRawBufferPointer) {
        self =
            switch name.count {
            case 4: name.equalsIgnoringCase("host") ? .host : .other
            case 6:
                name.equalsIgnoringCase("accept") ? .accept : name.equalsIgnoringCase("expect") ? .expect : .other
            case 8: name.equalsIgnoringCase("if-match") ? .ifMatch : .other
            case 9: name.equalsIgnoringCase("forwarded") ? .forwarded : .other
            case 10:
                name.equalsIgnoringCase("connection")
                    ? .connection : name.equalsIgnoringCase("user-agent") ? .userAgent : .other
            case 11: name.equalsIgnoringCase("traceparent") ? .traceParent : .other
            case 12:
                name.equalsIgnoringCase("content-type")
                    ? .contentType : name.equalsIgnoringCase("x-request-id") ? .requestID : .other
            case 13:
                name.equalsIgnoringCase("if-none-match")
                    ? .ifNoneMatch
                    : name.equalsIgnoringCase("authorization")
                        ? .authorization : name.equalsIgnoringCase("x-sentry-auth") ? .sentryAuth : .other
            case 14:
                name.equalsIgnoringCase("content-length")
                    ? .contentLength : name.equalsIgnoringCase("sec-fetch-site") ? .secFetchSite : .other
            case 15:
                name.equalsIgnoringCase("accept-encoding")
                    ? .acceptEncoding
                    : name.equalsIgnoringCase("x-forwarded-for")
                        ? .forwardedFor : name.equalsIgnoringCase("idempotency-key") ? .idempotencyKey : .other
            case 16: name.equalsIgnoringCase("content-encoding") ? .contentEncoding : .other
            case 17: name.equalsIgnoringCase("transfer-encoding") ? .transferEncoding : .other
            case 18: name.equalsIgnoringCase("subguard-signature") ? .subguardSignature : .other
            default: .other
            }
    }
}
