import Backend
import Logging
import Outbound

/// What the server has to do with Apple: who signs in, and what was bought.
struct AppleServices: Sendable {
    let identity: AppleIdentity
    let accounts: AccountStore
    let premium: PremiumStore
    private let outbound = OutboundStop()

    /// Throws ``StartError/rootCertificates(path:)``.
    init(settings: Settings, context: BackendContext, logger: Logger) throws {
        identity = AppleIdentity(settings, now: context.now, logger: logger, stop: outbound)
        accounts = AccountStore(context: context)
        let messages = AppStoreMessages(
            rules: settings.appStoreRules, roots: try settings.appStoreRoots(), now: context.now)
        premium = PremiumStore(context: context, messages: messages)
    }

    /// Ends what is under way.
    func stop() { outbound.stop() }
}
