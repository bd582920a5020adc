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
            gate.binding(.grantPremium) { request, actor in
                let new = try NewPremiumGrant(body: request)
                return try store.grant(
                    try request.parameters.uuid(), until: new.until, note: new.note, by: actor
                ).response(.ok)
            },
            gate.binding(.revokePremium) { request, actor in
                try store.revokeGrant(try request.parameters.uuid(), by: actor)
                return .empty(.noContent)
            },
        ]
    }
}
