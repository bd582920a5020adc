import ArgumentParser
import BackendHTTP
import Foundation
import ServerAccess

struct ConsoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Open the console in a browser.", subcommands: [Link.self])

    struct Link: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a one-time link that signs in to the console; it is valid for 10 minutes.")

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "Name of the token whose permissions the session gets. (default: the oldest valid owner token)")
        var tokenName: String?

        func run() throws {
            let settings = try options.settings(for: .existingStore)
            guard settings[\.consoleEnabled] else {
                printError("the console is disabled: set console_enabled to true")
                throw ExitCode.failure
            }
            let store = try OpenStore(settings: settings, migrations: .require)
            defer { store.close() }
            let token = try token(in: store)
            let code = try ConsoleSessionStore(context: store.context).makeLink(tokenID: token.id)
            print("\(StartLine.baseURL(settings))/console/link/\(code)")
        }

        private func token(in store: OpenStore) throws -> AccessToken {
            let now = store.context.now()
            let valid = try AccessTokenStore(context: store.context).list().filter { $0.isValid(at: now) }
            guard let tokenName else {
                guard let owner = valid.first(where: { $0.role == .owner }) else {
                    printError("there is no valid owner token: create one with `subguardd token create --role owner`")
                    throw ExitCode.failure
                }
                return owner
            }
            let named = valid.filter { $0.name == tokenName }
            guard named.count == 1 else {
                printError("\(named.count) valid tokens have the name \(tokenName); `subguardd token list` lists all")
                throw ExitCode.failure
            }
            return named[0]
        }
    }
}
