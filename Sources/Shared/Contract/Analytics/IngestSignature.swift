import Foundation
import TextCoding

/// The header field `SubGuard-Signature`: the signature of a batch of events, its key and its time.
///
///     SubGuard-Signature: key=ios-1.4, t=1795172400, v1=9f86d081884c7d65…
///
/// The signature is HMAC-SHA-256, in lower-case hexadecimal digits, of ``input(seconds:bodyDigest:)``.
public struct IngestSignature: Sendable, Hashable {
    public static let fieldName = "SubGuard-Signature"
    /// Maximum difference between the time of a signature and the server's clock, in seconds.
    public static let windowSeconds: Int64 = 300

    public let key: String
    /// The time of the signature, in seconds since 1970.
    public let seconds: Int64
    /// 32 bytes.
    public let code: [UInt8]

    public init(key: String, seconds: Int64, code: [UInt8]) {
        self.key = key
        self.seconds = seconds
        self.code = code
    }

    /// Parses the value of the field: three members in any order, each exactly once. Nil for anything else.
    public init?(_ text: String) {
        var key: String?
        var seconds: Int64?
        var code: [UInt8]?
        guard text.utf8.count <= 300 else { return nil }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.trimmingCharacters(in: .whitespaces).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "key" where key == nil: key = String(pair[1])
            case "t" where seconds == nil:
                guard pair[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
                seconds = Int64(pair[1])
            case "v1" where code == nil: code = Hexadecimal.bytes(pair[1])
            default: return nil
            }
        }
        guard let key, IngestSigningKey.isName(key), let seconds, let code, code.count == 32 else { return nil }
        self.init(key: key, seconds: seconds, code: code)
    }

    /// The value of the field.
    public var text: String { "key=\(key), t=\(seconds), v1=\(Hexadecimal.text(code))" }

    /// The signed input: the time, a dot, and the SHA-256 of the body as sent, in lower-case hexadecimal digits.
    public static func input(seconds: Int64, bodyDigest: some Sequence<UInt8>) -> [UInt8] {
        Array("\(seconds).\(Hexadecimal.text(bodyDigest))".utf8)
    }
}

/// A key with which an app signs its reports: a name and a secret, written `name:base64`.
public struct IngestSigningKey: Sendable, Hashable {
    /// 1 to 64 letters, digits and `. _ -`, such as the app's build.
    public let name: String
    /// 16 to 64 bytes.
    public let secret: [UInt8]

    /// Nil for anything but `name:base64`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isName(parts[0]), let secret = Data(base64Encoded: String(parts[1])),
            (16...64).contains(secret.count)
        else { return nil }
        name = String(parts[0])
        self.secret = Array(secret)
    }

    static func isName(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._-".utf8.contains(byte)
            }
    }
}
