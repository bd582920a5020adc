package import Foundation
package import JSONWire
package import SubGuardDomain

/// Analytics calls of devices.
extension APIOperation {
    public static let analytics = APIOperation(
        .post, "/api/v1/analytics", "submitEvents", tag: .analytics, access: .open,
        summary: "Report events of a device",
        """
        An object with `events`, or a bare array. Events in a 202 response are on disk. An event counts once however \
        often its id is sent, so a device can safely repeat a request that got no response. A bad event does not \
        affect the others: it is listed in `rejected` and will be rejected again. A batch that exceeds the client's \
        allowance for disk space or new users gets 429, and none of it is stored. The body has at most 1 MiB as sent \
        and 4 MiB decoded.
        """,
        body: .other(
            [
                .other(
                    "application/json",
                    examples: [
                        ("batch", EventReports.wire.example), ("bare_array", [EventReport.wire.example]),
                    ]
                ) { components in
                    [
                        "oneOf": [
                            .object(EventReports.wire.reference(&components)),
                            .object(WireType.events.schema(&components)),
                        ]
                    ]
                }
            ], of: .json, "1 to 1000 events.", isJSON: true),
        answers: [
            .json(
                EventReceipt.self, "Events that are not in `rejected` are on disk.", status: 202,
                examples: [
                    ("all_accepted", ["accepted": 2, "duplicates": 0, "rejected": []]),
                    (
                        "one_rejected",
                        ["accepted": 1, "duplicates": 0, "rejected": [EventReceipt.Rejection.wire.example]]
                    ),
                ])
        ], traits: .signed)

    public static let analyticsErasure = APIOperation(
        .post, "/api/v1/analytics/erasure", "eraseAnalytics", tag: .analytics, access: .open,
        summary: "Make a device's events anonymous",
        """
        For a device whose user withdraws consent. After a 202 response, the request is on disk. Within minutes the \
        hash is replaced by a random one everywhere, so that the figures stay and cannot be traced to the device. \
        Repeating the request changes nothing. Events sent with the hash afterwards count as those of a new user.
        """,
        body: .json(
            AnalyticsErasure.self, "The hash that the device sends with its events; clients keep it secret."),
        answers: [.empty(202, "The request is stored.")])

    static let ofAnalytics: [APIOperation] = [analytics, analyticsErasure]
}

/// An event as sent by a device. The server reads it with a hand-written parser.
package struct EventReport: WireObject, Hashable {
    package let id: UUID
    package let name: String
    /// 64 hexadecimal digits.
    package let userID: String
    package let timestamp: UTCInstant
    package let properties: JSONObject

    package init(id: UUID, name: String, userID: String, timestamp: UTCInstant, properties: JSONObject) {
        self.id = id
        self.name = name
        self.userID = userID
        self.timestamp = timestamp
        self.properties = properties
    }

    package static let wire = WireSchema<EventReport>(
        "Event", "An event that breaks a rule does not fail the request: it is listed in `rejected`.",
        make: { EventReport(id: $0, name: $1, userID: $2, timestamp: $3, properties: $4 ?? [:]) },
        Field("id", \.id, .givenID, "Created by the device; repeated events are recognised by it."),
        Field("name", \.name, .eventName, example: "app_opened"),
        Field("user_id", \.userID, .userID, "SHA-256 of the device's anonymous id, in lower-case hexadecimal digits."),
        Field(
            "timestamp", \.timestamp, .givenInstant,
            "By the device's clock, at most 24 hours ahead of and 400 days behind the server's."),
        Field(
            "properties", { $0.properties }, optional: .eventProperties,
            example: [
                "app_version": "1.4.0", "os_version": "18.1", "platform": "ios", "locale": "fr-FR",
            ]),
        rules: ["allOf": propertyRules])

    /// The properties allowed for each event; events with the same properties share a rule.
    private static var propertyRules: JSONValue {
        var rules: [(properties: [String], events: [JSONValue])] = []
        for event in EventRegistry.events {
            let properties = event.properties.map(\.name)
            if let index = rules.firstIndex(where: { $0.properties == properties }) {
                rules[index].events.append(.string(event.name))
            } else {
                rules.append((properties, [.string(event.name)]))
            }
        }
        return .array(
            rules.map { properties, events in
                let names = JSONValue.array(properties.map { .string($0) })
                return [
                    "if": ["properties": ["name": ["enum": .array(events)]]],
                    "then": ["properties": ["properties": ["propertyNames": ["enum": names]]]],
                ]
            })
    }
}

/// A batch of events as sent by a device.
package struct EventReports: WireObject {
    package let events: [EventReport]
    /// The time on the device's clock, from which the server corrects clock skew.
    package let sentAt: UTCInstant?

    package init(events: some Sequence<EventReport>, sentAt: UTCInstant? = nil) {
        self.events = Array(events)
        self.sentAt = sentAt
    }

    package static let wire = WireSchema<EventReports>(
        "EventBatch", make: { EventReports(events: $0, sentAt: $1) }, Field("events", \.events, .events),
        Field(
            "sent_at", \.sentAt, optional: .givenInstant,
            "The device's clock when it sends. Every timestamp is shifted by the difference to the server's clock."))
}

/// The response to a batch of events.
package struct EventReceipt: WireObject, Hashable {
    package struct Rejection: WireObject, Hashable {
        /// Position in the batch, starting at 0.
        package let index: Int
        /// One of ``EventRejection``, or an unknown code of a newer server.
        package let code: String
        package let detail: String

        package init(index: Int, code: String, detail: String) {
            self.index = index
            self.code = code
            self.detail = detail
        }

        package static let wire = WireSchema<Rejection>(
            "RejectedEvent", make: Rejection.init,
            Field("index", \.index, .integer(0...999), "Its position in the request, counted from 0."),
            Field("code", \.code, .eventRejection, example: EventRejection.propertyNotAllowed.rawValue),
            Field("detail", \.detail, .text(1...Int.max), example: EventRejection.propertyNotAllowed.detail))
    }

    package let accepted: Int
    package let duplicates: Int
    package let rejected: [Rejection]
    /// Number of rejected events missing from ``rejected``, which lists at least 100, and one per 10 bytes of the
    /// request.
    package let omittedRejections: Int

    package init(accepted: Int, duplicates: Int, rejected: [Rejection], omittedRejections: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
        self.omittedRejections = omittedRejections
    }

    /// Number of all rejected events.
    package var rejectedCount: Int { rejected.count + omittedRejections }

    /// Number of events in the batch.
    package var count: Int { accepted + duplicates + rejectedCount }

    package static let wire = WireSchema<EventReceipt>(
        "EventReceipt",
        make: { EventReceipt(accepted: $0, duplicates: $1, rejected: $2, omittedRejections: $3 ?? 0) },
        Field("accepted", \.accepted, .integer(0...1000), "Number of events stored by this request."),
        Field("duplicates", \.duplicates, .integer(0...1000), "Number of events whose id was already known."),
        Field("rejected", \.rejected, .array(of: .object, count: 0...1000)),
        Field(
            "rejected_omitted", { $0.omittedRejections > 0 ? $0.omittedRejections : nil }, optional: .integer(1...900),
            "How many more events were rejected than `rejected` names; absent when it names all. It names at least "
                + "100, and one for each 10 bytes of the request as sent."))
}

/// The request to make a device's events anonymous.
package struct AnalyticsErasure: WireObject, Hashable {
    /// The user hash in the device's events, known only to the device.
    package let userID: String

    package init(userID: String) { self.userID = userID }

    package static let wire = WireSchema<AnalyticsErasure>(
        "AnalyticsErasure", make: AnalyticsErasure.init,
        Field("user_id", \.userID, .userID, "64 lower-case hexadecimal digits."))
}

extension WireType where Value == [EventReport] {
    fileprivate static var events: WireType {
        .array(of: .object, count: AnalyticsLimits.batchSize, called: "events").named("EventList")
    }
}

extension WireType where Value == String {
    /// The user hash that identifies a device in its events.
    fileprivate static var userID: WireType {
        let documented = text(
            AnalyticsLimits.userIDLength...AnalyticsLimits.userIDLength, pattern: "^[0-9a-f]{64}$",
            example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
        let checked = text(bytes: 1...256).checking { text in
            var text = text
            return text.withUTF8 { AnalyticsLimits.isUserID(UnsafeRawBufferPointer($0)) }
                ? nil : (.invalidUserID, "Must be \(AnalyticsLimits.userIDLength) lower-case hexadecimal digits.")
        }
        return WireType(
            schema: documented.schema, example: documented.example, write: checked.write, read: checked.read)
    }

    fileprivate static var eventName: WireType {
        word(EventRegistry.events.map(\.name)).described("The events of the registry.").named("EventName")
    }

    fileprivate static var eventRejection: WireType {
        word(EventRejection.allCases.map(\.rawValue))
            .described("The first rule that the event breaks, in this order.").named("EventRejection")
    }

    /// One of `words`. Readers accept any text, because the sender may be newer.
    private static func word(_ words: [String]) -> WireType {
        let text = WireType.text(1...Int.max)
        return WireType(
            schema: { _ in ["type": "string", "enum": .array(words.map { .string($0) })] }, example: text.example,
            write: text.write, read: text.read)
    }
}

extension WireType where Value == JSONObject {
    /// The properties of an event. Reading validates neither names nor values.
    fileprivate static var eventProperties: WireType {
        WireType { components in
            components.reference("EventProperties") { _ in
                var properties = JSONObject()
                for property in EventRegistry.events.flatMap(\.properties) {
                    properties.set(property.name, .object(property.kind.schema))
                }
                return [
                    "description":
                        "Properties of the registry. Short texts are printable ASCII. `Event` lists them by event.",
                    "type": "object", "properties": .object(properties), "additionalProperties": false,
                ]
            }
        } example: {
            [:]
        } write: {
            $1.value(.object($0))
        } read: { json, reading in
            if json.objectValue == nil { reading.note(.invalidType, "Must be an object.") }
            return json.objectValue
        }
    }
}

extension PropertyKind {
    fileprivate var schema: JSONObject {
        switch self {
        case .shortText(let maximumBytes): ["type": "string", "minLength": 1, "maxLength": .integer(maximumBytes)]
        case .locale: ["type": "string", "examples": ["fr-FR"]]
        case .uuid: ["type": "string", "format": "uuid"]
        case .integer(let range):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        }
    }
}
