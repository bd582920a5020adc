import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// The server, and the account there.
nonisolated struct Online: Sendable {
    static let version = "1.0"
    let synchroniser: Synchroniser
    let account: AccountSession
    private let proof: PremiumProof

    init(store: DeviceStore, server text: String) throws {
        #if os(Linux)
            let transport = CurlTransport()
            let credentials = CredentialFile(path: store.path + ".session")
        #else
            let transport = URLSessionTransport()
            let credentials = CredentialKeychain(service: "example.app")
        #endif
        let server = ServerConnection(try ServerAddress(text), transport: transport, version: Self.version)
        account = AccountSession(server: server, credentials: credentials, lockPath: store.path + ".session-lock")
        proof = PremiumProof(store: store, account: account)
        synchroniser = Synchroniser(
            store: store, server: server, account: account,
            device: DeviceProperties(appVersion: Self.version, platform: "ios"))
    }

    /// - Parameter signedTransaction: `jwsRepresentation` of what StoreKit returns for a purchase.
    func isPremium(signedTransaction: String, at moment: Moment) async throws -> Bool {
        try await proof.verify(signedTransaction: signedTransaction, at: moment).isPremium(at: moment.now)
    }
}
