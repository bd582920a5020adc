import BackendHTTP
import Foundation
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Walks every page and form of the console with roles of one permission each, and compares with the API's table.
@Suite struct ConsolePermissionTests {
    private func path(_ template: String) -> String {
        template.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                guard part.hasPrefix("{") else { return String(part) }
                return part.hasSuffix(":uuid}") ? makeID(77).lowercased : "77"
            }.joined(separator: "/")
    }

    @Test func everyPageAndFormAsksForThePermissionOfItsCalls() throws {
        let server = try TestServer(settings: ["rate_limit_enabled": "false"])
        defer { server.end() }
        let bindings = server.consoleBindings
        #expect(bindings.count > 20)
        let roles = Permission.allCases.map { permission in
            Role(name: "only_" + permission.rawValue.replacing(".", with: "_"), permissions: [permission])
        }
        let context = server.outside.context
        try RoleStore(context: context).replace(with: roles, by: .setup)
        let tokens = AccessTokenStore(context: context)
        for role in roles + [.owner] {
            let token = try tokens.create(role: role, name: role.name, expiresAt: nil, by: .setup).token
            for binding in bindings where binding.access != .open {
                let browser = ConsoleBrowser(server)
                try browser.signIn(token)
                let path = path(binding.path)
                let response = binding.method == "POST" ? try browser.post(path) : try browser.get(path)
                let isRefused = response.status == 403
                let comment: Comment = "\(role.name): \(binding.method) \(binding.path): \(response.status)"
                switch binding.access {
                case .open, .session: #expect(!isRefused, comment)
                case .owner: #expect(isRefused == (role != .owner), comment)
                case .operations(let operations):
                    let needed = Set(operations.compactMap(\.permission))
                    #expect(!needed.isEmpty, comment)
                    #expect(isRefused == !needed.isSubset(of: role.permissions), comment)
                }
                #expect(response.status < 500, comment)
            }
        }
    }

    /// A page leads only to pages and forms that the role may open and send, and the pages that it may open are led to.
    @Test(arguments: Role.builtIn)
    func everyRoleIsLedToWhatItMayOpen(_ role: Role) throws {
        let server = try TestServer(settings: [
            "rate_limit_enabled": "false", "alerts_webhook_url": "http://127.0.0.1:9/hook",
            "alerts_webhook_secret": "wh-s3cret", "alerts_allow_private_targets": "true",
        ])
        defer { server.end() }
        let owner = ConsoleBrowser(server)
        try owner.signIn(try #require(server.tokens[.owner]))
        try ConsoleCrawl.fill(server, owner)
        func mayUse(_ binding: ConsoleBinding) -> Bool {
            switch binding.access {
            case .open, .session: true
            case .owner: role == .owner
            case .operations(let operations):
                Set(operations.compactMap(\.permission)).isSubset(of: role.permissions)
            }
        }
        func isThere(_ binding: ConsoleBinding, _ path: String) -> Bool {
            let (parts, names) = (binding.path.split(separator: "/"), path.split(separator: "/"))
            return parts.count == names.count
                && zip(parts, names).allSatisfy { $0 == $1 || $0.hasPrefix("{") && $1.contains(where: \.isNumber) }
        }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[role]))
        // Leads who may only read them to the page of alerts, which shows them; and a file.
        let others = ["/console/alerts/thresholds", "/console/catalogue/export"]
        let pages = server.consoleBindings.filter { $0.method == "GET" && !$0.path.contains("{") && mayUse($0) }
        var waiting = ["/console"]
        var (seen, opened): (Set<String>, Set<String>) = ([], [])
        while let path = waiting.popLast() {
            guard seen.insert(ConsoleCrawl.template(path)).inserted else { continue }
            let page = try browser.get(path)
            #expect(page.status == 200, "\(role.name) is led to \(path)")
            opened.insert(String(path.prefix { $0 != "?" }))
            waiting += ConsoleCrawl.links(page.text)
            for target in ConsoleCrawl.forms(page.text) {
                let binding = server.consoleBindings.first { $0.method == "POST" && isThere($0, target) }
                #expect(binding.map(mayUse) == true, "\(role.name) sees on \(path) the form of \(target)")
            }
        }
        if role.allows(.alertsRead) {
            let page = try browser.follow(try browser.get(others[0]))
            #expect(page.status == 200)
            expect(page.text, contains: [role == .owner ? "1000\n5000" : "<strong>1,000</strong>"])
        }
        for binding in pages where !others.contains(binding.path) {
            guard case .operations = binding.access else { continue }
            #expect(opened.contains(binding.path), "nothing leads \(role.name) to \(binding.path)")
        }
    }

    /// Signed out, a page redirects to the sign-in; a form is refused before it is read.
    @Test func nothingOpensWithoutASession() throws {
        let server = try TestServer(settings: ["rate_limit_enabled": "false"])
        defer { server.end() }
        for binding in server.consoleBindings where binding.access != .open {
            let browser = ConsoleBrowser(server)
            let path = path(binding.path)
            let response = binding.method == "POST" ? try browser.post(path) : try browser.get(path)
            #expect(response.status == 303, "\(binding.method) \(binding.path)")
            #expect(response["Location"]?.hasPrefix("/console/login") == true)
            guard binding.method == "POST" else { continue }
            #expect(try browser.post(path, "", "Sec-Fetch-Site: cross-site").status == 403)
            #expect(try browser.post(path, "", "Origin: https://evil.example").status == 403)
        }
    }

    /// The table that the API publishes.
    @Test func theCallsOfTheConsoleAreDeclared() throws {
        let server = try TestServer()
        defer { server.end() }
        let declared = Set(APIOperation.all)
        for binding in server.consoleBindings {
            guard case .operations(let operations) = binding.access else { continue }
            for operation in operations { #expect(declared.contains(operation), "\(binding.path)") }
        }
    }
}
