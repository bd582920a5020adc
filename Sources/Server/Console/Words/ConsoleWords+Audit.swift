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
        guard let action = AuditAction(rawValue: action) else { return action }
        let phrase: Sentence =
            switch action {
            case .catalogueInsert: "Item added"
            case .catalogueUpdate: "Item changed"
            case .catalogueDelete: "Item deleted"
            case .catalogueLogo: "Logo changed"
            case .catalogueMerge: "Items merged"
            case .catalogueMerged: "Item merged into another"
            case .catalogueUndo: "Change of an item undone"
            case .catalogueImport: "Item imported"
            case .duplicateDismiss: "Pair declared no duplicate"
            case .duplicateRestore: "Pair listed as duplicate again"
            case .suggestionApprove: "Suggestion approved"
            case .suggestionReject: "Suggestion rejected"
            case .suggestionReopen: "Suggestion reopened"
            case .suggestionDelete: "Suggestion deleted"
            case .tokenCreate: "Token created"
            case .tokenRevoke: "Token revoked"
            case .tokenRotate: "Token replaced"
            case .tokenRole: "Role by OpenID Connect"
            case .roleReplace: "Roles changed"
            case .premiumGrant: "Premium given to an account"
            case .premiumRevoke: "Given premium taken back"
            case .consoleSignIn: "Console: signed in"
            case .consoleSignInRefused: "Console: sign-in refused"
            case .consoleSignOut: "Console: signed out"
            case .consoleSessionEnd: "Console: session ended"
            case .consolePasskeyAdd: "Console: passkey added"
            case .consolePasskeyRemove: "Console: passkey removed"
            case .crashResolve: "Crash resolved"
            case .crashIgnore: "Crash ignored"
            case .crashReopen: "Crash reopened"
            case .crashDelete: "Crash deleted"
            case .crashDeleteRelease: "Crashes of a release deleted"
            case .crashPart: "Crash groups parted"
            case .crashSymbolsAdd: "Symbols added"
            case .crashSymbolsRemove: "Symbols removed"
            case .alertsTest: "Alert channel tested"
            case .alertsResend: "Alert sent again"
            case .alertsThresholds: "Alert thresholds changed"
            case .alertsRule: "Alert rule changed"
            case .eventsExport: "Events exported"
            case .figuresDiscard: "Discard of events begun"
            case .figuresDiscarded: "Events discarded"
            case .figuresRebuild: "Rebuild of figures begun"
            case .figuresRebuilt: "Figures rebuilt"
            case .figuresZone: "Time zone of figures changed"
            case .storeBackup: "Backup made"
            case .storeDownload: "Backup downloaded"
            case .storeDrill: "Backup verified"
            case .storeRestore: "Database restored"
            }
        return self[phrase]
    }
}
