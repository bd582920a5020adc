// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target of ours: warnings stop the build, and a file sees only what it imports itself.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "subguard",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "SubGuardDomain", targets: ["SubGuardDomain"]),
        .library(name: "SubGuardContract", targets: ["SubGuardContract"]),
        .library(
            name: "SubGuardEngine", targets: ["SubGuardEngine", "SubGuardStatements", "SubGuardStatementImport"]),
        .library(name: "SubGuardClient", targets: ["SubGuardClient"]),
        .executable(name: "subguard", targets: ["subguard"]),
        .executable(name: "subguardd", targets: ["subguardd"]),
        .executable(name: "subguard-load", targets: ["subguard-load"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // The shared domain and the wire contract: no I/O, build for devices.
        .target(name: "TextCoding", path: "Sources/Shared/Text", swiftSettings: strict),
        // Under which path a proxy publishes the process.
        .target(
            name: "Publication", dependencies: ["Locking"], path: "Sources/Shared/Publication", swiftSettings: strict),
        // What people read in other languages. Scripts/generate embeds the files.
        .target(
            name: "Translations", path: "Sources/Shared/Translations", exclude: ["fr.po"], swiftSettings: strict),
        .target(
            name: "SubGuardDomain", dependencies: ["TextCoding", "Translations", "ZlibCoding"],
            path: "Sources/Shared/Domain", swiftSettings: strict),
        // What bank statements tell of subscriptions. Servers never read any.
        .target(
            name: "SubGuardStatements", dependencies: ["SubGuardDomain", "TextCoding", "ZlibCoding"],
            path: "Sources/Shared/Statements", swiftSettings: strict),
        .target(name: "JSONWire", dependencies: ["TextCoding"], path: "Sources/Shared/JSON", swiftSettings: strict),
        .target(
            name: "SubGuardContract", dependencies: ["SubGuardDomain", "JSONWire", "Publication", "TextCoding"],
            path: "Sources/Shared/Contract",
            swiftSettings: strict),

        // Infrastructure: knows no subscription noun.
        .target(
            name: "HTTPWire", dependencies: ["TextCoding", httpTypes], path: "Sources/Web/Wire", swiftSettings: strict),
        .target(name: "CEpoll", path: "Sources/System/CEpoll"),
        .systemLibrary(name: "CAllocator", path: "Sources/System/CAllocator"),
        .systemLibrary(name: "CFileStatus", path: "Sources/System/CFileStatus"),
        .target(
            name: "FileAccess", dependencies: ["CFileStatus"], path: "Sources/Storage/Files", swiftSettings: strict),
        .systemLibrary(
            name: "CZlib", path: "Sources/System/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "ZlibCoding", dependencies: ["CZlib"], path: "Sources/System/ZlibCoding", swiftSettings: strict),
        .systemLibrary(
            name: "CBrotli", path: "Sources/System/CBrotli", pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"])]),
        .target(
            name: "BrotliCoding", dependencies: ["CBrotli", "ZlibCoding"], path: "Sources/System/BrotliCoding",
            swiftSettings: strict),
        .systemLibrary(
            name: "CCrypto", path: "Sources/System/CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Hashes, ciphers, keys and certificates: OpenSSL's libcrypto, CryptoKit on Apple's systems.
        .target(
            name: "Cryptography", dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))],
            path: "Sources/System/Cryptography", swiftSettings: strict),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "HTTPServer",
            dependencies: ["HTTPWire", "TextCoding", "CEpoll", httpTypes], path: "Sources/Web/Server",
            swiftSettings: strict),
        // TLS for the server, through OpenSSL.
        .target(
            name: "HTTPServerTLS", dependencies: ["HTTPServer", "CFileStatus", "COpenSSL"], path: "Sources/Web/TLS",
            swiftSettings: strict),
        // Pages and forms: what is written is escaped, what is read is bounded.
        .target(
            name: "HTML", dependencies: ["Publication", "TextCoding"], path: "Sources/Web/HTML", swiftSettings: strict),
        // The style and the icon that all pages share, embedded by Scripts/generate.
        .target(
            name: "PageAssets", dependencies: ["HTML", "TextCoding"], path: "Sources/Web/PageAssets",
            exclude: ["Assets/base.css", "Assets/favicon.svg"], swiftSettings: strict),
        // Responses with pages and forms, for the console and the app.
        .target(
            name: "Pages", dependencies: ["HTML", "HTTPServer", "HTTPWire", "TextCoding", httpTypes],
            path: "Sources/Web/Pages",
            swiftSettings: strict),
        // What authenticators send: CBOR, keys, authenticator data. Bounded, without cryptography.
        .target(name: "WebAuthn", path: "Sources/Web/WebAuthn", swiftSettings: strict),
        .systemLibrary(
            name: "CCurl", path: "Sources/System/CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        // Messages for mail servers, as text.
        .target(name: "Mail", path: "Sources/Web/Mail", swiftSettings: strict),
        .target(name: "Outbound", dependencies: ["CCurl"], path: "Sources/Web/Outbound", swiftSettings: strict),
        // A lock for targets that devices build: iOS 17 has no Mutex. A semaphore whose timeouts no clock changes.
        .target(name: "Locking", path: "Sources/System/Locking", swiftSettings: strict),
        .target(
            name: "SQLDatabase", dependencies: ["Cryptography"], path: "Sources/Storage/Database",
            swiftSettings: strict),
        .systemLibrary(
            name: "CSQLite", path: "Sources/System/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "SQLiteDatabase", dependencies: ["SQLDatabase", "FileAccess", "Locking", "CFileStatus", "CSQLite"],
            path: "Sources/Storage/SQLite", swiftSettings: strict),
        .systemLibrary(
            name: "CPostgres", path: "Sources/System/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgresDatabase", dependencies: ["SQLDatabase", "Locking", "CPostgres"],
            path: "Sources/Storage/PostgreSQL", swiftSettings: strict),
        // How ids, instants and days of the domain stand in columns, for both stores.
        .target(
            name: "SubGuardSQL", dependencies: ["SQLDatabase", "SubGuardDomain"], path: "Sources/Storage/Values",
            swiftSettings: strict),

        // The device's half: the store on the domain's rules, and its command line.
        .target(
            name: "SubGuardEngine",
            dependencies: [
                "SubGuardDomain", "JSONWire", "SubGuardSQL", "FileAccess", "TextCoding", "SQLDatabase",
                "SQLiteDatabase", "Locking", "CFileStatus", "ZlibCoding", "Cryptography",
            ],
            path: "Sources/Device/Engine", swiftSettings: strict),
        // Bank statements compared with the store, and what they say taken into it.
        .target(
            name: "SubGuardStatementImport",
            dependencies: ["SubGuardEngine", "SubGuardStatements", "SubGuardDomain", "SubGuardSQL", "SQLDatabase"],
            path: "Sources/Device/StatementImport", swiftSettings: strict),
        // What an app needs to talk to a server: the engine's queues and copies on one side, libcurl on the other,
        // URLSession on Apple's systems.
        .target(
            name: "SubGuardClient",
            dependencies: [
                "SubGuardEngine", "SubGuardContract", "SubGuardDomain", "JSONWire", "TextCoding", "Locking",
                "CFileStatus", "FileAccess", "Cryptography",
                .target(name: "Outbound", condition: .when(platforms: [.linux])),
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ],
            path: "Sources/Device/Client", swiftSettings: strict),
        // What the command line and the app say.
        .target(
            name: "DeviceWords",
            dependencies: [
                "SubGuardClient", "SubGuardEngine", "SubGuardStatementImport", "SubGuardStatements", "SubGuardDomain",
            ],
            path: "Sources/Device/Words", swiftSettings: strict),
        // The app in the browser, on the loopback interface: pages on the engine's calls.
        .target(
            name: "DeviceApp",
            dependencies: [
                "DeviceWords", "SubGuardClient", "SubGuardEngine", "SubGuardStatementImport", "SubGuardStatements",
                "SubGuardDomain", "HTML", "HTTPServer", "HTTPWire", "PageAssets", "Pages", "TextCoding", "Locking",
                "JSONWire", httpTypes, "Cryptography",
            ],
            path: "Sources/Device/App",
            exclude: [
                "Assets/app.css", "Assets/app.js", "Assets/worker.js", "Assets/icons.svg", "Assets/appicon.svg",
            ],
            swiftSettings: strict),
        // The commands of the client, but for those that serve the app: both compile at once.
        .target(
            name: "DeviceCommands",
            dependencies: [
                "DeviceWords", "SubGuardClient", "SubGuardEngine", "SubGuardStatementImport", "SubGuardStatements",
                "SubGuardContract", "SubGuardDomain", "JSONWire", "Cryptography", "Locking", "Mail", "TextCoding",
                // Reminders by mail.
                .target(name: "Outbound", condition: .when(platforms: [.linux])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Device/Commands", swiftSettings: strict),
        .executableTarget(
            name: "subguard",
            dependencies: [
                "DeviceCommands", "DeviceWords", "SubGuardClient", "SubGuardEngine", "SubGuardDomain", "JSONWire",
                "FileAccess",
                .target(name: "DeviceApp", condition: .when(platforms: [.linux])),
                .target(name: "CAllocator", condition: .when(platforms: [.linux])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Device/subguard", swiftSettings: strict),

        // Accepted events, as packed blocks with an index of their ids. What counts them comes in from outside.
        .target(
            name: "EventLog",
            dependencies: ["SubGuardDomain", "JSONWire", "Locking", "SQLDatabase", "SubGuardSQL", "TextCoding"],
            path: "Sources/Server/EventLog", swiftSettings: strict),
        // Lists of the functions of programs, and the readable names that the runtimes of Swift and C++ give them.
        .systemLibrary(name: "CDemangle", path: "Sources/System/CDemangle"),
        .target(
            name: "Symbols", dependencies: ["SubGuardDomain", "TextCoding", "CDemangle"],
            path: "Sources/Server/Symbols",
            swiftSettings: strict),
        // The backend: rules and SQL by feature, then their HTTP face and the composition root. First who may change
        // what, and the log of it.
        .target(
            name: "ServerAccess",
            dependencies: [
                "SubGuardDomain", "SubGuardSQL", "SQLDatabase", "TextCoding", "JSONWire", "WebAuthn", "Cryptography",
            ],
            path: "Sources/Server/Access", swiftSettings: strict),
        // Events and their figures, crashes, alerts.
        .target(
            name: "Telemetry",
            dependencies: [
                "ServerAccess", "EventLog", "Symbols", "SubGuardDomain", "JSONWire", "SubGuardSQL", "TextCoding",
                "SQLDatabase", "SQLiteDatabase", "Mail", "CFileStatus", "Cryptography", "ZlibCoding",
            ],
            path: "Sources/Server/Telemetry", swiftSettings: strict),
        // The services that people subscribe to, what is suggested for them, exchange rates.
        .target(
            name: "Catalogue",
            dependencies: [
                "ServerAccess", "SubGuardContract", "SubGuardDomain", "JSONWire", "SubGuardSQL", "TextCoding",
                "SQLDatabase", "CFileStatus", "FileAccess", "Cryptography",
            ],
            path: "Sources/Server/Catalogue", swiftSettings: strict),
        // Signing in with Apple, and premium.
        .target(
            name: "Accounts",
            dependencies: [
                "ServerAccess", "SubGuardContract", "SubGuardDomain", "JSONWire", "SubGuardSQL", "TextCoding",
                "SQLDatabase", "Cryptography",
            ],
            path: "Sources/Server/Accounts", swiftSettings: strict),
        // What is done with a whole database: migrations, backups, copies, the report of its personal data.
        .target(
            name: "Operations",
            dependencies: [
                "ServerAccess", "Telemetry", "Catalogue", "Accounts", "SubGuardDomain", "JSONWire", "SubGuardSQL",
                "TextCoding", "SQLDatabase", "SQLiteDatabase", "CFileStatus", "FileAccess", "Cryptography",
            ],
            path: "Sources/Server/Operations", swiftSettings: strict),
        // The contract of the administration: its objects on the backend's values, its calls, the OpenAPI document.
        .target(
            name: "ServerContract",
            dependencies: [
                "ServerAccess", "Telemetry", "Catalogue", "Accounts", "Operations", "EventLog", "SubGuardContract",
                "SubGuardDomain", "JSONWire", "Publication",
            ],
            path: "Sources/Server/Contract", swiftSettings: strict),
        // The pages of the console, from the backend's values to HTML. Scripts/generate embeds the assets.
        .target(
            name: "Console",
            dependencies: [
                "ServerAccess", "Telemetry", "Catalogue", "Accounts", "Operations", "HTML", "JSONWire", "PageAssets",
                "ServerContract", "SubGuardContract", "SubGuardDomain",
            ],
            path: "Sources/Server/Console",
            exclude: ["Assets/console.css", "Assets/console.js", "Assets/icons.svg"],
            swiftSettings: strict),
        .target(
            name: "BackendHTTP",
            dependencies: [
                "HTML", "ServerAccess", "Telemetry", "Catalogue", "Accounts", "Operations", "EventLog",
                "ServerContract", "SubGuardContract", "SubGuardDomain", "JSONWire",
                "SubGuardSQL", "TextCoding", "HTTPServer", "Publication",
                "HTTPWire", "Locking", "SQLDatabase", "SQLiteDatabase", "PostgresDatabase", "Outbound", "Mail",
                "FileAccess", "HTTPServerTLS", "ZlibCoding", "BrotliCoding", httpTypes,
                "Cryptography", logging,
                "Yams",
            ],
            path: "Sources/Server/BackendHTTP", swiftSettings: strict),
        // The pages of the console over HTTP: sign-in, sessions, forms.
        .target(
            name: "ConsoleHTTP",
            dependencies: [
                "BackendHTTP", "Console", "Pages", "PageAssets", "HTML", "ServerAccess", "Telemetry", "Catalogue",
                "Accounts", "Operations", "EventLog", "ServerContract",
                "SubGuardContract", "SubGuardDomain", "JSONWire", "TextCoding", "HTTPServer", "HTTPWire", "Publication",
                "WebAuthn", "Locking", "SQLDatabase", "Outbound", "FileAccess", "Cryptography", httpTypes, logging,
            ],
            path: "Sources/Server/ConsoleHTTP", swiftSettings: strict),
        // Invented devices, their histories and their requests, without a socket: for a demo and for load.
        .target(
            name: "DeviceSimulation",
            dependencies: [
                "SubGuardContract", "SubGuardDomain", "JSONWire", "TextCoding", "ZlibCoding", "CZlib",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/DeviceSimulation", swiftSettings: strict),
        // Latencies of millions of requests, and HdrHistogram's own format.
        .target(
            name: "LatencyHistogram",
            dependencies: ["ZlibCoding", .product(name: "Histogram", package: "hdrhistogram-swift")],
            path: "Sources/Tools/LatencyHistogram", swiftSettings: strict),
        // Traffic for a server, from outside: no target of the server depends on it.
        .target(
            name: "LoadTester",
            dependencies: [
                "DeviceSimulation", "LatencyHistogram", "SubGuardContract", "SubGuardDomain", "JSONWire", "TextCoding",
                "ZlibCoding", "CEpoll", "Cryptography", "HTML", "HTTPServer", "HTTPServerTLS",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/LoadTester", swiftSettings: strict),
        .executableTarget(
            name: "subguard-load",
            dependencies: [
                "DeviceSimulation", "LoadTester",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/subguard-load", swiftSettings: strict),
        // The commands of the server, but for the one that serves: they compile beside the console's pages.
        .target(
            name: "ServerCommands",
            dependencies: [
                "CFileStatus", "BackendHTTP", "ServerAccess", "Telemetry", "Catalogue", "Operations",
                "EventLog", "ServerContract", "SubGuardContract", "FileAccess", "SubGuardDomain", "JSONWire",
                "Symbols",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Server/Commands", swiftSettings: strict),
        .executableTarget(
            name: "subguardd",
            dependencies: [
                "ServerCommands", "CAllocator", "ConsoleHTTP", "BackendHTTP",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Server/subguardd", swiftSettings: strict),

        // Tests mirror Sources.
        .target(
            name: "TestKit",
            dependencies: [
                "SubGuardDomain", "JSONWire", "SQLDatabase", "SQLiteDatabase", "PostgresDatabase",
                .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
                .target(name: "ZlibCoding", condition: .when(platforms: [.linux])), "Cryptography",
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/Support/TestKit", swiftSettings: strict),
        // Stores with the backend's schema, and samples of what stands in them.
        .target(
            name: "BackendTestKit",
            dependencies: [
                "ServerAccess", "Telemetry", "Catalogue", "Operations", "EventLog", "SubGuardDomain",
                "SQLDatabase", "SQLiteDatabase", "TestKit",
            ],
            path: "Tests/Support/BackendTestKit", swiftSettings: strict),
        .target(
            name: "HTTPConformance", dependencies: ["TestKit"], path: "Tests/Web/HTTPConformance", swiftSettings: strict
        ),
        // The fuzz targets stand here too, so that the ordinary tests replay their corpus. See Fuzzing/Package.swift.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "HTML", "HTTPServer", "HTTPWire", "JSONWire", "TextCoding", "Telemetry", "EventLog", "SubGuardDomain",
                "SubGuardStatements", "Symbols", "WebAuthn", "ZlibCoding", httpTypes,
            ],
            path: "Tests/Fuzzing/FuzzTargets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestKit"], path: "Tests/Fuzzing/FuzzTargetsTests",
            swiftSettings: strict),
        .testTarget(
            name: "TranslationsTests", dependencies: ["Translations", "SubGuardDomain", "TestKit"],
            path: "Tests/Shared/TranslationsTests", swiftSettings: strict),
        .testTarget(
            name: "SubGuardDomainTests", dependencies: ["SubGuardDomain", "TestKit", "TextCoding", "ZlibCoding"],
            path: "Tests/Shared/DomainTests", swiftSettings: strict),
        .testTarget(
            name: "SubGuardStatementsTests",
            dependencies: ["SubGuardStatements", "SubGuardDomain", "TestKit", "TextCoding", "ZlibCoding"],
            path: "Tests/Shared/StatementsTests", swiftSettings: strict),
        .testTarget(
            name: "SubGuardEngineTests",
            dependencies: [
                "SubGuardEngine", "SubGuardStatementImport", "SubGuardStatements", "SubGuardDomain", "SQLDatabase",
                "SubGuardSQL", "SQLiteDatabase", "JSONWire", "Cryptography", "TestKit", "ZlibCoding",
            ],
            path: "Tests/Device/EngineTests", exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "SubGuardClientTests",
            dependencies: [
                "SubGuardClient", "SubGuardEngine", "SubGuardContract", "SubGuardDomain", "SQLDatabase", "SubGuardSQL",
                "JSONWire",
                "Cryptography",
                "TestKit",
            ],
            path: "Tests/Device/ClientTests", swiftSettings: strict),
        .testTarget(
            name: "subguardTests",
            dependencies: [
                "Translations", "subguard", "DeviceCommands", "subguardd", "EventLog", "SubGuardDomain", "SQLDatabase",
                "SQLiteDatabase", "JSONWire", "TestKit",
            ],
            path: "Tests/Device/subguardTests", swiftSettings: strict),
        .testTarget(
            name: "DeviceAppTests",
            dependencies: [
                "DeviceApp", "DeviceWords", "SubGuardClient", "SubGuardEngine", "SubGuardStatementImport",
                "SubGuardStatements", "SubGuardDomain", "HTML", "PageAssets",
                "Locking", "SQLDatabase", "SQLiteDatabase", "Cryptography", "TestKit",
            ],
            path: "Tests/Device/AppTests", swiftSettings: strict),
        .testTarget(
            name: "TextCodingTests", dependencies: ["TextCoding", "TestKit"], path: "Tests/Shared/TextTests",
            swiftSettings: strict),
        .testTarget(
            name: "JSONWireTests", dependencies: ["JSONWire", "TestKit"], path: "Tests/Shared/JSONTests",
            swiftSettings: strict),
        .testTarget(
            name: "SubGuardContractTests", dependencies: ["SubGuardContract", "SubGuardDomain", "JSONWire", "TestKit"],
            path: "Tests/Shared/ContractTests", swiftSettings: strict),
        .testTarget(
            name: "HTTPWireTests", dependencies: ["HTTPWire", httpTypes, "TestKit"], path: "Tests/Web/WireTests",
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTPServer", "HTTPServerTLS", "HTTPWire", "CEpoll", "COpenSSL", httpTypes, "TestKit",
                "HTTPConformance",
            ],
            path: "Tests/Web/ServerTests", swiftSettings: strict),
        .testTarget(
            name: "HTMLTests", dependencies: ["HTML", "TestKit"], path: "Tests/Web/HTMLTests", swiftSettings: strict),
        .testTarget(
            name: "WebAuthnTests", dependencies: ["WebAuthn", "TestKit"], path: "Tests/Web/WebAuthnTests",
            swiftSettings: strict),
        .testTarget(
            name: "OutboundTests", dependencies: ["Outbound", "TestKit"], path: "Tests/Web/OutboundTests",
            swiftSettings: strict),
        .testTarget(
            name: "LockingTests", dependencies: ["Locking", "TestKit"], path: "Tests/System/LockingTests",
            swiftSettings: strict),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography", "TestKit"],
            path: "Tests/System/CryptographyTests", exclude: ["Vectors"], swiftSettings: strict),
        .testTarget(
            name: "ZlibCodingTests", dependencies: ["ZlibCoding", "TestKit"], path: "Tests/System/ZlibCodingTests",
            swiftSettings: strict),
        .testTarget(
            name: "BrotliCodingTests", dependencies: ["BrotliCoding", "ZlibCoding", "TestKit"],
            path: "Tests/System/BrotliCodingTests", swiftSettings: strict),
        .testTarget(
            name: "FileAccessTests", dependencies: ["FileAccess", "CFileStatus", "TestKit"],
            path: "Tests/Storage/FilesTests", swiftSettings: strict),
        .testTarget(
            name: "SQLDatabaseTests", dependencies: ["SQLDatabase", "TestKit"], path: "Tests/Storage/DatabaseTests",
            swiftSettings: strict),
        .testTarget(
            name: "SQLiteDatabaseTests", dependencies: ["SQLDatabase", "SQLiteDatabase", "FileAccess", "TestKit"],
            path: "Tests/Storage/SQLiteTests", swiftSettings: strict),
        .testTarget(
            name: "PostgresDatabaseTests", dependencies: ["SQLDatabase", "PostgresDatabase", "TestKit"],
            path: "Tests/Storage/PostgreSQLTests", swiftSettings: strict),
        .testTarget(
            name: "EventLogTests",
            dependencies: [
                "EventLog", "ServerAccess", "Telemetry", "SubGuardDomain",
                "SQLDatabase", "SQLiteDatabase", "TestKit", "BackendTestKit",
            ],
            path: "Tests/Server/EventLogTests", swiftSettings: strict),
        .testTarget(
            name: "SymbolsTests", dependencies: ["Symbols", "SubGuardDomain"],
            path: "Tests/Server/SymbolsTests", swiftSettings: strict),
        .testTarget(
            name: "ServerAccessTests",
            dependencies: [
                "ServerAccess", "BackendTestKit", "SubGuardContract", "SubGuardDomain", "SQLDatabase",
                "SQLiteDatabase",
                "JSONWire", "Cryptography", "TextCoding", "TestKit",
            ],
            path: "Tests/Server/AccessTests", swiftSettings: strict),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "Telemetry", "ServerAccess", "BackendTestKit", "EventLog", "SubGuardContract", "SubGuardDomain",
                "SQLDatabase", "SubGuardSQL", "JSONWire", "Mail", "TextCoding", "TestKit",
            ],
            path: "Tests/Server/TelemetryTests", swiftSettings: strict),
        .testTarget(
            name: "CatalogueTests",
            dependencies: [
                "Catalogue", "ServerAccess", "BackendTestKit", "SubGuardContract", "SubGuardDomain", "SQLDatabase",
                "TestKit",
            ],
            path: "Tests/Server/CatalogueTests", exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "AccountsTests",
            dependencies: [
                "Accounts", "ServerAccess", "BackendTestKit", "SubGuardContract", "SubGuardDomain", "SQLDatabase",
                "SubGuardSQL", "TestKit",
            ],
            path: "Tests/Server/AccountsTests", swiftSettings: strict),
        .testTarget(
            name: "OperationsTests",
            dependencies: [
                "Operations", "ServerAccess", "Telemetry", "Catalogue", "BackendTestKit", "EventLog", "FileAccess",
                "SubGuardContract", "SubGuardDomain", "SQLDatabase", "SubGuardSQL", "SQLiteDatabase", "TestKit",
                "ZlibCoding",
            ],
            path: "Tests/Server/OperationsTests", exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "ServerContractTests",
            dependencies: [
                "ServerContract", "SubGuardContract", "SubGuardDomain", "JSONWire", "TestKit",
            ],
            path: "Tests/Server/ContractTests", swiftSettings: strict),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "PageAssets",
                "Console", "ServerAccess", "Telemetry", "Catalogue", "Operations", "HTML", "JSONWire",
                "ServerContract", "SubGuardContract", "SubGuardDomain",
                "TestKit", "Translations",
            ],
            path: "Tests/Server/ConsoleTests", swiftSettings: strict),
        .testTarget(
            name: "BackendHTTPTests",
            dependencies: [
                "PageAssets", "ConsoleHTTP", "BackendTestKit",
                "BackendHTTP", "Console", "HTML", "ServerAccess", "Telemetry", "Catalogue", "Operations",
                "EventLog", "ServerContract", "SubGuardContract",
                "SubGuardDomain",
                "SQLDatabase", "SubGuardSQL", "SQLiteDatabase", "HTTPServer", "HTTPWire", httpTypes, "JSONWire",
                "ZlibCoding", "TestKit", "Cryptography", logging,
            ],
            path: "Tests/Server/BackendHTTPTests", swiftSettings: strict),
        .testTarget(
            name: "DeviceSimulationTests",
            dependencies: [
                "DeviceSimulation", "Telemetry", "EventLog", "SubGuardContract", "SubGuardDomain", "JSONWire",
                "ZlibCoding",
            ],
            path: "Tests/Tools/DeviceSimulationTests", swiftSettings: strict),
        .testTarget(
            name: "LatencyHistogramTests",
            dependencies: [
                "LatencyHistogram", "ZlibCoding", .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            path: "Tests/Tools/LatencyHistogramTests", swiftSettings: strict),
        .testTarget(
            name: "LoadTesterTests",
            dependencies: [
                "LoadTester", "DeviceSimulation", "LatencyHistogram", "SubGuardContract", "SubGuardDomain", "JSONWire",
                "TestKit",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Tools/LoadTesterTests", swiftSettings: strict),
        .testTarget(
            name: "subguarddTests",
            dependencies: [
                "subguardd", "subguard-load", "ServerAccess", "Telemetry", "Catalogue", "Operations",
                "EventLog", "SubGuardContract", "SubGuardDomain",
                "SQLDatabase", "SQLiteDatabase", "PostgresDatabase", "JSONWire", "TestKit",
            ],
            path: "Tests/Server/subguarddTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// Programs that only benches and checks start, so `make test` does not build them.
if Context.environment["SUBGUARD_BENCHES"] != nil {
    package.targets += [
        .executableTarget(
            name: "http-conformance",
            dependencies: ["HTTPConformance", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/Web/http-conformance", swiftSettings: strict),
        .executableTarget(
            name: "engine-bench",
            dependencies: [
                "SubGuardEngine", "SubGuardDomain",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Device/engine-bench", swiftSettings: strict),
        .executableTarget(
            name: "home-sums",
            dependencies: [
                "SubGuardEngine", "SubGuardDomain", "JSONWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Device/home-sums", swiftSettings: strict),
        .executableTarget(
            name: "insert-bench",
            dependencies: [
                "SQLDatabase", "SQLiteDatabase", "PostgresDatabase",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Storage/insert-bench", swiftSettings: strict),
        .executableTarget(
            name: "worst-hour",
            dependencies: [
                "BackendHTTP", "ConsoleHTTP", "Telemetry", "EventLog", "HTTPServer", "SubGuardDomain", "SQLDatabase",
                "SQLiteDatabase", "TestKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Server/worst-hour", swiftSettings: strict),
    ]
}
