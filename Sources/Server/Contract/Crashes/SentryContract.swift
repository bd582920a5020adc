package import Foundation
import JSONWire
package import SubGuardContract
import SubGuardDomain
import Telemetry

/// Calls made by Sentry SDKs.
extension APIOperation {
    package static let sentryEnvelope = APIOperation(
        .post, "/ingest/api/{project_id}/envelope/", "submitEnvelope", tag: .crashes, access: .open,
        summary: "Report with a Sentry SDK",
        """
        The Sentry envelope protocol: configure SDKs with the DSN `http://<key>@host:port/ingest/<project_id>`. \
        Returns 404 until the setting `ingest_sentry_key` is set. The key is read from `X-Sentry-Auth`, the query or \
        the envelope's `dsn`; if it is sent more than once, each must be the server's key. Items of the types `event`, \
        `session`, `sessions` and `client_report` are read, others are skipped and counted; a bad item does not affect \
        the others. Errors have `X-Sentry-Error` and `causes`, 429 also `X-Sentry-Rate-Limits`. A key in the head is \
        checked before the body is read. SDKs send `application/x-sentry-envelope`; the media type is ignored. The \
        body has at most 2 MiB as sent and 8 MiB decoded, an event 1 MiB, the header of an envelope or item 16 KiB.
        """, holes: [.sentryProject],
        body: .other(
            [
                // Code generators create no call for the media type of the protocol.
                .other(
                    "application/octet-stream", ["type": "string", "format": "binary"],
                    example: """
                        {}
                        {"type":"session"}
                        {"sid":"7c7b6585-f901-4351-bf8d-02711b721929","init":true,"started":"2026-11-20T10:00:00Z",\
                        "status":"exited","attrs":{"release":"1.4.0"}}

                        """)
            ], of: .any, "A line of JSON, then for each item a line of JSON and its payload."),
        answers: [
            .json(
                EnvelopeReceipt.self, "Every readable item is on disk.",
                examples: [("event", EnvelopeReceipt.wire.example), ("without_event", [:])])
        ], traits: [.keyed, .anyQuery])

    package static let sentryStore = APIOperation(
        .post, "/ingest/api/{project_id}/store/", "submitStoredEvent", tag: .crashes, access: .open,
        summary: "Report an event with an older Sentry SDK",
        """
        One event, in the format that SDKs used before envelopes; the DSN is the same. The key is read from \
        `X-Sentry-Auth` or the query, and is checked before the body is read. The event is stored like one in an \
        envelope: the same fields, masked in the same way, once per id. Besides gzip, deflate and br, base64 of JSON \
        compressed with zlib is accepted, which some SDKs send without declaring it. The media type is ignored. The \
        body has at most 2 MiB as sent, the event 1 MiB.
        """, holes: [.sentryProject],
        body: .other(
            [
                .other(
                    "application/json", ["type": "object"],
                    example: [
                        "event_id": "80a817cf4f684a7bb62880ea6729fff0", "timestamp": "2026-11-20T10:00:00Z",
                        "release": "1.4.0", "message": "cannot read the file",
                    ])
            ], of: .any, "The event."),
        answers: [.json(EnvelopeReceipt.self, "The event is on disk.")], problems: [.malformedJSON],
        traits: [.keyed, .anyQuery])
}

extension APIOperation.Hole {
    fileprivate static var sentryProject: APIOperation.Hole {
        .text(
            "The setting `ingest_project_id`.", ["type": "string", "minLength": 1, "maxLength": 128], example: "1")
    }
}

/// The response that Sentry SDKs expect for an accepted report.
package struct EnvelopeReceipt: WireObject {
    /// The event's id; nil for an envelope without one.
    package let id: UUID?

    package init(id: UUID?) { self.id = id }

    package static let wire = WireSchema<EnvelopeReceipt>("EnvelopeReceipt") {
        Field(
            "id", \.id,
            optional: .converted(
                .text(pattern: "^[0-9a-f]{32}$"), else: .invalidID, "Must be an event id.", encode: SentryID.text,
                decode: SentryID.uuid),
            "The event's id; absent for an envelope without an id.",
            example: UUID(strict: "80a817cf-4f68-4a7b-b628-80ea6729fff0"))
    }
}
