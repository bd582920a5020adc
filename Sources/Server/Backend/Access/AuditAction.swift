package import SubGuardDomain

/// What a recorded change did: `<area>.<verb>`. The raw value is stored and hashed, so a case never changes its text,
/// and none is removed while databases may contain it.
package enum AuditAction: String, Sendable, CaseIterable {
    case catalogueInsert = "catalogue.insert"
    case catalogueUpdate = "catalogue.update"
    case catalogueDelete = "catalogue.delete"
    case catalogueLogo = "catalogue.logo"
    case catalogueMerge = "catalogue.merge"
    case catalogueMerged = "catalogue.merged"
    case catalogueUndo = "catalogue.undo"
    case catalogueImport = "catalogue.import"
    // Not of one item, so not in its history.
    case duplicateDismiss = "duplicate.dismiss"
    case duplicateRestore = "duplicate.restore"

    case suggestionApprove = "suggestion.approve"
    case suggestionReject = "suggestion.reject"
    case suggestionReopen = "suggestion.reopen"
    case suggestionDelete = "suggestion.delete"

    case tokenCreate = "token.create"
    case tokenRevoke = "token.revoke"
    case tokenRole = "token.role"
    case tokenRotate = "token.rotate"
    case roleReplace = "role.replace"

    case premiumGrant = "premium.grant"
    case premiumRevoke = "premium.revoke"

    case consoleSignIn = "console.sign_in"
    case consoleSignInRefused = "console.sign_in_refused"
    case consoleSignOut = "console.sign_out"
    case consoleSessionEnd = "console.session_end"
    case consolePasskeyAdd = "console.passkey_add"
    case consolePasskeyRemove = "console.passkey_remove"

    case crashResolve = "crash.resolve"
    case crashIgnore = "crash.ignore"
    case crashReopen = "crash.reopen"
    case crashDelete = "crash.delete"
    case crashDeleteRelease = "crash.delete_release"
    case crashPart = "crash.part"
    case crashSymbolsAdd = "crash.symbols_add"
    case crashSymbolsRemove = "crash.symbols_remove"

    case alertsTest = "alerts.test"
    case alertsResend = "alerts.resend"
    case alertsThresholds = "alerts.thresholds"
    case alertsRule = "alerts.rule"

    case eventsExport = "events.export"
    case figuresDiscard = "figures.discard"
    case figuresDiscarded = "figures.discarded"
    case figuresRebuild = "figures.rebuild"
    case figuresRebuilt = "figures.rebuilt"
    case figuresZone = "figures.zone"
    case storeBackup = "store.backup"
    case storeDrill = "store.drill"
    case storeDownload = "store.download"
    case storeRestore = "store.restore"

    /// What happened, for people.
    package var name: Sentence {
        switch self {
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
    }

    /// The decision on a crash group.
    init(_ action: CrashAction) {
        self =
            switch action {
            case .resolve: .crashResolve
            case .ignore: .crashIgnore
            case .reopen: .crashReopen
            case .delete: .crashDelete
            }
    }
}
