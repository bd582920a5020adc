import Backend
import Logging
import Outbound
import SubGuardDomain

/// Reads Apple's public keys.
struct AppleKeys: Sendable {
    let url: OutboundURL
    let stop: OutboundStop

    /// Why there are no keys, in words for the log.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Blocks: for a worker. Apple's answer has about 3 KB and comes within a tenth of a second.
    func fetch() throws -> [SigningKey] {
        var limits = OutboundLimits()
        limits.connectMilliseconds = 3_000
        limits.totalMilliseconds = 5_000
        limits.maximumAnswerBytes = 131_072
        // The operator names this host, nobody else does.
        let policy = TargetPolicy(allowsOwnNetworks: false, permittedHosts: [url.host])
        let answer = try HTTPGet(url: url).send(policy: policy, limits: limits, stop: stop)
        guard answer.status == 200 else { throw Failure(description: "HTTP \(answer.status)") }
        guard let keys = SigningKey.set(answer.body), !keys.isEmpty else {
            throw Failure(description: "the answer holds no key that can be used")
        }
        return keys
    }
}

extension AppleIdentity {
    /// `stop` ends a fetch that is under way when the server stops.
    init(_ settings: Settings, now: @escaping @Sendable () -> UTCInstant, logger: Logger, stop: OutboundStop) {
        let url = settings[\.appleKeysURL]
        self.init(
            clientIDs: Set(settings[\.appleClientIDs]),
            keys: SigningKeyCache(
                now: now,
                fetch: {
                    guard let url else { throw AppleKeys.Failure(description: "there is no address to read them from") }
                    return try AppleKeys(url: url, stop: stop).fetch()
                },
                note: { error in
                    logger.warning(
                        "Apple's keys were not read; those at hand go on being used", metadata: ["error": "\(error)"])
                }))
    }
}
