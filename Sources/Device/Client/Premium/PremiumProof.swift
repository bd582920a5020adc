import SubGuardContract
public import SubGuardDomain
public import SubGuardEngine

/// Verifies premium with the server and caches the proof for offline use.
public struct PremiumProof: Sendable {
    private let store: DeviceStore
    private let answer: @Sendable (ServerCall) async throws(ClientError) -> TransportAnswer

    /// Proofs for a signed-in account.
    public init(store: DeviceStore, account: AccountSession) {
        self.store = store
        answer = { call throws(ClientError) in try await account.answer(to: call) }
    }

    /// Without an account, for a server that gives premium to all.
    init(store: DeviceStore, server: ServerConnection) {
        self.store = store
        answer = { call throws(ClientError) in try await server.answer(to: call) }
    }

    /// How long a proof is up to date, in hours.
    static let lifeHours: Int64 = 24

    /// Verifies a StoreKit 2 transaction as signed by the App Store (`jwsRepresentation`).
    @discardableResult
    public func verify(signedTransaction: String, at moment: Moment) async throws -> EntitlementProof {
        let body = TransactionProof(signedTransaction: signedTransaction).json()
        return try await prove(ServerCall(.verifyPremium, body: body, mayRepeat: true), at: moment)
    }

    /// Fetches the current entitlement of the account, or that of all.
    @discardableResult
    public func refresh(at moment: Moment) async throws -> EntitlementProof {
        try await prove(ServerCall(.premium), at: moment)
    }

    private func prove(_ call: ServerCall, at moment: Moment) async throws -> EntitlementProof {
        let answer = try await answer(call)
        guard let premium = try? Premium(try ServerConnection.object(answer, call), unknown: .ignored) else {
            throw ClientError.unreadable(call: call.route.template)
        }
        let proof = EntitlementProof(
            status: premium.status, productID: premium.productID, expiresAt: premium.expiresAt, provenAt: moment.now,
            source: premium.source, accountID: premium.accountID)
        try store.premium.setProof(proof, from: premium.environment, at: moment)
        return proof
    }
}
