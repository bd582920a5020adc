import SubGuardContract
import SubGuardDomain

extension ConsoleWords {
    func name(_ source: PremiumSource?) -> String {
        switch source {
        case .appStore: "App Store"
        case .granted: self["given by an operator"]
        case .all: self["given to all"]
        case nil: "–"
        }
    }

    func name(_ status: PurchaseStatus) -> String {
        let phrase: Sentence =
            switch status {
            case .none: "none"
            case .active: "active"
            case .gracePeriod: "grace period"
            case .billingRetry: "payment failed"
            case .expired: "expired"
            case .revoked: "revoked"
            case .refunded: "refunded"
            case .upgraded: "replaced by an upgrade"
            }
        return self[phrase]
    }
}
