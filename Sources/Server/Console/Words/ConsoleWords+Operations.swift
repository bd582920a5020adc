import Operations
import ServerAccess
import SubGuardDomain
import Telemetry

extension ConsoleWords {
    func name(_ part: ReadinessPart) -> String {
        switch part {
        case .migrations: self["Schema is current"]
        case .store: self["Writes reach the disk"]
        case .storage: self["Room for data"]
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
