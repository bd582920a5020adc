import Foundation
import TestKit

/// The published cases of a file in `Vectors`, or in the folder that `SUBGUARD_TEST_VECTORS` names.
struct Vectors {
    struct Case {
        let number: String
        /// Cases that are merely acceptable are refused: there is one way to encode.
        let isValid: Bool
        let fields: [[UInt8]]
    }

    static func cases(_ name: String) throws -> [Case] {
        let folder =
            ProcessInfo.processInfo.environment["SUBGUARD_TEST_VECTORS"].map { URL(fileURLWithPath: $0) }
            ?? RepositoryFile.url("Tests/System/CryptographyTests/Vectors")
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ").map(String.init)
            return Case(
                number: parts[0], isValid: parts[1] == "valid",
                fields: parts.dropFirst(2).map { $0 == "-" ? [] : bytes($0) })
        }
    }
}

/// The bytes of hexadecimal digits, which a test writes itself.
func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.filter { $0 != " " && $0 != "\n" })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}
