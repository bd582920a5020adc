import Foundation
import SubGuardDomain
import Testing

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
