import Accounts
import HTTPServer
import HTTPTypes
import Logging
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes of purchases and App Store notifications.
struct PremiumRoutes: Sendable {
    let gate: SessionGate
    let store: PremiumStore
    let isConfigured: Bool
    /// Whether every client has premium.
    let isForAll: Bool
    let now: @Sendable () -> UTCInstant
    let logger: Logger

    private static let maximumTransactionBytes = 40_960
    private static let maximumNotificationBytes = 163_840

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.verifyPremium, maximumBodyBytes: Self.maximumTransactionBytes) { request, session in
                try verify(request, session)
            },
            isForAll
                ? gate.openBinding(.premium) { _, session in
                    let bought = try session.map { try store.state(of: $0.accountID) }
                    return Premium(given: bought, at: now()).response(.ok)
                } : gate.binding(.premium) { _, session in try store.state(of: session.accountID).response(.ok) },
            RouteBinding(
                .appStoreNotifications, allowance: .write, maximumBodyBytes: Self.maximumNotificationBytes,
                .blocking { try receive($0) }),
        ]
    }

    private func verify(_ request: Request, _ session: AccountSession) throws -> Response {
        let body = try TransactionProof(body: request, maximumBytes: Self.maximumTransactionBytes)
        try requireConfigured()
        do {
            return try store.verify(body.signedTransaction, by: session.accountID).response(.ok)
        } catch let refusal as SignatureRefusal {
            note(refusal, request)
            throw HTTPFailure(.invalidTransaction, "The signed transaction is not accepted.")
        }
    }

    /// The App Store resends a notification until the response is 200, but gives up on 4xx. Use 4xx only for
    /// notifications that can never be accepted.
    private func receive(_ request: Request) throws -> Response {
        let body = try AppStoreNotification(body: request, maximumBytes: Self.maximumNotificationBytes)
        try requireConfigured()
        do {
            let outcome = try store.receive(body.signedPayload)
            logger.info(
                "App Store notification", metadata: ["request_id": "\(request.id)", "outcome": "\(outcome.rawValue)"])
            return .empty(.ok)
        } catch let refusal as SignatureRefusal {
            note(refusal, request)
            throw HTTPFailure(.invalidSignature, "The notification is not accepted.")
        }
    }

    private func requireConfigured() throws(HTTPFailure) {
        if !isConfigured { throw HTTPFailure(.premiumNotConfigured, "Purchases are not set up on this server.") }
    }

    private func note(_ refusal: SignatureRefusal, _ request: Request) {
        logger.warning(
            "a message of the App Store was refused", metadata: ["request_id": "\(request.id)", "reason": "\(refusal)"])
    }
}

extension Premium {
    /// What every client has where the operator gives it; what was bought counts where it is premium too.
    fileprivate init(given bought: Premium?, at now: UTCInstant) {
        if let bought, bought.status.isEntitled {
            self = bought
        } else {
            // Long enough for a device that is offline on a journey.
            self.init(
                status: .active, productID: nil, expiresAt: now.adding(days: 30), environment: nil,
                source: .all, accountID: bought?.accountID, appAccountToken: bought?.appAccountToken)
        }
    }
}
