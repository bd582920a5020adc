/// Field names that the server or its application looks up. Recognised once, during parsing, so that later look-ups
/// compare one byte.
package enum KnownField: UInt8, Sendable, CaseIterable {
    case other
    case host, contentLength, transferEncoding, connection, expect
    case contentType, contentEncoding, accept, acceptEncoding, authorization
    case ifMatch, ifNoneMatch, idempotencyKey, requestID, traceParent
    case forwarded, forwardedFor, userAgent, sentryAuth, subguardSignature
    case secFetchSite, secFetchMode, secFetchDest
    case cookie, origin, acceptLanguage, forwardedProto
    case realIP, connectingIP, accessControlRequestMethod

    /// Recognises a field name in any case, first by length to save comparisons.
    init(_ name: UnsafeRawBufferPointer) {
        self =
            switch name.count {
            case 4: name.equalsIgnoringCase("host") ? .host : .other
            case 6:
                name.equalsIgnoringCase("accept")
                    ? .accept
                    : name.equalsIgnoringCase("cookie")
                        ? .cookie
                        : name.equalsIgnoringCase("origin")
                            ? .origin : name.equalsIgnoringCase("expect") ? .expect : .other
            case 8: name.equalsIgnoringCase("if-match") ? .ifMatch : .other
            case 9:
                name.equalsIgnoringCase("forwarded")
                    ? .forwarded : name.equalsIgnoringCase("x-real-ip") ? .realIP : .other
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
                    ? .contentLength
                    : name.equalsIgnoringCase("sec-fetch-site")
                        ? .secFetchSite
                        : name.equalsIgnoringCase("sec-fetch-mode")
                            ? .secFetchMode : name.equalsIgnoringCase("sec-fetch-dest") ? .secFetchDest : .other
            case 15:
                name.equalsIgnoringCase("accept-encoding")
                    ? .acceptEncoding
                    : name.equalsIgnoringCase("x-forwarded-for")
                        ? .forwardedFor
                        : name.equalsIgnoringCase("idempotency-key")
                            ? .idempotencyKey : name.equalsIgnoringCase("accept-language") ? .acceptLanguage : .other
            case 16:
                name.equalsIgnoringCase("content-encoding")
                    ? .contentEncoding : name.equalsIgnoringCase("cf-connecting-ip") ? .connectingIP : .other
            case 17:
                name.equalsIgnoringCase("transfer-encoding")
                    ? .transferEncoding : name.equalsIgnoringCase("x-forwarded-proto") ? .forwardedProto : .other
            case 18: name.equalsIgnoringCase("subguard-signature") ? .subguardSignature : .other
            case 29: name.equalsIgnoringCase("access-control-request-method") ? .accessControlRequestMethod : .other
            default: .other
            }
    }
}

/// The trimmed members of a list, including empty ones (RFC 9110 section 5.6.1). Iterated instead of collected, so that
/// a search allocates nothing.
package struct ListMembers {
    private let list: UnsafeRawBufferPointer
    private let separator: UInt8
    private var start = 0

    /// `separator` is a comma for list members, a semicolon for the parameters of a member.
    package init(_ list: UnsafeRawBufferPointer, separator: UInt8 = UInt8(ascii: ",")) {
        self.list = list
        self.separator = separator
    }

    package mutating func next() -> UnsafeRawBufferPointer? {
        guard start <= list.count else { return nil }
        let stop = list.index(of: separator, from: start) ?? list.count
        var first = start
        var end = stop
        while first < end, list[first] == .space || list[first] == .tab { first += 1 }
        while end > first, list[end - 1] == .space || list[end - 1] == .tab { end -= 1 }
        start = stop + 1
        return UnsafeRawBufferPointer(rebasing: list[first..<end])
    }
}

extension RequestHead {
    /// Whether `isWanted` is true for any member of any field line of this name, in order.
    package func hasMember(of name: KnownField, where isWanted: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        bytes.withUnsafeBytes { bytes in
            for field in fields where field.known == name {
                var members = ListMembers(UnsafeRawBufferPointer(rebasing: bytes[valueRange(field)]))
                while let member = members.next() { if isWanted(member) { return true } }
            }
            return false
        }
    }
}
