package import JSONWire

/// What the server did with one batch of events.
package struct IngestAnswer: Sendable, Hashable {
    package struct Rejection: Sendable, Hashable {
        /// Position in the batch, counted from 0.
        package let index: Int
        /// One of ``EventRejection``, or one that a newer server knows.
        package let code: String
        package let detail: String

        package init(index: Int, code: String, detail: String) {
            self.index = index
            self.code = code
            self.detail = detail
        }
    }

    package let accepted: Int
    package let duplicates: Int
    package let rejected: [Rejection]
    /// How many more events were rejected than ``rejected`` names: not 0 only where an answer would be out of all
    /// proportion to its request.
    package let omittedRejections: Int

    package init(accepted: Int, duplicates: Int, rejected: [Rejection], omittedRejections: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
        self.omittedRejections = omittedRejections
    }

    /// All rejected events.
    package var rejectedCount: Int { rejected.count + omittedRejections }

    /// How many events it speaks of.
    package var count: Int { accepted + duplicates + rejectedCount }

    package init?(wire object: JSONObject) {
        guard let accepted = object["accepted"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let duplicates = object["duplicates"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let list = object["rejected"]?.arrayValue, (0...1_000_000).contains(accepted),
            (0...1_000_000).contains(duplicates)
        else { return nil }
        let rejected = list.compactMap { element -> Rejection? in
            guard let index = element.objectValue?["index"]?.integerValue.flatMap({ Int(exactly: $0) }) else {
                return nil
            }
            return Rejection(
                index: index, code: element.objectValue?["code"]?.stringValue ?? "?",
                detail: element.objectValue?["detail"]?.stringValue ?? "?")
        }
        var omitted = 0
        if let value = object["rejected_omitted"] {
            guard let count = value.integerValue, (0...1_000_000).contains(count) else { return nil }
            omitted = Int(count)
        }
        guard rejected.count == list.count else { return nil }
        self.init(accepted: accepted, duplicates: duplicates, rejected: rejected, omittedRejections: omitted)
    }

    package func json() -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + rejected.count * 128)
        writer.beginObject()
        writer.field("accepted", accepted)
        writer.field("duplicates", duplicates)
        writer.key("rejected")
        writer.beginArray()
        for rejection in rejected {
            writer.beginObject()
            writer.field("index", rejection.index)
            writer.field("code", rejection.code)
            writer.field("detail", rejection.detail)
            writer.endObject()
        }
        writer.endArray()
        if omittedRejections > 0 { writer.field("rejected_omitted", omittedRejections) }
        writer.endObject()
        return writer.bytes
    }
}
