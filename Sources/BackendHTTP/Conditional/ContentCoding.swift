import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardAPI

/// Content codings on both sides of a request (RFC 9110 section 8.4 and 12.5.3).
enum ContentCoding {
    /// Whether an answer may be sent as gzip.
    static func acceptsGzip(_ head: RequestHead) -> Bool {
        head.values(of: .acceptEncoding).contains { acceptsGzip($0) }
    }

    /// `gzip`, `x-gzip` or `*` with a weight that is not zero; the most specific member decides.
    static func acceptsGzip(_ value: String) -> Bool {
        var star = false
        for member in value.split(separator: ",") {
            let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let coding = parts.first else { continue }
            let isRefused = parts.dropFirst().contains { part in
                part.hasPrefix("q=") && part.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
            }
            if coding == "gzip" || coding == "x-gzip" { return !isRefused }
            if coding == "*" { star = !isRefused }
        }
        return star
    }

    /// The body with its coding undone. Throws 413 or 415.
    static func decodedBody(of request: Request, maximumBytes: Int) throws(HTTPFailure) -> [UInt8] {
        let codings = request.head.values(of: .contentEncoding).flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { $0 != "identity" }
        guard let coding = codings.first else { return request.body }
        guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(coding) else {
            throw HTTPFailure(
                .unsupportedContentCoding, "The body may be coded as gzip or deflate, once.",
                fields: [.acceptEncoding: "gzip, deflate"])
        }
        do throws(Inflater.Failure) {
            return try Inflater.inflate(request.body, maximumBytes: maximumBytes)
        } catch {
            switch error {
            case .tooLarge: throw HTTPFailure(.bodyTooLarge, "The body is larger than this resource accepts.")
            case .malformed: throw HTTPFailure(.malformedRequest, "The body is not the \(coding) that it claims to be.")
            }
        }
    }
}
