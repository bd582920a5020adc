import SubGuardDomain

/// Entries that only set money aside until a payment is made, and give it back: PayPal lists them beside the payment.
enum AccountHolds {
    static func isHold(_ booking: StatementBooking) -> Bool {
        [booking.kind, booking.payee, booking.note].contains { text in
            guard !text.isEmpty else { return false }
            let said = TextFolding.fold(String(text.prefix(longest)))
            return phrases.contains { said.hasPrefix($0) }
        }
    }

    private static let longest = 60
    private static let phrases = [
        "account hold for", "general account hold", "reversal of general account hold", "hold on balance for",
        "release of general account hold", "general authorization", "general authorisation",
        "einbehaltung fur offene autorisierung", "allgemeine autorisierung", "allgemeine kontoeinbehaltung",
        "ruckbuchung allgemeiner einbehaltung", "ruckbuchung allgemeine einbehaltung",
        "blocage de compte pour autorisation", "annulation de blocage general", "autorisation generale",
    ]
}
