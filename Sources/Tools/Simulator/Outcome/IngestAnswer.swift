import JSONWire

/// The answer to a batch, as far as it is counted.
enum IngestAnswer {
    /// Nil when it is not in the form of the contract.
    static func read(_ body: [UInt8]) -> EventCounts? {
        guard let object = try? JSONValue.parse(body).objectValue,
            let accepted = object["accepted"]?.integerValue, let duplicates = object["duplicates"]?.integerValue,
            let rejected = object["rejected"]?.arrayValue
        else { return nil }
        return EventCounts(
            accepted: Int(accepted), duplicates: Int(duplicates),
            rejected: rejected.count + Int(object["rejected_omitted"]?.integerValue ?? 0))
    }
}
