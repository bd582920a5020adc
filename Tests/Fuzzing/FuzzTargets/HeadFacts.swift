import HTTPTypes
import HTTPWire

/// An accepted request head, checked against invariants.
struct HeadFacts: Equatable {
    let method: RequestMethod
    let minorVersion: UInt8
    let path: [UInt8]
    let query: [UInt8]
    let framing: BodyFraming
    let keepsAlive: Bool
    let expectsContinue: Bool
    let fields: [String]

    init(_ head: RequestHead) throws(BrokenPromise) {
        method = head.method
        minorVersion = head.minorVersion
        path = head.withPath { Array($0) }
        query = head.withQuery { Array($0) }
        framing = head.framing
        keepsAlive = head.keepsAlive
        expectsContinue = head.expectsContinue
        let httpFields = head.httpFields
        fields = httpFields.map { "\($0.name.rawName): \($0.value)" }
        try checkTarget(head)
        try checkFields(head)
        try checkFraming(head)
    }

    private func checkTarget(_ head: RequestHead) throws(BrokenPromise) {
        try hold(path.first == UInt8(ascii: "/") || (path == Array("*".utf8) && method == .options), "a path without /")
        try hold((path + query).allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a target with an octet that no URI holds")
        try hold(!path.contains(UInt8(ascii: "?")), "a path with a query in it")
        try hold(!(path + query).contains(UInt8(ascii: "#")), "a target with a fragment")
        let target = head.withTarget { Array($0) }
        let expected = query.isEmpty ? path : path + [UInt8(ascii: "?")] + query
        try hold(target == expected, "a target that is not its path and query")
    }

    /// RFC 9110 section 5.5: no value contains a line end or NUL; RFC 9112 section 3.2: one Host.
    private func checkFields(_ head: RequestHead) throws(BrokenPromise) {
        for name in KnownField.allCases {
            let values = head.values(of: name)
            try hold(values.isEmpty != head.contains(name), "a field that is there and is not")
            try hold(values.first == head.value(of: name), "a first value that is not the first")
            for value in values {
                try hold(
                    value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }, "a value with a control octet")
                try hold(value.utf8.first != 0x20 && value.utf8.last != 0x20, "a value with blanks around it")
            }
        }
        try hold(head.minorVersion == 0 || head.values(of: .host).count == 1, "HTTP/1.1 without one host")
    }

    /// RFC 9112 section 6.3, determined again from the fields.
    private func checkFraming(_ head: RequestHead) throws(BrokenPromise) {
        let lengths = head.values(of: .contentLength)
        let codings = head.values(of: .transferEncoding).map { $0.lowercased() }
        switch framing {
        case .none: try hold(lengths.isEmpty && codings.isEmpty, "a body that is not read")
        case .length(let length):
            try hold(
                codings.isEmpty && lengths.count == 1 && Int(lengths[0]) == length, "a length that is not that sent")
            try hold(lengths[0].utf8.allSatisfy { (0x30...0x39).contains($0) }, "a length with more than digits")
        case .chunked:
            try hold(codings == ["chunked"] && lengths.isEmpty, "chunks beside another framing")
            try hold(minorVersion > 0, "chunks in HTTP/1.0")
        }
        try hold(!expectsContinue || (framing != .none && minorVersion > 0), "a 100 without a waiting client")
    }
}
