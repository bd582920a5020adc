import SubGuardDomain

/// The words of an entry under the codes of SWIFT, which banks also write into the texts of tables:
/// `/TRTP/SEPA Incasso/NAME/NETFLIX/REMI/abo`.
struct StructuredWords {
    var payee: String
    /// Under `REMI`; else empty.
    var note: String
    /// Under `TRTP`; else empty.
    var kind: String

    private static let codes: Set<String> = [
        "TRTP", "TRCD", "CSID", "NAME", "MARF", "REMI", "IBAN", "BIC", "EREF", "ORDP", "BENM", "CNTP", "ULTC", "ULTB",
        "ULTD", "PREF", "RTRN", "PURP", "ISDT", "ADDR", "SVCL", "NRTX", "CPUR", "OCMT", "CHGS", "EXCH",
    ]
    /// Codes of the payee, with how far its name is behind.
    private static let names = [("ULTC", 1), ("ULTB", 1), ("NAME", 1), ("CNTP", 3), ("BENM", 2), ("ORDP", 2)]

    /// Nil for a text that does not begin with such a code, or names nobody.
    init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= Self.longest else { return nil }
        let words = text.split(separator: "/", omittingEmptySubsequences: false).map {
            CatalogueRules.trimmed(String($0))
        }
        guard words.count > 2, (2...5).contains(words[1].utf8.count),
            words[1].utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        let found = Self.names.lazy.compactMap { code, distance -> String? in
            guard let place = words.firstIndex(of: code), place + distance < words.count else { return nil }
            let name = words[place + distance]
            return name.contains(where: \.isLetter) && !Self.codes.contains(name) ? name : nil
        }
        guard let payee = found.first else { return nil }
        self.payee = payee
        note = Self.value(of: "REMI", in: words).replacing("USTD ", with: "")
        kind = Self.value(of: "TRTP", in: words)
    }

    private static let longest = 4000

    /// All up to the next code: a remittance may have slashes too.
    private static func value(of code: String, in words: [String]) -> String {
        guard let place = words.firstIndex(of: code) else { return "" }
        let value = words[(place + 1)...].prefix { !codes.contains($0) }
        return value.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension StatementBooking {
    /// With the values of structured texts in place of these.
    func readingStructure() -> StatementBooking {
        var booking = self
        if let said = StructuredWords(payee) {
            booking.payee = said.payee
            if !said.note.isEmpty || note.isEmpty { booking.note = said.note + (note.isEmpty ? "" : " " + note) }
            if kind.isEmpty { booking.kind = said.kind }
        } else if let said = StructuredWords(note) {
            if payee.isEmpty { booking.payee = said.payee }
            booking.note = said.note
            if kind.isEmpty { booking.kind = said.kind }
        }
        return booking
    }
}
