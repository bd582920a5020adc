import JSONWire

/// What the server did with one batch.
struct IngestAnswer: Sendable, Hashable {
    let accepted: Int
    let duplicates: Int
    let rejected: Int
    /// Code and words of the first rejection.
    let firstRejection: String?

    init?(_ object: JSONObject) {
        guard let accepted = object["accepted"]?.integerValue, let duplicates = object["duplicates"]?.integerValue,
            let rejected = object["rejected"]?.arrayValue
        else { return nil }
        self.accepted = Int(accepted)
        self.duplicates = Int(duplicates)
        self.rejected = rejected.count
        firstRejection = rejected.first?.objectValue.map { first in
            "\(first["code"]?.stringValue ?? "?") (\(first["detail"]?.stringValue ?? "?"))"
        }
    }
}
