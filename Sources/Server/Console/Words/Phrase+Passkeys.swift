/// Passkeys.
extension Phrase {
    static let passkeys = Phrase("Passkeys", "Clés d’accès")
    static let passkeysLead = Phrase(
        "A passkey signs in to the console without a token, by the lock of a device or by a security key.",
        "Une clé d’accès ouvre la console sans jeton, par le verrouillage d’un appareil ou une clé de sécurité.")
    static let passkeysNone = Phrase("No passkeys yet", "Aucune clé d’accès")
    static let passkeysNoneHint = Phrase(
        "Add one below, and the sign-in needs no token any more.",
        "Ajoutes-en une ci-dessous, et la connexion se passera de jeton.")
    static let passkeyOne = Phrase("1 passkey", "1 clé d’accès")
    static let passkeyMany = Phrase("%1 passkeys", "%1 clés d’accès")
    static let passkeyHost = Phrase("Host", "Hôte")
    static let passkeyMade = Phrase("Added", "Ajout")
    static let passkeyNew = Phrase("Add a passkey", "Ajouter une clé d’accès")
    static let passkeyNameHint = Phrase(
        "For your own list, such as “Laptop” or “Blue key”.",
        "Pour ta liste, par exemple «\u{00A0}Portable\u{00A0}» ou «\u{00A0}Clé bleue\u{00A0}».")
    static let passkeyContinue = Phrase("Continue", "Continuer")
    static let passkeyCreateLead = Phrase(
        "Your browser now asks for the passkey “%1”. It belongs to your token, and is removed when that is revoked.",
        "Ton navigateur va demander la clé d’accès «\u{00A0}%1\u{00A0}». Elle appartient à ton jeton et disparaît avec "
            + "lui.")
    static let passkeyCreate = Phrase("Create the passkey", "Créer la clé d’accès")
    static let passkeyNotMade = Phrase(
        "No passkey was made. Try again, or with another device.",
        "Aucune clé d’accès n’a été créée. Réessaie, ou avec un autre appareil.")
    static let passkeyNeedsScript = Phrase(
        "Passkeys need JavaScript and a browser that knows them.",
        "Les clés d’accès nécessitent JavaScript et un navigateur qui les connaît.")
    static let passkeyImpossible = Phrase(
        "Passkeys cannot be used at this address: open the console by localhost, or by the HTTPS name in public_url.",
        "Les clés d’accès sont impossibles à cette adresse\u{00A0}: ouvre la console par localhost, ou par le nom "
            + "HTTPS de public_url.")
    static let passkeyAdded = Phrase("The passkey is added.", "La clé d’accès est ajoutée.")
    static let passkeyRemoved = Phrase("The passkey is removed.", "La clé d’accès est retirée.")
    static let passkeyRefused = Phrase("The passkey was not accepted.", "La clé d’accès n’a pas été acceptée.")
    static let passkeyLate = Phrase(
        "That took longer than 5 minutes, or was sent twice. Start again.",
        "Cela a pris plus de 5 minutes, ou a été envoyé deux fois. Recommence.")
    static let passkeyRegistered = Phrase("This passkey is there already.", "Cette clé d’accès existe déjà.")
    static let passkeyTooMany = Phrase(
        "A token has at most 20 passkeys. Remove one first.",
        "Un jeton a au plus 20 clés d’accès. Retires-en une d’abord.")
    static let passkeyRemove = Phrase("Remove…", "Retirer…")
    static let passkeyRemoveNamed = Phrase("Remove the passkey %1", "Retirer la clé d’accès %1")
    static let passkeyRemoveTitle = Phrase("Remove the passkey %1?", "Retirer la clé d’accès %1\u{00A0}?")
    static let passkeyRemoveScope = Phrase(
        "It will no longer sign in as %1. Sessions that it began go on; end them under Sessions. "
            + "The device keeps its part until you delete it there.",
        "Elle n’ouvrira plus de session pour %1. Les sessions ouvertes continuent\u{00A0}; termine-les dans Sessions. "
            + "L’appareil garde sa part jusqu’à ce que tu l’y supprimes.")
    static let passkeyRemoveNow = Phrase("Remove the passkey", "Retirer la clé d’accès")

    // Sign-in.
    static let passkeySignIn = Phrase("Sign in with a passkey", "Se connecter avec une clé d’accès")
    static let passkeyNotUsed = Phrase(
        "No passkey was used. Try again, or paste a token.", "Aucune clé d’accès utilisée. Réessaie, ou colle un jeton."
    )
    static let passkeyWrong = Phrase(
        "This passkey is not accepted: it is unknown or removed, its token is no longer valid, or it took too long.",
        "Cette clé d’accès n’est pas acceptée\u{00A0}: inconnue ou retirée, jeton invalide, ou délai dépassé.")
}
