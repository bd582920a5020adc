import Backend
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Customers' accounts. Giving premium and taking it back are calls of the API.
extension ConsoleRoutes {
    private static let account = "/console/accounts/{id:uuid}"

    func accountBindings() -> [RouteBinding] {
        [
            gate.page("/console/accounts", of: [.customers]) { visit in
                var visit = visit
                let query = try visit.read(CustomerQuery.self, correcting: ["id"])
                let rows = try premium.accounts(after: query.cursor, limit: query.limit + 1, only: query.id)
                let page = AccountsPage(
                    query.page(rows), id: query.id?.lowercased ?? "", isFirstPage: query.cursor == nil)
                return ConsoleResponse.page(page.page(visit.frame), visit.status)
            },
            gate.page(Self.account, of: [.customer]) { visit in
                let notice = visit.notice.flatMap { AccountPage.Notice(rawValue: $0.code) }
                return ConsoleResponse.page(
                    AccountPage(try findAccount(visit), idempotencyKey: newAccountKey(), notice: notice)
                        .page(visit.frame))
            },
            gate.action(
                Self.account, of: .grantPremium, showing: [.customer],
                form: FormShape(AccountPage.form, ["idempotency_key"])
            ) { visit in try grantPremium(visit) },
            gate.page("\(Self.account)/revoke", of: [.customer, .revokePremium]) { visit in
                ConsoleResponse.page(
                    AccountPage(try findAccount(visit), idempotencyKey: newAccountKey()).revocation(visit.frame))
            },
            gate.action(
                "\(Self.account)/revoke", of: .revokePremium, showing: [.customer],
                form: FormShape(["idempotency_key"])
            ) { visit in
                try features.customers.revoke(try gate.call(.revokePremium, for: visit))
                return Self.account(try visit.request.parameters.uuid(), .taken)
            },
        ]
    }

    private func newAccountKey() -> String { UUID().uuidString.lowercased() }

    private func findAccount(_ visit: ConsoleVisit) throws -> CustomerAccount {
        guard let found = try premium.account(try visit.request.parameters.uuid()) else {
            throw BackendError.notFound(what: "account")
        }
        return found
    }

    private static func account(_ id: UUID, _ notice: AccountPage.Notice) -> Response {
        ConsoleResponse.seeOther(
            HTMLLink("console", "accounts", id.lowercased, query: [("notice", notice.rawValue)]).text)
    }

    private func grantPremium(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let outcome = try attempt(.grantPremium, for: visit) { call in
            try features.customers.grant(NewPremiumGrant(AccountPage.form.json(form)), call)
        }
        switch outcome {
        case .done: return Self.account(try visit.request.parameters.uuid(), .given)
        case .refused(let faults, let status):
            let page = AccountPage(
                try findAccount(visit), values: FormValues(form), faults: faults, idempotencyKey: newAccountKey())
            return ConsoleResponse.page(page.page(visit.frame), status)
        case .lostRace: throw HTTPFailure.notFound
        }
    }
}
