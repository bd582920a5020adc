import Testing
import TextCoding

struct HexadecimalTests {
    @Test func writesAndReadsLowerCaseDigits() {
        let bytes: [UInt8] = [0x00, 0x0F, 0xA5, 0xFF]
        #expect(Hexadecimal.text(bytes) == "000fa5ff")
        #expect(Hexadecimal.bytes("000fa5ff") == bytes)
        #expect(Hexadecimal.bytes("") == [])
    }

    @Test(arguments: ["0", "0g", "FF", "0 ", "é0", "000"])
    func refusesOtherText(_ text: String) { #expect(Hexadecimal.bytes(text) == nil) }
}
