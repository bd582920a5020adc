package import Foundation
package import JSONWire
package import SubGuardContract
package import SubGuardDomain

extension APIOperation {
    package static let postHogBatch = APIOperation(
        .post, "/batch/", "submitPostHogBatch", tag: .analytics, access: .open,
        summary: "Report events with a PostHog SDK",
        """
        Returns 404 until the setting `ingest_posthog_key` is set. Events are mapped onto the registry: `event` is the \
        name, `uuid` the id, `distinct_id` becomes `user_id` (64 lower-case hexadecimal digits are kept as they are, \
        anything else is hashed with SHA-256). Properties that the registry does not allow for the event are dropped; \
        unknown events are dropped and counted. The rest of the batch is accepted. `sent_at` corrects clock skew. The \
        response is sent once everything is on disk. The media type is ignored. The body has at most 6 MiB, as sent \
        and decoded, and 5000 events; an event with over 500 properties is dropped.
        """,
        body: .other([.json(PostHogBatch.self)], of: .any, "A batch.", isJSON: true),
        answers: [.json(PostHogReceipt.self, "The accepted events are on disk.")],
        problems: [.notFound, .unauthorized],
        traits: [.signed, .anyQuery])
}

/// A batch as sent by PostHog SDKs. The server reads it with a hand-written parser.
package struct PostHogBatch: WireObject {
    package let apiKey: String
    package let sentAt: UTCInstant?
    package let isHistorical: Bool?
    package let events: [Event]

    package struct Event: WireObject {
        package let name: String
        /// A string or a number.
        package let distinctID: JSONValue
        package let id: UUID?
        package let timestamp: UTCInstant?
        package let properties: JSONValue?

        package static let wire = WireSchema<Event>(
            "PostHogEvent", make: Event.init, Field("event", \.name, .text(), example: "app_opened"),
            Field(
                "distinct_id", \.distinctID,
                .json(
                    ["type": ["string", "number"]],
                    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")),
            Field(
                "uuid", \.id, optional: .givenID, example: UUID(strict: "01934f0e-7c2a-7d3e-9b1a-000000000003")),
            Field(
                "timestamp", \.timestamp, optional: .givenInstant,
                example: UTCInstant(rfc3339: "2026-11-20T10:00:00Z")),
            Field(
                "properties", \.properties, optional: .json(["type": "object"], example: [:]),
                example: ["platform": "ios", "$lib": "posthog-ios"]), unknown: .ignored)
    }

    package static let wire = WireSchema<PostHogBatch>(
        "PostHogBatch", make: PostHogBatch.init, Field("api_key", \.apiKey, .text(1...Int.max), example: "phc_example"),
        Field("sent_at", \.sentAt, optional: .givenInstant, example: UTCInstant(rfc3339: "2026-11-20T10:00:05.123Z")),
        Field("historical_migration", \.isHistorical, optional: .boolean),
        Field("batch", \.events, .array(of: .object, count: 0...5000, called: "events")), unknown: .ignored)
}

/// The response that PostHog SDKs expect for an accepted batch.
package struct PostHogReceipt: WireObject {
    package init() {}

    package static let wire = WireSchema<PostHogReceipt>("PostHogReceipt") {
        Field("status", { _ in 1 }, .integer(1...1))
    }
}
