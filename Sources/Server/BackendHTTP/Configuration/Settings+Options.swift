import Accounts
import EventLog
import Foundation
import HTTPServer
import HTTPServerTLS
import Outbound
import PostgresDatabase
import SQLDatabase
import Telemetry
import TextCoding

// The options of the parts that the server is made of, from the settings.

extension Settings {
    /// Whether the port speaks TLS.
    package var usesTLS: Bool { self[\.tlsCertificate] != nil }

    /// Nil if the port uses plain HTTP.
    var tls: TLSConfiguration? {
        guard let certificate = self[\.tlsCertificate], let key = self[\.tlsKey] else { return nil }
        var configuration = TLSConfiguration(certificatePath: certificate, keyPath: key)
        configuration.strictTransportSeconds = self[\.hstsMaxAge]
        return configuration
    }

    /// How long the ids of events are remembered: in any case until their events are purged, which takes up to a day
    /// longer than the retention for joined blocks.
    package var daysOfEventIDs: Int {
        max(self[\.analyticsIDDays], min(self[\.analyticsRetentionDays] + 2, EventIDIndexShape.longestMemory))
    }

    /// The root certificates for signatures of App Store messages. Throws ``StartError/rootCertificates(path:)``.
    func appStoreRoots() throws -> AppStoreRoots {
        let paths = self[\.appStoreRootCertificates]
        guard !paths.isEmpty else { return .apple }
        let texts = try paths.map { path in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), AppStoreRoots(pem: [text]) != nil
            else {
                throw StartError.rootCertificates(path: path)
            }
            return text
        }
        return AppStoreRoots(pem: texts) ?? .apple
    }

    /// Which messages of the App Store are accepted.
    var appStoreRules: AppStoreMessages.Rules {
        let appID = self[\.appStoreAppID]
        return AppStoreMessages.Rules(
            bundleID: self[\.appStoreBundleID], environments: Set(self[\.appStoreEnvironment]),
            appID: appID > 0 ? Int64(appID) : nil, productIDs: Set(self[\.appStoreProductIDs]))
    }
}

extension PostgresOptions {
    init(_ settings: Settings) {
        self.init()
        connectionCount = settings[\.databaseConnections]
    }
}

extension StorageLimits {
    init(_ settings: Settings) {
        self.init(
            maximumBytes: Int64(settings[\.maximumStoreSize]), minimumFreeBytes: Int64(settings[\.minimumFreeDisk]))
    }
}

extension Settings {
    package var listensOnUnixSocket: Bool { UnixSocket.path(ofHost: self[\.host]) != nil }
}

extension HTTPServerConfiguration {
    init(_ settings: Settings) {
        self.init()
        host = settings[\.host]
        port = settings[\.port]
        socketAccess.mode = UInt32(settings[\.socketMode])
        socketAccess.group = settings[\.socketGroup].isEmpty ? nil : settings[\.socketGroup]
        tls = settings.tls
        basePath = settings.pathOfRequests
        let loops = settings[\.loops]
        self.loops = loops > 0 ? loops : ProcessInfo.processInfo.activeProcessorCount
        workers = settings[\.workers]
        connections = ConnectionLimits(settings)
        maximumBodyMemoryBytes = settings[\.maximumBodyMemory]
        maximumAnswerMemoryBytes = settings[\.maximumAnswerMemory]
        deadlines.idle = settings[\.idleTimeout]
    }
}

extension ConnectionLimits {
    init(_ settings: Settings) {
        self.init()
        inAll = settings[\.maximumConnections]
        let proxies = ClientAddress(trustedProxies: settings[\.trustedProxies])
        isExempt = { $0.isLoopback || proxies.isTrusted($0) }
    }
}

extension RateQuotas {
    init(_ settings: Settings) {
        eventsInAll = settings[\.eventUnitsPerMinute]
        // What the reserve for light clients leaves.
        events = eventsInAll / 5 * 4
        newUsersInAll = settings[\.newUsersPerHour]
        // A network address of a provider may stand for many people.
        newUsers = newUsersInAll / 15 * 2
    }
}

extension OutboundLimits {
    package init(_ settings: Settings) {
        self.init()
        certificateAuthorities = settings[\.alertsCAFile]
    }
}

extension Settings {
    /// Throws ``StartError/certificateAuthorities(path:)`` for a file that libcurl could not use at the first delivery.
    /// With the rights with which the server then runs.
    func requireCertificateAuthorities() throws {
        guard let path = self[\.alertsCAFile] else { return }
        let text = (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
        guard text?.contains("-----BEGIN CERTIFICATE-----") == true else {
            throw StartError.certificateAuthorities(path: path)
        }
    }
}

extension TargetPolicy {
    package init(_ settings: Settings) {
        self.init(
            allowsOwnNetworks: settings[\.alertsAllowPrivateTargets],
            permittedHosts: Set(settings[\.alertsPermittedHosts]))
    }
}

/// The parts of `public_url`.
package struct PublicAddress: Sendable {
    /// Scheme, host and non-default port.
    let origin: String
    /// The path under which a proxy publishes the server, such as `/subguard`; empty without one.
    let path: String

    package var text: String { origin + path }

    /// What the server's own paths begin with: a proxy that removes the path would be indistinguishable from one that
    /// does not.
    static let reserved: Set<String> = [
        "api", "batch", "console", "healthz", "ingest", "logos", "metrics", "problems", "readyz",
    ]

    /// Nil if the path is empty between slashes, has dot segments or other characters, or begins as one of the
    /// server's.
    init?(_ url: OutboundURL) {
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            .dropFirst()
        let whole = segments.last == "" ? segments.dropLast() : segments
        let isPlain = whole.allSatisfy { segment in
            !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy(PercentCoding.isUnreserved)
        }
        guard isPlain, whole.first.map({ !Self.reserved.contains($0) }) ?? true else { return nil }
        origin = url.label
        path = whole.map { "/\($0)" }.joined()
    }
}

extension Settings {
    /// Nil without `public_url`.
    package var publicAddress: PublicAddress? { self[\.publicURL].flatMap { PublicAddress($0) } }

    /// What the paths of requests that a proxy passes on begin with; empty without a path, and if the proxy removes it.
    var pathOfRequests: String { self[\.proxyRemovesPath] ? "" : publicAddress?.path ?? "" }
}
