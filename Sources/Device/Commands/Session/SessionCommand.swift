package import ArgumentParser

/// A command that only reads.
package protocol ReadCommand: ParsableCommand {
    var options: GlobalOptions { get }

    func run(_ session: Session) throws
}

extension ReadCommand {
    package func run() throws { try Session.read(options) { try run($0) } }
}

/// A command that writes; the weekly backup follows when it is due.
protocol WriteCommand: ParsableCommand {
    var options: GlobalOptions { get }

    func run(_ session: Session) throws
}

extension WriteCommand {
    func run() throws { try Session.write(options) { try run($0) } }
}

/// A command that may contact a server.
protocol OnlineCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    func run(_ session: Session) async throws
}

extension OnlineCommand {
    func run() async throws { try await Session.online(options) { try await run($0) } }
}
