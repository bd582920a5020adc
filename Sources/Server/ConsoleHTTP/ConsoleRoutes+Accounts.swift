import Accounts
import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Customers' accounts. Giving premium and taking it back are calls of the API.
extension ConsoleRoutes {
    private static let account = "/console/accounts/{id:uuid}"

    func accountBindings() -> [RouteBinding] {
        [
            gate.page("/console/accounts", of: [.customers]) { visit in
                let query = try visit.read(CustomerQuery.self, correcting: ["id"])
                let rows = try premium.accounts(after: query.cursor, limit: query.limit + 1, only: query.id)
                return AccountsPage(query.page(rows), of: ListAddress("accounts", query: visit.query))
            },
            gate.page(Self.account, of: [.customer]) { AccountPage(try findAccount($0)) },
            gate.action(
                Self.account, of: .grantPremium, showing: [.customer],
                form: FormShape(AccountPage.form, ["idempotency_key"]), grantPremium),
            gate.page("\(Self.account)/revoke", of: [.customer, .revokePremium]) {
                AccountPage(try findAccount($0)).revocation
            },
            gate.action(
                "\(Self.account)/revoke", of: .revokePremium, showing: [.customer],
                form: FormShape(["idempotency_key"])
            ) { visit in
                try features.customers.revoke(try gate.call(.revokePremium, for: visit))
                return ConsoleResponse.seeOther(try Self.link(visit, "taken"))
            },
        ]
    }

    private func findAccount(_ visit: ConsoleVisit) throws -> CustomerAccount {
        try premium.account(try visit.request.parameters.uuid()).orNotFound("account")
    }

    private static func link(_ visit: ConsoleVisit, _ notice: String) throws -> HTMLLink {
        HTMLLink(
            "console", "accounts", try visit.request.parameters.uuid().lowercased, query: [("notice", notice)])
    }

    private func grantPremium(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        return try submit(.grantPremium, for: visit) { call in
            try features.customers.grant(NewPremiumGrant(AccountPage.form.json(form)), call)
        } done: { _ in
            try Self.link(visit, "given")
        } refused: { faults in
            AccountPage(try findAccount(visit), values: FormValues(form), faults: faults)
        }
    }
}
