import Testing
import TextCoding

struct Base64URLTests {
    /// RFC 4648 section 10, without the padding, and one text with both characters of the URL-safe alphabet.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("~~>?", "fn4-Pw"), ("ÿÿ", "w7_Dvw"),
    ])
    func writesAndReadsTheVectors(plain: String, coded: String) {
        #expect(Base64URL.text(of: Array(plain.utf8)) == coded)
        #expect(Base64URL.bytes(of: coded) == Array(plain.utf8))
    }

    @Test(arguments: ["Zg==", "Z", "Zh", "Zm+v", "Zm/v", "Zm9v ", "Zmé"])
    func refusesWhatItDoesNotWrite(text: String) {
        #expect(Base64URL.bytes(of: text) == nil)
    }
}
