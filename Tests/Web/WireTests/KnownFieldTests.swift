import Testing

@testable import HTTPWire

@Suite struct KnownFieldTests {
    private static let names: [(KnownField, String)] = [
        (.host, "Host"), (.contentLength, "Content-Length"), (.transferEncoding, "Transfer-Encoding"),
        (.connection, "Connection"), (.expect, "Expect"), (.contentType, "Content-Type"),
        (.contentEncoding, "Content-Encoding"), (.accept, "Accept"), (.acceptEncoding, "Accept-Encoding"),
        (.authorization, "Authorization"), (.ifMatch, "If-Match"), (.ifNoneMatch, "If-None-Match"),
        (.idempotencyKey, "Idempotency-Key"), (.requestID, "X-Request-Id"), (.traceParent, "traceparent"),
        (.forwarded, "Forwarded"), (.forwardedFor, "X-Forwarded-For"), (.realIP, "X-Real-IP"),
        (.connectingIP, "CF-Connecting-IP"),
        (.accessControlRequestMethod, "Access-Control-Request-Method"), (.userAgent, "User-Agent"),
        (.sentryAuth, "X-Sentry-Auth"), (.secFetchSite, "Sec-Fetch-Site"),
        (.secFetchMode, "Sec-Fetch-Mode"), (.secFetchDest, "Sec-Fetch-Dest"),
        (.subguardSignature, "SubGuard-Signature"), (.cookie, "Cookie"), (.origin, "Origin"),
        (.acceptLanguage, "Accept-Language"), (.forwardedProto, "X-Forwarded-Proto"),
    ]

    @Test func knowsEveryNameInAnyCase() {
        for (field, name) in Self.names {
            for spelling in [name, name.lowercased(), name.uppercased()] {
                #expect(withBytes(spelling) { KnownField($0) } == field, "\(spelling)")
            }
        }
        #expect(Set(Self.names.map(\.0)) == Set(KnownField.allCases).subtracting([.other]))
    }

    @Test(arguments: [
        "", "X", "Hosts", "Hos", "Hoss", "Content-Lengtj", "Content_Length", String(repeating: "a", count: 99),
    ])
    func takesNothingElseForOne(_ name: String) {
        #expect(withBytes(name) { KnownField($0) } == .other)
    }
}
