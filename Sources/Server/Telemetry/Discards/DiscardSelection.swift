import EventLog
import Foundation
import JSONWire
package import SubGuardDomain

/// The events that a discard removes from the log. All given conditions must match.
package struct DiscardSelection: Sendable, Hashable {
    /// Only events of batches that the server received at this instant or later …
    package var receivedFrom: UTCInstant
    /// … and before this one.
    package var receivedBefore: UTCInstant
    /// Allowed values of the property `platform`. Empty: any value or none.
    package var platforms: [String] = []
    /// Allowed values of the property `app_version`. Empty: any value or none.
    package var appVersions: [String] = []
    /// Only events of batches without a signature by a known key.
    package var isUnsignedOnly = false
    /// Only events of users whose events all came in a single batch.
    package var isOfOneBatchOnly = false
    /// Only events of users without events received before the window.
    package var isFirstSeenInWindowOnly = false

    package init(receivedFrom: UTCInstant, receivedBefore: UTCInstant) {
        self.receivedFrom = receivedFrom
        self.receivedBefore = receivedBefore
    }

    /// Whether the selection depends on all events of a user, not only on the event itself.
    var narrowsUsers: Bool { isOfOneBatchOnly || isFirstSeenInWindowOnly }

    /// Readable text: `received from … before …, platform web`.
    package var description: String {
        var parts = ["received from \(receivedFrom.rfc3339) before \(receivedBefore.rfc3339)"]
        if !platforms.isEmpty { parts.append("platform \(platforms.joined(separator: " or "))") }
        if !appVersions.isEmpty { parts.append("app version \(appVersions.joined(separator: " or "))") }
        if isUnsignedOnly { parts.append("unsigned") }
        if isOfOneBatchOnly { parts.append("users of one batch") }
        if isFirstSeenInWindowOnly { parts.append("users first seen in the window") }
        return parts.joined(separator: ", ")
    }
}

extension DiscardSelection {
    /// The form stored in the database and in the audit log.
    var json: JSONValue {
        .object(
            JSONObject([
                ("received_from", .string(receivedFrom.rfc3339)), ("received_before", .string(receivedBefore.rfc3339)),
                ("platforms", .array(platforms.map { .string($0) })),
                ("app_versions", .array(appVersions.map { .string($0) })), ("unsigned", .bool(isUnsignedOnly)),
                ("users_of_one_batch", .bool(isOfOneBatchOnly)),
                ("first_seen_in_window", .bool(isFirstSeenInWindowOnly)),
            ]))
    }

    /// Nil for JSON that ``json`` does not produce.
    init?(json: JSONValue) {
        guard let object = json.objectValue,
            let from = object["received_from"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }),
            let before = object["received_before"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }),
            let platforms = object["platforms"]?.arrayValue, let versions = object["app_versions"]?.arrayValue,
            let isUnsignedOnly = object["unsigned"]?.boolValue,
            let isOfOneBatchOnly = object["users_of_one_batch"]?.boolValue,
            let isFirstSeenInWindowOnly = object["first_seen_in_window"]?.boolValue
        else { return nil }
        self.init(receivedFrom: from, receivedBefore: before)
        self.platforms = platforms.compactMap(\.stringValue)
        appVersions = versions.compactMap(\.stringValue)
        self.isUnsignedOnly = isUnsignedOnly
        self.isOfOneBatchOnly = isOfOneBatchOnly
        self.isFirstSeenInWindowOnly = isFirstSeenInWindowOnly
    }
}

/// Matches the events of a block against a selection, except conditions on the other events of the user.
struct DiscardFilter {
    private let selection: DiscardSelection
    private let reader: EventBlockReader
    /// Results by property set; 0 means no properties, `n + 1` is set `n`.
    private var known: [Bool?]

    init(_ selection: DiscardSelection, _ reader: EventBlockReader) {
        self.selection = selection
        self.reader = reader
        known = [Bool?](repeating: nil, count: reader.setCount + 1)
    }

    mutating func selects(_ event: EventBlockReader.Event) -> Bool {
        guard event.receivedAt >= selection.receivedFrom, event.receivedAt < selection.receivedBefore else {
            return false
        }
        if selection.isUnsignedOnly, reader.signer(ofBatch: event.batch) != nil { return false }
        let place = event.set.map { $0 + 1 } ?? 0
        if let known = known[place] { return known }
        let selects = selects(event.set.map(reader.properties(ofSet:)))
        known[place] = selects
        return selects
    }

    private func selects(_ properties: [UInt8]?) -> Bool {
        if selection.platforms.isEmpty, selection.appVersions.isEmpty { return true }
        guard let properties, let object = (try? JSONValue.parse(properties))?.objectValue else { return false }
        func holds(_ name: String, _ values: [String]) -> Bool {
            values.isEmpty || object[name]?.stringValue.map(values.contains) ?? false
        }
        return holds("platform", selection.platforms) && holds("app_version", selection.appVersions)
    }
}
