import Operations
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry

extension ConsoleWords {
    func name(_ part: ReadinessPart) -> String {
        switch part {
        case .migrations: self["Schema is current"]
        case .store: self["Writes reach the disk"]
        case .storage: self["Room for data"]
        case .clock: self["Clock is right"]
        case .shutdown: self["Not shutting down"]
        }
    }

    func name(_ level: StorageLevel) -> String {
        switch level {
        case .ok: self["enough room"]
        case .nearlyFull: self["nearly full"]
        case .full: self["full: data from devices is rejected"]
        }
    }

    /// 12.4 MB: decimal units with one digit after the point, rounded down.
    func bytes(_ count: Int64) -> String {
        let units = language == .french ? ["o", "ko", "Mo", "Go", "To"] : ["bytes", "kB", "MB", "GB", "TB"]
        var (unit, size) = (0, count)
        var tenths: Int64 = 0
        while size >= 1000, unit < units.count - 1 {
            tenths = size % 1000 / 100
            size /= 1000
            unit += 1
        }
        let fraction = unit == 0 ? "" : (language == .french ? "," : ".") + "\(tenths)"
        return "\(number(size))\(fraction)\u{A0}\(units[unit])"
    }

    func name(_ reason: AuditVerification.Break.Reason) -> String {
        switch reason {
        case .altered: self["the row or its hash was changed."]
        case .missing: self["the row is missing."]
        case .malformed: self["the row has a format that this program never writes."]
        case .headDiffers: self["rows are missing at the end."]
        }
    }

    /// The action in words; its own text for one of another version.
    func name(_ action: String) -> String {
        AuditAction(rawValue: action).map { self[$0.name] } ?? action
    }
}

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
