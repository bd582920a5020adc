import SubGuardDomain

/// The text of an alert.
struct AlertNotice {
    /// One line.
    let title: String
    let sentence: String

    init(_ delivery: AlertDelivery) {
        switch delivery.subject {
        case .threshold(let users, let userCount):
            title = "SubGuard: \(Self.grouped(users)) users reached"
            sentence =
                "SubGuard has reached \(Self.grouped(users)) users and had \(Self.grouped(userCount)) at "
                + "\(delivery.createdAt.rfc3339)."
        case .storage(let notice):
            let level = notice.level == .full ? "full" : "nearly full"
            title = "SubGuard: the \(notice.isDisk ? "disk" : "store") is \(level)"
            let numbers =
                notice.isDisk
                ? "\(Self.mebibytes(notice.bytes)) MiB of disk space are free; "
                    + "\(Self.mebibytes(notice.limitBytes)) MiB must stay free"
                : "The database uses \(Self.mebibytes(notice.bytes)) of \(Self.mebibytes(notice.limitBytes)) MiB"
            let effect =
                notice.level == .full
                ? "Requests from devices are rejected with 503 until there is space."
                : "When it is full, requests from devices are rejected with 503."
            sentence = "\(numbers), measured at \(delivery.createdAt.rfc3339). \(effect)"
        case .rule(let notice):
            title = notice.title
            sentence = notice.sentence(at: delivery.createdAt)
        case .digest(let digest):
            title = digest.title
            sentence = digest.sentence(at: delivery.createdAt)
        case .test:
            title = "SubGuard: test alert"
            sentence = "This is a test alert, requested at \(delivery.createdAt.rfc3339)."
        }
    }

    private static func mebibytes(_ bytes: Int64) -> String { grouped(bytes >> 20) }

    private static func grouped(_ number: Int64) -> String { AmountStyle.english.grouped(Int(number)) }
}
