import Testing
import WebAuthn

@Suite struct CBORReaderTests {
    /// Examples of RFC 8949, appendix A.
    @Test(arguments: [
        ([0x00], CBORValue.unsigned(0)), ([0x18, 0x18], .unsigned(24)), ([0x19, 0x03, 0xE8], .unsigned(1000)),
        ([0x1B, 255, 255, 255, 255, 255, 255, 255, 255], .unsigned(.max)), ([0x20], .negative(0)),
        ([0x39, 0x03, 0xE7], .negative(999)), ([0xF4], .bool(false)), ([0xF5], .bool(true)), ([0xF6], .null),
        ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x62, 0xC3, 0xBC], .text("ü")),
        ([0x83, 1, 2, 3], .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ([0x80], .array([])),
        ([0xA1, 1, 2], .map([CBORPair(key: .unsigned(1), value: .unsigned(2))])),
        // Longer than necessary.
        ([0x19, 0, 1], .unsigned(1)),
    ])
    func reads(_ bytes: [UInt8], _ value: CBORValue) throws {
        #expect(try CBORReader.read(bytes) == value)
        for end in bytes.indices {
            #expect(throws: CBORError.truncated) { try CBORReader.read(Array(bytes[..<end])) }
        }
        #expect(throws: CBORError.trailing) { try CBORReader.read(bytes + [0]) }
    }

    @Test(arguments: [
        ([0x9F, 0xFF], CBORError.indefinite), ([0x5F, 0xFF], .indefinite), ([0xFF], .indefinite),
        ([0xC0, 0x00], .unsupported), ([0xF9, 0, 0], .unsupported), ([0xF7], .unsupported), ([0x1C], .unsupported),
        ([0x62, 0xC3, 0x28], .notUTF8), ([0xA2, 0, 0, 0, 0], .repeatedKey),
        ([0x78, 129] + Array(repeating: 0x61, count: 129), .longText),
        ([0x5B, 255, 255, 255, 255, 255, 255, 255, 255], .truncated),
        ([0x9B, 255, 255, 255, 255, 255, 255, 255, 255], .tooManyValues),
        ([0xBB, 127, 255, 255, 255, 255, 255, 255, 255], .tooManyValues),
        (Array(repeating: 0x81, count: 8) + [0], .tooDeep),
        ([0x99, 1, 0] + Array(repeating: 0, count: 256), .tooManyValues),
    ])
    func refuses(_ bytes: [UInt8], _ error: CBORError) {
        #expect(throws: error) { try CBORReader.read(bytes) }
    }

    @Test func takesTheBounds() throws {
        #expect(throws: Never.self) { try CBORReader.read(Array(repeating: 0x81, count: 7) + [0]) }
        #expect(throws: Never.self) { try CBORReader.read([0x98, 255] + Array(repeating: 0, count: 255)) }
    }
}
