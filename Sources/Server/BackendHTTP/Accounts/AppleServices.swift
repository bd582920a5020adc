import Backend
import Logging
import Outbound

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
