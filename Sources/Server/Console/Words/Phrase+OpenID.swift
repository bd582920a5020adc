/// Sign-in by OpenID Connect.
extension Phrase {
    static let openIDSignIn = Phrase("Sign in with %1", "Se connecter avec %1")
    static let openIDRefused = Phrase("You are not signed in", "Tu n’es pas connecté")
    static let openIDAgain = Phrase("Try again", "Réessayer")
    static let openIDToken = Phrase("Sign in with an access token", "Se connecter avec un jeton d’accès")
    static let openIDNotBegun = Phrase(
        "This sign-in was begun in another browser or window, was used already, or is older than 10 minutes.",
        "Cette connexion a été commencée dans un autre navigateur ou une autre fenêtre, a déjà servi, ou date de plus "
            + "de 10 minutes.")
    static let openIDUnreachable = Phrase(
        "%1 does not respond as it should. Try again in a moment; the server’s log has the reason.",
        "%1 ne répond pas comme prévu. Réessaie dans un moment ; le journal du serveur en donne la raison.")
    static let openIDDenied = Phrase("%1 says: the sign-in was declined.", "%1 indique que la connexion a été refusée.")
    static let openIDError = Phrase(
        "%1 refused the sign-in with the error %2.", "%1 a refusé la connexion avec l’erreur %2.")
    static let openIDInvalid = Phrase(
        "The answer of %1 cannot be trusted, so nobody was signed in. The server’s log has the reason.",
        "La réponse de %1 n’est pas fiable : personne n’a été connecté. Le journal du serveur en donne la raison.")
    static let openIDNoRole = Phrase(
        "%1 has no role here. An operator of this server decides that with the setting oidc_roles.",
        "%1 n’a pas de rôle ici. Un opérateur de ce serveur en décide par le réglage oidc_roles.")
    static let openIDNoRoleNoMail = Phrase(
        "You have no role here: your provider named no verified mail address, and no group with a role. An operator of "
            + "this server decides that with the setting oidc_roles.",
        "Tu n’as pas de rôle ici : ton fournisseur n’a indiqué ni adresse mail vérifiée, ni groupe ayant un rôle. Un "
            + "opérateur de ce serveur en décide par le réglage oidc_roles.")
    static let openIDRevoked = Phrase(
        "An owner has revoked your access to this console.", "Un propriétaire a révoqué ton accès à cette console.")
    static let openIDUnknownRole = Phrase(
        "The setting oidc_roles gives you the role %1, which does not exist on this server.",
        "Le réglage oidc_roles te donne le rôle %1, qui n’existe pas sur ce serveur.")
    static let openIDReentryTitle = Phrase("Confirm with %1", "Confirme avec %1")
    static let openIDReentryLead = Phrase(
        "Access is about to be changed. Sign in with %1 again, then repeat the change: what you sent is not kept.",
        "Les accès vont être modifiés. Reconnecte-toi avec %1, puis recommence : ce que tu as envoyé n’est pas "
            + "conservé."
    )
    static let openIDReentryHint = Phrase(
        "If this page keeps coming back, the provider does not say when you signed in (auth_time). Sign in with an "
            + "access token instead.",
        "Si cette page revient sans cesse, le fournisseur n’indique pas l’heure de ta connexion (auth_time). "
            + "Connecte-toi alors avec un jeton d’accès.")
    static let openIDNoPasskeys = Phrase(
        "You sign in by %1 only, so you have no passkeys here: they would still work when it has removed you.",
        "Tu te connectes seulement avec %1 : pas de clés d’accès ici, car elles marcheraient encore après ton retrait.")
}
