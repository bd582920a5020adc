import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// The words of `sync`, `status`, `consent` and `premium` on a terminal. Documents have those of the code.
extension Session {
    func word(_ part: SyncReport.Name) -> String {
        switch part {
        case .catalogue: text(part.rawValue, "catalogue")
        case .suggestions: text(part.rawValue, "suggestions")
        case .erasure: text(part.rawValue, "effacement")
        case .analytics: text(part.rawValue, "événements")
        case .premium: text(part.rawValue, "premium")
        }
    }

    func word(_ result: SyncReport.Result) -> String {
        switch result {
        case .done: text("done", "fait")
        case .unneeded: text("unneeded", "rien à faire")
        case .failed: text("failed", "échec")
        }
    }

    /// Of a part that did not fail.
    func word(reason: String) -> String {
        switch reason {
        case "fresh": text(reason, "à jour")
        case "unchanged": text(reason, "inchangé")
        case "whole": text(reason, "entier")
        case "changes": text(reason, "modifications")
        case "empty": text(reason, "rien n'attend")
        case "consent_revoked": text("consent revoked", "accord retiré")
        case "consent_undecided": text("consent undecided", "accord non donné")
        case "not_signed_in": text("not signed in", "personne n'est connecté")
        default: PurchaseStatus(rawValue: reason).map { word($0) } ?? reason.replacing("_", with: " ")
        }
    }

    func word(count: String, of part: SyncReport.Name) -> String {
        guard language == .french else { return count.replacing("_", with: " ") }
        return switch (count, part) {
        case ("items", _): "services"
        case ("changed", _): "changés"
        case ("deleted", _): "supprimés"
        case ("accepted", .suggestions): "acceptées"
        case ("accepted", _): "acceptés"
        case ("duplicates", .suggestions): "déjà connues"
        case ("duplicates", _): "déjà connus"
        case ("refused", _): "refusées"
        case ("rejected", _): "rejetés"
        case ("waiting", _): "en attente"
        case ("erased", _): "effacés"
        default: count.replacing("_", with: " ")
        }
    }

    func word(_ consent: AnalyticsConsent) -> String {
        switch consent {
        case .granted: text("granted", "donné")
        case .revoked: text("revoked", "retiré")
        case .undecided: text("undecided", "non donné")
        }
    }

    func word(_ status: PurchaseStatus) -> String {
        switch status {
        case .none: text("none", "aucun achat")
        case .active: text("active", "actif")
        case .gracePeriod: text("grace period", "délai de grâce")
        case .billingRetry: text("billing retry", "paiement en attente")
        case .expired: text("expired", "expiré")
        case .revoked: text("revoked", "retiré")
        case .refunded: text("refunded", "remboursé")
        case .upgraded: text("upgraded", "remplacé")
        }
    }
}
