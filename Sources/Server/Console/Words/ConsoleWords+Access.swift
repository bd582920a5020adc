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
}
