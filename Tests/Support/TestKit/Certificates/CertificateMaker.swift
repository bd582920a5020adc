import Foundation

/// Makes self-signed certificates with the `openssl` command, in its own folder.
package final class CertificateMaker: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case ecdsa, rsa, weakRSA, ed25519

        fileprivate var arguments: [String] {
            switch self {
            case .ecdsa: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .rsa: ["-newkey", "rsa:2048"]
            case .weakRSA: ["-newkey", "rsa:1024"]
            case .ed25519: ["-newkey", "ed25519"]
            }
        }
    }

    /// Paths of PEM files.
    package struct Pair: Sendable {
        package let certificate: String
        package let key: String
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    /// A new pair. A negative `days` makes an expired certificate.
    package func make(_ kind: Kind = .ecdsa, name: String = "localhost", days: Int = 30) throws -> Pair {
        let id = UUID().uuidString
        let pair = Pair(certificate: folder.file("\(id).pem"), key: folder.file("\(id).key"))
        try Self.run(
            [
                "req", "-x509", "-nodes", "-subj", "/CN=\(name)", "-days", "\(days)", "-keyout", pair.key, "-out",
                pair.certificate, "-addext", "subjectAltName=DNS:\(name),IP:127.0.0.1",
            ] + kind.arguments)
        return pair
    }

    /// Runs `openssl` with arguments and input, and returns its output. Throws if it fails, unless `mayFail`.
    @discardableResult
    package static func run(_ arguments: [String], input: String = "", mayFail: Bool = false) throws -> String {
        try command("openssl", arguments, input: input, mayFail: mayFail)
    }

    /// Like ``run(_:input:mayFail:)``, for any program.
    package static func command(
        _ name: String, _ arguments: [String], input: String = "", mayFail: Bool = false
    ) throws -> String {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A client that hangs fails only its own test.
        process.arguments = ["timeout", "20", name] + arguments
        process.standardInput = try FileHandle(
            forReadingFrom: URL(fileURLWithPath: folder.write(input, to: "input")))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.write("", to: "output")))
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("output")), as: UTF8.self)
        guard mayFail || process.terminationStatus == 0 else { throw Failure(description: text) }
        return text
    }
}
