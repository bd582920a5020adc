import SubGuardContract
import SubGuardDomain

extension ConsoleWords {
    /// What a permission allows.
    func name(_ permission: Permission) -> String {
        switch permission {
        case .catalogueRead: self["Read the catalogue"]
        case .catalogueWrite: self["Change the catalogue"]
        case .suggestionsModerate: self["Decide on suggestions"]
        case .metricsRead: self["Read figures"]
        case .eventsExport: self["Export events"]
        case .crashesWrite: self["Decide on crashes"]
        case .alertsRead: self["Read alerts"]
        case .alertsWrite: self["Change alerts"]
        case .auditRead: self["Read the audit log"]
        case .accountsManage: self["Give premium to accounts"]
        case .accessManage: self["Manage access"]
        }
    }

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
