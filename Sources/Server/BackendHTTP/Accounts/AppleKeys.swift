import Accounts
import Logging
import Outbound
import ServerAccess
import SubGuardDomain

/// Fetches Apple's public keys.
struct AppleKeys: Sendable {
    let url: OutboundURL
    let stop: OutboundStop

    /// Why no keys are available, for the log.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Blocks, so call it on a worker. The response is about 3 KB and takes up to 100 ms.
    func fetch() throws -> [SigningKey] {
        var limits = OutboundLimits()
        limits.connectMilliseconds = 3_000
        limits.totalMilliseconds = 5_000
        limits.maximumAnswerBytes = 131_072
        // Only the operator configures this host.
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
    /// `stop` cancels a running fetch when the server stops.
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

/// The services that use Apple: identities for sign-in, and purchases.
struct AppleServices: Sendable {
    let identity: AppleIdentity
    let accounts: AccountStore
    let premium: PremiumStore
    let outbound = OutboundStop()

    /// Throws ``StartError/rootCertificates(path:)``.
    init(settings: Settings, context: BackendContext, logger: Logger) throws {
        identity = AppleIdentity(settings, now: context.now, logger: logger, stop: outbound)
        accounts = AccountStore(context: context)
        let messages = AppStoreMessages(
            rules: settings.appStoreRules, roots: try settings.appStoreRoots(), now: context.now)
        premium = PremiumStore(context: context, messages: messages)
    }

    /// Cancels running requests.
    func stop() { outbound.stop() }
}
