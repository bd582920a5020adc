import SubGuardContract
import SubGuardDomain

/// Customers' accounts and the premium that the operator gives them.
extension Phrase {
    static let accounts = Phrase("Accounts", "Comptes")
    static let accountsLead = Phrase(
        "People who signed in with Apple. No name or address is stored, and the id with which they sign in only as a hash.",
        "Les personnes connectées avec Apple. Ni nom ni adresse ne sont stockés, et l’identifiant de connexion ne l’est que "
            + "sous forme de hachage.")
    static let accountID = Phrase("Account id", "Identifiant de compte")
    static let accountIDHint = Phrase(
        "“subguard premium” and the app show it to its owner.",
        "« subguard premium » et l’app le montrent à son propriétaire.")
    static let accountsNone = Phrase("No accounts", "Aucun compte")
    static let accountsNoneHint = Phrase(
        "An account begins when somebody signs in. Check the id that you searched for.",
        "Un compte naît à la première connexion. Vérifie l’identifiant recherché.")
    static let accountCreated = Phrase("First signed in", "Première connexion")
    static let accountHash = Phrase("Sign-in hash", "Hachage de connexion")
    static let accountPremium = Phrase("Premium", "Premium")
    static let accountSource = Phrase("Source", "Source")
    static let accountEnds = Phrase("Ends", "Fin")
    static let accountEndless = Phrase("never", "jamais")
    static let accountProduct = Phrase("Product", "Produit")
    static let accountGranted = Phrase("Given by operators", "Donné par les opérateurs")
    static let accountGrantedUntil = Phrase("until the end of %1 (UTC)", "jusqu’à la fin du %1 (UTC)")
    static let accountNothingGranted = Phrase("nothing", "rien")
    static let accountNote = Phrase("Note", "Note")
    static let accountShown = Phrase("Accounts on this page: %1", "Comptes sur cette page : %1")
    static let accountsNewest = Phrase("Newest", "Les plus récents")
    static let accountsOlder = Phrase("Older", "Plus anciens")

    static let accountGive = Phrase("Give premium", "Donner Premium")
    static let accountGiveLead = Phrase(
        "It lasts until the end of the day, whatever becomes of a purchase, and replaces what was given before. Devices "
            + "learn it with their next sync.",
        "Il dure jusqu’à la fin du jour, quoi qu’il advienne d’un achat, et remplace ce qui a été donné avant. Les appareils "
            + "l’apprennent à leur prochaine synchronisation.")
    static let accountUntil = Phrase("Last day", "Dernier jour")
    static let accountUntilHint = Phrase("In UTC, from today on.", "En UTC, à partir d’aujourd’hui.")
    static let accountNoteHint = Phrase(
        "Only operators see it. Deleted with the grant or the account.",
        "Seuls les opérateurs la voient. Supprimée avec le don ou le compte.")
    static let accountGiven = Phrase("Premium is given.", "Premium est donné.")
    static let accountTakeBack = Phrase("Take back…", "Retirer…")
    static let accountTakeBackTitle = Phrase("Take back the given premium?", "Retirer le Premium donné ?")
    static let accountTakeBackLead = Phrase(
        "It ends on devices with their next sync. What was bought stays.",
        "Il s’arrête sur les appareils à leur prochaine synchronisation. Les achats restent.")
    static let accountTakeBackButton = Phrase("Take back", "Retirer")
    static let accountTakenBack = Phrase("The given premium is taken back.", "Le Premium donné est retiré.")
    static let accountChanges = Phrase("Changes in the audit log", "Modifications dans le journal d’audit")
    static let mayManageAccounts = Phrase("Give premium to accounts", "Donner Premium à des comptes")
}

extension ConsoleWords {
    func name(_ source: PremiumSource?) -> String {
        switch source {
        case .appStore: "App Store"
        case .granted: self[Phrase("given by an operator", "donné par un opérateur")]
        case .all: self[Phrase("given to all", "donné à tous")]
        case nil: "–"
        }
    }

    func name(_ status: PurchaseStatus) -> String {
        let phrase: Phrase =
            switch status {
            case .none: Phrase("none", "aucun")
            case .active: Phrase("active", "actif")
            case .gracePeriod: Phrase("grace period", "délai de grâce")
            case .billingRetry: Phrase("payment failed", "paiement échoué")
            case .expired: Phrase("expired", "expiré")
            case .revoked: Phrase("revoked", "révoqué")
            case .refunded: Phrase("refunded", "remboursé")
            case .upgraded: Phrase("replaced by an upgrade", "remplacé par une offre supérieure")
            }
        return self[phrase]
    }
}
