import Backend
import BackendHTTP
import Foundation
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
