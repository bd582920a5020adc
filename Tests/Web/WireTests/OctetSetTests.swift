import Testing

@testable import HTTPWire

/// The sets are written as numbers; compares them with the characters in the RFCs.
@Suite struct OctetSetTests {
    private static let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    @Test func holdTheCharactersOfTheirRFCs() {
        let sets: [(OctetSet, String)] = [
            (.token, Self.alphanumeric + "!#$%&'*+-.^_`|~"),
            (.target, Self.alphanumeric + "-._~" + "%" + "!$&'()*+,;=" + ":@/?"),
            (.host, Self.alphanumeric + "-._~" + "!$&'()*+,;=" + ":"),
            (.digit, "0123456789"),
        ]
        for (set, members) in sets {
            let expected = Set(members.utf8)
            for octet in UInt8.min...UInt8.max { #expect(set.contains(octet) == expected.contains(octet), "\(octet)") }
        }
        for octet in UInt8.min...UInt8.max {
            let isAllowed = octet == 0x09 || (octet >= 0x20 && octet != 0x7F)
            #expect(OctetSet.fieldValue.contains(octet) == isAllowed, "\(octet)")
        }
    }

    /// Checking 16 octets at once must agree with checking single octets, wherever the bad octet is.
    @Test(arguments: [0x00, 0x09, 0x0A, 0x1F, 0x20, 0x7E, 0x7F, 0x80, 0xFF] as [UInt8])
    func findABadOctetAtEveryPlace(_ octet: UInt8) {
        for count in 1...50 {
            for place in 0..<count {
                var value = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                value[place] = octet
                let isValue = value.withUnsafeBytes { OctetSet.isFieldValue($0) }
                #expect(isValue == OctetSet.fieldValue.contains(octet), "\(octet) at \(place) of \(count)")
            }
        }
    }
}
