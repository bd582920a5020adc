import SubGuardDomain

/// What an alert says, in plain words.
struct AlertNotice {
    /// One line.
    let title: String
    let sentence: String

    init(_ delivery: AlertDelivery) {
        switch delivery.subject {
        case .threshold(let users, let userCount):
            title = "SubGuard: \(Self.grouped(users)) users reached"
            sentence =
                "SubGuard has reached \(Self.grouped(users)) users: there were \(Self.grouped(userCount)) at "
                + "\(delivery.createdAt.rfc3339)."
        case .test:
            title = "SubGuard: test alert"
            sentence = "This is a test, asked for at \(delivery.createdAt.rfc3339). Alerts reach you this way."
        }
    }

    /// Digits in groups of three, with commas.
    private static func grouped(_ number: Int64) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
