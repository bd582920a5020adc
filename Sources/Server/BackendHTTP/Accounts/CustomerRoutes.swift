import Backend
import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Admin routes of customers' accounts and the premium that the operator gives them.
struct CustomerRoutes: Sendable {
    let gate: AdminGate
    let store: PremiumStore

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.customers) { request, _ in
                let query = try CustomerQuery(query: request)
                return try query.page(
                    try store.accounts(after: query.cursor, limit: query.limit + 1, only: query.id)
                ).response(to: request)
            },
            gate.binding(.customer) { request, _ in
                guard let found = try store.account(try request.parameters.uuid()) else {
                    throw BackendError.notFound(what: "account")
                }
                return try found.document().response(for: request)
            },
            gate.binding(.grantPremium, .object { $0 }, grant),
            gate.binding(.revokePremium, .empty, revoke),
        ]
    }

    func grant(_ new: NewPremiumGrant, _ call: AdminCall) throws -> CustomerAccount {
        try store.grant(try call.id(), until: new.until, note: new.note, by: call.actor)
    }

    func revoke(_ call: AdminCall) throws {
        try store.revokeGrant(try call.id(), by: call.actor)
    }
}
