import Foundation
import TestKit
import Testing

/// Proves that the scan can fail: it finds a secret in each encoding.
@Suite struct LeakScanTests {
    private static let secret = "Ärzte & Co 7319.87"

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let hidden: [String: [UInt8]] = {
        let plain = Array(secret.utf8)
        let base64 = Data(plain).base64EncodedString()
        return [
            "plain": plain, "upper case": Array(secret.uppercased().utf8),
            "percent": plain.flatMap { Array("%".utf8) + Array(hex([$0]).utf8) },
            "base64": Array(base64.utf8),
            "base64 of base64": Array(Data(base64.utf8).base64EncodedString().utf8),
            "base64url": Array(
                base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "").utf8),
            "hexadecimal": Array(hex(plain).utf8),
            "escapes": Array(
                secret.utf16.map {
                    "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16)
                }.joined().utf8),
        ]
    }()

    @Test(arguments: [
        "plain", "upper case", "percent", "base64", "base64 of base64", "base64url", "hexadecimal", "escapes",
    ])
    func finds(_ coding: String) throws {
        let bytes = try #require(Self.hidden[coding])
        let request = Array("POST /x HTTP/1.1\r\n\r\n{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
        #expect(LeakScan.secrets([Self.secret], in: request) == [Self.secret])
        #expect(LeakScan.secrets(["something else"], in: request).isEmpty)
    }

    @Test func findsWhatIsCompressed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(String(repeating: "x", count: 300) + Self.secret, to: "body")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = [file]
        try process.run()
        process.waitUntilExit()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file + ".gz")))
        let request = Array("POST /x HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\n".utf8) + bytes
        #expect(LeakScan.secrets([Self.secret], in: request) == [Self.secret])
    }
}
