import SubGuardContract
public import SubGuardDomain
public import SubGuardEngine

/// Verifies premium with the server and caches the proof for offline use.
public struct PremiumProof: Sendable {
    private let store: DeviceStore
    private let account: AccountSession

    public init(store: DeviceStore, account: AccountSession) {
        self.store = store
        self.account = account
    }

    /// How long a proof is up to date, in hours.
    static let lifeHours: Int64 = 24

    /// Verifies a StoreKit 2 transaction as signed by the App Store (`jwsRepresentation`).
    @discardableResult
    public func verify(signedTransaction: String, at moment: Moment) async throws -> EntitlementProof {
        let body = TransactionProof(signedTransaction: signedTransaction).json()
        return try await prove(ServerCall(.verifyPremium, body: body, mayRepeat: true), at: moment)
    }

    /// Fetches the current entitlement of the account.
    @discardableResult
    public func refresh(at moment: Moment) async throws -> EntitlementProof {
        try await prove(ServerCall(.premium), at: moment)
    }

    private func prove(_ call: ServerCall, at moment: Moment) async throws -> EntitlementProof {
        let answer = try await account.answer(to: call)
        guard let premium = try? Premium(try ServerConnection.object(answer, call), unknown: .ignored) else {
            throw ClientError.unreadable(call: call.route.template)
        }
        let proof = EntitlementProof(
            status: premium.status, productID: premium.productID, expiresAt: premium.expiresAt, provenAt: moment.now)
        try store.premium.setProof(proof, from: premium.environment ?? .production, at: moment)
        return proof
    }
}
