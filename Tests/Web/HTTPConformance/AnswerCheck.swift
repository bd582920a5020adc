import TestKit

/// A property required of a response besides its status.
struct AnswerCheck: Sendable {
    let name: String
    /// Receives the response and the previous ones on the connection.
    let holds: @Sendable (RawResponse, [RawResponse]) -> Bool

    static func has(_ field: String) -> AnswerCheck {
        AnswerCheck(name: "\(field) is missing") { answer, _ in answer[field]?.isEmpty == false }
    }

    static func lacks(_ field: String) -> AnswerCheck {
        AnswerCheck(name: "\(field) must not be there") { answer, _ in answer[field] == nil }
    }

    /// The members of `Allow` in any order.
    static func allows(_ methods: String...) -> AnswerCheck {
        AnswerCheck(name: "Allow must name \(methods.joined(separator: ", "))") { answer, _ in
            let allowed = (answer["Allow"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            return Set(methods).isSubset(of: allowed)
        }
    }

    static func bodyLacks(_ text: String) -> AnswerCheck {
        AnswerCheck(name: "the body must not hold \(text)") { answer, _ in !answer.text.contains(text) }
    }

    static func saysTheSame(_ field: String) -> AnswerCheck {
        AnswerCheck(name: "\(field) differs from the answer before") { answer, earlier in
            answer[field] == earlier.last?[field]
        }
    }

    /// RFC 9112 section 9.6: a server announces that it closes.
    static let announcesClose = AnswerCheck(name: "Connection: close is missing") { answer, _ in
        answer.announcesClose
    }

    static let staysOpen = AnswerCheck(name: "Connection: close must not be there") { answer, _ in
        !answer.announcesClose
    }

    /// Required of every response.
    static let always = [isHTTP11, hasDate, oneOfEach]

    /// RFC 9110 section 2.5: a server answers with the highest version it conforms to.
    private static let isHTTP11 = AnswerCheck(name: "the version is not HTTP/1.1") { answer, _ in
        answer.version == "HTTP/1.1"
    }

    /// RFC 9110 section 6.6.1, for a server with a clock: required in 2xx, 3xx and 4xx, in the fixed-length format.
    private static let hasDate = AnswerCheck(name: "Date is missing or no IMF-fixdate") { answer, _ in
        let dates = answer.values(of: "Date")
        guard answer.status < 500 || !dates.isEmpty else { return true }
        guard dates.count == 1, let date = dates.first?.utf8, date.count == 29 else { return false }
        let pattern = "aaa, 00 aaa 0000 00:00:00 GMT".utf8
        return zip(date, pattern).allSatisfy { octet, kind in
            switch kind {
            case UInt8(ascii: "a"): (0x41...0x7A).contains(octet)
            case UInt8(ascii: "0"): (0x30...0x39).contains(octet)
            default: octet == kind
            }
        }
    }

    private static let oneOfEach = AnswerCheck(name: "a field that is no list comes twice") { answer, _ in
        ["Content-Length", "Content-Type", "Server", "Location", "ETag", "Retry-After"]
            .allSatisfy { answer.values(of: $0).count <= 1 }
    }
}
