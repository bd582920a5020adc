// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, because everything that is fuzzed must be built with the sanitizers and with coverage, and
/// because the parsers must not wait for the database and the cryptography that the server needs beside them. Its
/// sources are those of the server, through links; `Scripts/fuzz` builds it into a folder of its own.
let fuzzed: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Optimised, because a fuzzer lives by its speed, but with the assertions that a release build drops.
    .unsafeFlags(["-O", "-assert-config", "Debug", "-enable-testing", "-sanitize=fuzzer,address"]),
]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "fuzzing",
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")],
    targets: [
        .target(name: "TextCoding", swiftSettings: fuzzed),
        .target(name: "SubGuardDomain", dependencies: ["TextCoding"], swiftSettings: fuzzed),
        .target(name: "JSONWire", dependencies: ["TextCoding"], swiftSettings: fuzzed),
        .target(name: "HTTPWire", dependencies: ["TextCoding", httpTypes], swiftSettings: fuzzed),
        .target(name: "CEpoll"),
        .systemLibrary(name: "CFileStatus"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "HTTPServer",
            dependencies: ["HTTPWire", "TextCoding", "CEpoll", "CFileStatus", "CZlib", "COpenSSL", httpTypes],
            swiftSettings: fuzzed),
        // Of the event log and the backend only what reads events, their blocks, crashes and logos: bytes in, values out.
        .target(
            name: "EventLog", dependencies: ["SubGuardDomain", "JSONWire"],
            sources: [
                "AnalyticsEvent.swift", "EventBatch.swift", "EventBlock.swift", "EventBlockReader.swift",
                "EventID.swift", "PackedBytes.swift", "UserHash.swift",
            ],
            swiftSettings: fuzzed),
        .target(
            name: "Backend", dependencies: ["EventLog", "SubGuardDomain", "JSONWire"],
            sources: [
                "Analytics/EventCandidate.swift", "Analytics/EventParser.swift", "Analytics/EventParserError.swift",
                "Analytics/EventProperties.swift",
                "Catalogue/Logos/ImageStructures.swift", "Catalogue/Logos/LogoImage.swift", "Crashes/CrashFacts.swift",
                "Crashes/CrashFieldTree.swift",
                "Crashes/CrashReport.swift",
                "Crashes/CrashReport+Reading.swift", "Crashes/CrashScrubber.swift", "Crashes/CrashSubmission.swift",
                "Crashes/CrashFolding.swift", "Crashes/CrashTally.swift", "Crashes/Envelope.swift",
                "Crashes/EnvelopeError.swift",
                "Crashes/EnvelopeParser.swift", "Crashes/EnvelopeReader.swift", "Crashes/Masking.swift",
                "Crashes/Octet.swift", "Crashes/ScannedText.swift", "Crashes/ScannedText+Addresses.swift",
                "Crashes/ScannedText+Links.swift", "Crashes/ScannedText+Tokens.swift", "Crashes/SentryValues.swift",
                "Crashes/SessionCount.swift", "Crashes/SessionStatus.swift", "Crashes/SessionTally.swift",
                "Crashes/SessionUpdate.swift", "Operations/FieldError.swift",
            ],
            swiftSettings: fuzzed),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "HTTPServer", "HTTPWire", "JSONWire", "TextCoding", "Backend", "EventLog", "SubGuardDomain", httpTypes,
            ],
            swiftSettings: fuzzed),
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets", "CFuzzer"], swiftSettings: fuzzed,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
