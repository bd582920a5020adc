import Foundation
import TestKit

/// A TLS server with any certificate, including ones that `subguardd` would reject. Its responses are not those of the
/// API.
final class SecureStub {
    private(set) var port = 0
    private let folder: TemporaryFolder
    private let process = Process()

    init(_ pair: CertificateMaker.Pair) throws {
        folder = try TemporaryFolder()
        let output = try folder.write("", to: "output")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", pair.certificate, "-key", pair.key, "-www",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        let isHeard = eventually(timeoutSeconds: 20) {
            text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            return text.contains(/ACCEPT 127\.0\.0\.1:\d+\n/)
        }
        guard isHeard, let port = text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.1) }) else {
            throw Server.NotListening(output: text)
        }
        self.port = port
    }

    deinit {
        // SIGKILL, because children of the tests may block other signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
