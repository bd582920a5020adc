import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct UUIDTextTests {
    @Test func readsBothCasesAndWritesLowerCase() throws {
        let text = "0190a1b2-c3d4-7e5f-89ab-cdefABCDEF09"
        let id = try #require(UUID(strict: text))
        #expect(id.lowercased == text.lowercased())
        #expect(id == UUID(uuidString: text))
        #expect(UUID(strict: text.uppercased()) == id)
    }

    @Test(arguments: [
        "", "0190a1b2c3d47e5f89abcdefabcdef09", "{0190a1b2-c3d4-7e5f-89ab-cdefabcdef09}",
        "urn:uuid:0190a1b2-c3d4-7e5f-89ab-cdefabcdef09",
        "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0", "0190a1b2-c3d4-7e5f-89ab-cdefabcdef090",
        "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0g", "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0/",
        "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0:", "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0@",
        "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0`", "0190a1b2-c3d4-7e5f-89abcdefabcdef-09",
        "0190a1b2_c3d4_7e5f_89ab_cdefabcdef09", "0190a1b2-c3d4-7e5f-89ab-cdefabcdef\u{FF10}",
        " 190a1b2-c3d4-7e5f-89ab-cdefabcdef09", "0190a1b2-c3d4-7e5f-89ab-cdefabcdef0\u{0}",
    ])
    func refusesOtherForms(_ text: String) {
        #expect(UUID(strict: text) == nil)
    }

    @Test func acceptsOnlyHexadecimalDigitsAtEveryPlace() {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        let text = Array("01234567-89ab-cdef-0123-456789abcdef".utf8)
        for index in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                let isHyphen = text[index] == UInt8(ascii: "-")
                let expected = isHyphen ? byte == UInt8(ascii: "-") : digits.contains(byte)
                #expect((changed.withUnsafeBytes { UUID(strictBytes: $0) } != nil) == expected, "\(index) \(byte)")
            }
        }
    }

    @Test func survivesRoundTrips() {
        var generator = SeededRandom(seed: 36)
        for _ in 0..<1000 {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let id = UUID(rawBytes: bytes)
            #expect(id?.rawBytes == bytes)
            #expect(id?.lowercased == id?.uuidString.lowercased())
            #expect(id.flatMap { UUID(strict: $0.lowercased) } == id)
        }
    }

    @Test func takesExactlySixteenBytes() {
        #expect(UUID(rawBytes: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(UUID(rawBytes: [UInt8](repeating: 1, count: 17)) == nil)
        #expect(UUID(rawBytes: [UInt8]()) == nil)
        #expect(
            UUID(rawBytes: ([0] + [UInt8](repeating: 7, count: 16)).dropFirst())?.lowercased
                == "07070707-0707-0707-0707-070707070707")
    }
}

@Suite struct UUIDv7Tests {
    @Test func followsTheLayoutOfRFC9562() {
        // The example of appendix A.6.
        let id = UUIDv7.make(millisecondsSinceEpoch: 0x017F_22E2_79B0, random: (0xCC3, 0x18C4_DC0C_0C07_398F))
        #expect(id.lowercased == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test func keepsVersionAndVariantWhateverTheRandomBits() {
        for bits in [UInt64.min, .max] {
            let bytes = UUIDv7.make(millisecondsSinceEpoch: 1_795_168_800_000, random: (bits, bits)).rawBytes
            #expect(bytes[6] >> 4 == 7)
            #expect(bytes[8] >> 6 == 0b10)
        }
    }

    @Test func sortsByTime() {
        let times: [Int64] = [.min, 0, 1, 1_709_210_096_789, 1_709_210_096_790, 0xFFFF_FFFF_FFFF, .max]
        let texts = times.map { UUIDv7.make(millisecondsSinceEpoch: $0, random: (0, 0)).lowercased }
        #expect(texts == texts.sorted())
        #expect(texts.first == "00000000-0000-7000-8000-000000000000")
        #expect(texts.last == "ffffffff-ffff-7000-8000-000000000000")
    }
}
