// swift-tools-version: 6.2
import PackageDescription

/// A separate package, because all fuzzed code must be built with the sanitizers and with coverage, and because
/// building the parsers should not require the server's database and cryptography. The sources are those of the server,
/// through links; `Scripts/fuzz` builds it in its own folder.
let fuzzed: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Optimised for speed, but with the assertions that a release build drops.
    .unsafeFlags(["-O", "-assert-config", "Debug", "-enable-testing", "-sanitize=fuzzer,address"]),
]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "fuzzing",
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")],
    targets: [
        .target(name: "Locking", swiftSettings: fuzzed),
        .target(name: "TextCoding", swiftSettings: fuzzed),
        .target(name: "Publication", dependencies: ["Locking"], swiftSettings: fuzzed),
        .target(name: "Translations", exclude: ["fr.po"], swiftSettings: fuzzed),
        .target(
            name: "SubGuardDomain", dependencies: ["TextCoding", "Translations", "ZlibCoding"], swiftSettings: fuzzed),
        .target(
            name: "SubGuardStatements", dependencies: ["SubGuardDomain", "TextCoding", "ZlibCoding"],
            swiftSettings: fuzzed),
        .target(name: "JSONWire", dependencies: ["TextCoding"], swiftSettings: fuzzed),
        .target(name: "HTML", dependencies: ["Publication", "TextCoding"], swiftSettings: fuzzed),
        .target(name: "WebAuthn", swiftSettings: fuzzed),
        .target(name: "HTTPWire", dependencies: ["TextCoding", httpTypes], swiftSettings: fuzzed),
        .target(name: "CEpoll"),
        .systemLibrary(name: "CDemangle"),
        .target(name: "Symbols", dependencies: ["SubGuardDomain", "TextCoding", "CDemangle"], swiftSettings: fuzzed),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "ZlibCoding", dependencies: ["CZlib"], swiftSettings: fuzzed),
        .target(
            name: "HTTPServer",
            dependencies: ["HTTPWire", "TextCoding", "CEpoll", httpTypes],
            swiftSettings: fuzzed),
        // Only the parts of the event log and of telemetry that parse events, their blocks and crashes.
        .target(
            name: "EventLog", dependencies: ["SubGuardDomain", "JSONWire"],
            sources: [
                "AnalyticsEvent.swift", "EventBatch.swift", "EventBlock.swift", "EventBlockReader.swift",
                "EventID.swift", "PackedBytes.swift", "UserHash.swift",
            ],
            swiftSettings: fuzzed),
        .target(
            name: "Telemetry", dependencies: ["EventLog", "SubGuardDomain", "JSONWire", "TextCoding", "ZlibCoding"],
            sources: [
                "Analytics/EventCandidate.swift", "Analytics/EventParser.swift",
                "Analytics/EventProperties.swift", "Analytics/SDKTime.swift",
                "Crashes/CrashEventShape.swift", "Crashes/CrashFacts.swift", "Crashes/CrashFieldTree.swift",
                "Crashes/CrashReport.swift", "Crashes/CrashSubmission.swift",
                "Crashes/CrashTally.swift", "Crashes/EnvelopeError.swift",
                "Crashes/EnvelopeParser.swift", "Crashes/EnvelopeReader.swift", "Crashes/SentryValues.swift",
                "Crashes/SessionCount.swift", "Crashes/SessionState.swift",
            ],
            swiftSettings: fuzzed),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "HTML", "HTTPServer", "HTTPWire", "JSONWire", "TextCoding", "Telemetry", "EventLog", "SubGuardDomain",
                "SubGuardStatements", "Symbols", "WebAuthn", "ZlibCoding", httpTypes,
            ],
            swiftSettings: fuzzed),
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets", "CFuzzer"], swiftSettings: fuzzed,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
