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
