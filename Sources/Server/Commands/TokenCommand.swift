import ArgumentParser
import BackendHTTP
import FileAccess
import Foundation
import ServerAccess
import SubGuardDomain

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke admin tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token and print it once; only its hash is stored.")

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "Role: owner, editor, moderator, analyst or a custom role.")
        var role: String

        @Option(help: "Name of the person or program that uses the token.")
        var name: String

        @Option(help: "Days until the token expires. (default: never)")
        var expiresInDays: Int?

        func validate() throws {
            if let expiresInDays, !(1...3650).contains(expiresInDays) {
                throw ValidationError("--expires-in-days must be 1 to 3650.")
            }
        }

        func run(_ store: OpenStore) throws {
            let roles = try RoleStore(context: store.context).list()
            guard roles.contains(where: { $0.name == role }) else {
                printError("--role must be \(roles.map(\.name).joined(separator: ", "))")
                throw ExitCode(EX_USAGE)
            }
            let expiresAt = expiresInDays.map { store.context.now().adding(days: $0) }
            let created = try AccessTokenStore(context: store.context)
                .create(role: role, name: name, expiresAt: expiresAt, by: .currentUser)
            print(created.token)
        }
    }

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "List all tokens without their secrets.")

        @OptionGroup var options: ConfigurationOptions

        func run(_ store: OpenStore) throws {
            let now = store.context.now()
            print("id\trole\tname\tbegins\tcreated_at\texpires_at\tlast_used_at\tstate")
            for token in try AccessTokenStore(context: store.context).list() {
                let fields = [
                    token.id.lowercased, token.role.name, token.name, token.hint, token.createdAt.rfc3339,
                    token.expiresAt?.rfc3339 ?? "-", token.lastUsedAt?.rfc3339 ?? "-",
                    token.status(at: now).rawValue,
                ]
                print(fields.map(TerminalText.value).joined(separator: "\t"))
            }
        }
    }

    struct Revoke: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a token; running servers reject it at once.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "Id of the token or its first characters, as `token list` prints them.")
        var token: String

        func run(_ store: OpenStore) throws {
            let revoked = try AccessTokenStore(context: store.context).revoke(token, by: .currentUser)
            print("revoked \(revoked.id.lowercased) (\(TerminalText.value(revoked.name)))")
        }
    }
}

extension Actor {
    /// The user who started the command, even if it runs with the rights of the database owner.
    static var currentUser: Actor { .commandLine(user: ProcessIdentity.invokerName) }
}
