package import Foundation
import JSONWire
package import SubGuardDomain

/// The call that reports crashes without an SDK.
extension APIOperation {
    public static let crashes = APIOperation(
        .post, "/api/v1/crashes", "submitCrashes", tag: .crashes, access: .open,
        summary: "Report crashes and session counts",
        """
        For clients without a Sentry SDK. No field is for personal data, unknown fields are refused, and text that \
        looks personal or secret is masked before it is stored. If one entry is bad, the whole request is refused. \
        Idempotent by `id`. `sent_at` corrects clock skew: each time is shifted by the difference to the server's \
        clock. The body has at most 1 MiB as sent and 4 MiB decoded.
        """,
        body: .json(
            CrashReports.self, "Crashes, session counts, or both.",
            examples: [
                (
                    "both",
                    [
                        "sent_at": "2026-11-20T10:00:05Z",
                        "crashes": [
                            [
                                "id": "01934f0e-7c2a-7d3e-9b1a-000000000001", "timestamp": "2026-11-20T10:00:00Z",
                                "type": "EXC_BAD_ACCESS", "app_version": "1.4.0", "app_build": "217",
                                "platform": "ios", "os_version": "18.1", "device_model": "iPhone15,2",
                                "handled": false,
                                "frames": [
                                    [
                                        "function": "SubscriptionList.body.getter", "module": "SubGuard", "line": 42,
                                        "in_app": true,
                                    ],
                                    ["function": "UIApplicationMain", "module": "UIKitCore", "in_app": false],
                                ],
                            ]
                        ],
                        "sessions": [
                            [
                                "id": "01934f0e-7c2a-7d3e-9b1a-000000000002", "started_at": "2026-11-20T09:00:00Z",
                                "app_version": "1.4.0", "total": 3, "crashed": 1,
                            ]
                        ],
                    ]
                )
            ]),
        answers: [.json(CrashReceipt.self, "Everything is on disk.", status: 202)])
}

/// Crashes and session counts as sent by a client. The server reads them with a hand-written parser.
package struct CrashReports: WireObject {
    package let sentAt: UTCInstant?
    package let crashes: [Crash]?
    package let sessions: [Sessions]?

    package init(sentAt: UTCInstant?, crashes: [Crash]?, sessions: [Sessions]?) {
        self.sentAt = sentAt
        self.crashes = crashes
        self.sessions = sessions
    }

    package static let wire = WireSchema<CrashReports>(
        "CrashSubmission", make: CrashReports.init,
        Field("sent_at", \.sentAt, optional: .givenInstant),
        Field("crashes", \.crashes, optional: .array(of: .object, count: CrashLimits.batchSize, called: "objects")),
        Field("sessions", \.sessions, optional: .array(of: .object, count: CrashLimits.batchSize, called: "objects")),
        // Within `allOf`, because code generators create no type for an object that has `anyOf` itself.
        rules: ["allOf": [["anyOf": [["required": ["crashes"]], ["required": ["sessions"]]]]]]
    ) { reports, reading in
        if reports.crashes == nil, reports.sessions == nil {
            reading.note(.required, "Must have crashes or sessions.")
        }
    }
}

extension CrashReports {
    package struct Crash: WireObject {
        package let id: UUID
        package let timestamp: UTCInstant
        package let type: String
        package let message: String?
        package let level: CrashLevel
        package let isHandled: Bool?
        package let version: String
        package let build: String?
        package let environment: String?
        package let platform: String?
        package let osName: String?
        package let osVersion: String?
        package let deviceModel: String?
        package let fingerprint: [String]?
        package let frames: [Frame]?

        package static let wire = WireSchema<Crash>(
            "Crash", make: Crash.init, Field("id", \.id, .givenID), Field("timestamp", \.timestamp, .givenInstant),
            Field(
                "type", \.type, .kept("type"),
                "The cause, such as the name of an exception or a signal. At most 160 bytes are stored."),
            Field(
                "message", \.message, optional: .kept("message"),
                "Masked before it is stored. At most 1024 bytes are stored."),
            Field("level", \.level, .choice, default: .fatal),
            Field("handled", \.isHandled, optional: .boolean, "Whether the program continued."),
            Field("app_version", \.version, .kept("app_version"), "A version, a commit, or `package@version`."),
            Field("app_build", \.build, optional: .kept("app_build"), "The build."),
            Field("environment", \.environment, optional: .kept("environment"), "Such as `production`."),
            Field("platform", \.platform, optional: .kept("platform"), "Such as `ios`."),
            Field("os_name", \.osName, optional: .kept("os_name"), "At most 64 bytes are stored."),
            Field("os_version", \.osVersion, optional: .kept("os_version"), "The version of the operating system."),
            Field(
                "device_model", \.deviceModel, optional: .kept("device_model"),
                "The model, never a name. At most 64 bytes are stored."),
            Field(
                "fingerprint", \.fingerprint,
                optional: .array(
                    of: .kept(at: "fingerprint[]").described("At most 160 bytes are stored."), count: 1...5,
                    called: "strings"),
                "Groups crashes by these texts instead of type and frames; `{{ default }}` stands for these."),
            Field(
                "frames", \.frames,
                optional: .array(of: .object, count: CrashLimits.framesPerCrash, called: "objects"),
                "Innermost first."))

        /// The paths in ``CrashRegistry`` of a crash's strings, by name, in parsing order.
        package static let texts: [(name: String, path: String)] = [
            ("type", "exception.values[].type"), ("message", "exception.values[].value"), ("level", "level"),
            ("app_version", "release"), ("app_build", "dist"), ("environment", "environment"),
            ("platform", "platform"), ("os_name", "contexts.os.name"), ("os_version", "contexts.os.version"),
            ("device_model", "contexts.device.model"),
        ]
    }

    package struct Frame: WireObject {
        package let function: String?
        package let module: String?
        package let file: String?
        package let line: Int64?
        package let isOwn: Bool?

        package static let wire = WireSchema<Frame>(
            "CrashFrame", make: Frame.init,
            Field("function", \.function, optional: .kept("function"), "At most 160 bytes are stored."),
            Field("module", \.module, optional: .kept("module"), "At most 160 bytes are stored."),
            Field("file", \.file, optional: .kept("file"), "At most 160 bytes are stored."),
            Field("line", \.line, optional: .integer(0...Int64.max)),
            Field("in_app", \.isOwn, optional: .boolean, "Whether the frame belongs to the program itself."))

        /// The paths of a frame's strings, by name, relative to the frame.
        package static let texts: [(name: String, path: String)] = [
            ("function", "function"), ("module", "module"), ("file", "filename"),
        ]
    }

    /// Sessions of one version that started at about the same time.
    package struct Sessions: WireObject {
        package let id: UUID
        package let startedAt: UTCInstant
        package let version: String
        package let total: Int64
        package let crashed: Int64

        package init(id: UUID, startedAt: UTCInstant, version: String, total: Int64, crashed: Int64) {
            self.id = id
            self.startedAt = startedAt
            self.version = version
            self.total = total
            self.crashed = crashed
        }

        package static let wire = WireSchema<Sessions>(
            "SessionCount", "Sessions of one version that began in the same hour.", make: Sessions.init,
            Field("id", \.id, .givenID), Field("started_at", \.startedAt, .givenInstant),
            Field("app_version", \.version, .kept("app_version"), "A version, a commit, or `package@version`."),
            Field("total", \.total, .integer(CrashLimits.sessionsPerCount)),
            Field(
                "crashed", \.crashed, .integer(0...CrashLimits.sessionsPerCount.upperBound), "At most `total`.")
        ) { sessions, reading in
            if sessions.crashed > sessions.total {
                reading.at("crashed") { reading.note(.outOfRange, "Must be at most total.") }
            }
        }
    }
}

/// The response to reported crashes and session counts.
package struct CrashReceipt: WireObject {
    package let accepted: Int64
    package let duplicates: Int64

    package init(accepted: Int64, duplicates: Int64) {
        self.accepted = accepted
        self.duplicates = duplicates
    }

    package static let wire = WireSchema<CrashReceipt>(
        "CrashReceipt", make: CrashReceipt.init,
        Field("accepted", \.accepted, .integer(0...200), "Number of entries stored by this request.", example: 2),
        Field("duplicates", \.duplicates, .integer(0...200), "Number of entries with a known id.", example: 0))
}

extension WireType where Value == String {
    /// The crash or frame string with this name.
    fileprivate static func kept(_ name: String) -> WireType {
        let frame = CrashReports.Frame.texts.first { $0.name == name }.map {
            "exception.values[].stacktrace.frames[].\($0.path)"
        }
        return kept(at: frame ?? CrashReports.Crash.texts.first { $0.name == name }?.path ?? name)
    }

    /// A string of the kind that ``CrashRegistry`` stores at this path.
    fileprivate static func kept(at path: String) -> WireType {
        guard let kind = CrashField.kept(at: path)?.kind else { return text() }
        let parts = "[A-Za-z0-9 ._+()/-]+"
        let type =
            switch kind {
            case .text(let bytes), .symbol(let bytes): text(1...bytes)
            case .word: text(1...32, pattern: "^[A-Za-z0-9._-]+$", example: "ios")
            case .version: text(1...40, pattern: "^[A-Za-z0-9 ._+()-]+$", example: "18.1")
            case .release:
                text(
                    1...96,
                    pattern: "^(?:\(parts)|\(parts)@(?:[0-9]+(?:[.+_ -][A-Za-z0-9 ._+()/-]*)?|[0-9A-Fa-f]{7,}))$",
                    example: "1.4.0")
            case .number, .flag: text()
            }
        return type.checking { text in kind.fault(of: text).map { ($0, kind.rule) } }
    }
}
