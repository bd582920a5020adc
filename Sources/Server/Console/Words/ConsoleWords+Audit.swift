import Backend
import SubGuardDomain

extension ConsoleWords {
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
