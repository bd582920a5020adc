/// Tokens, roles and sessions.
extension Phrase {
    static let access = Phrase("Access", "Accès")
    static let accessPages = Phrase("Pages about access", "Pages sur les accès")
    static let accessLead = Phrase(
        "Tokens for programs and people. A session of the console belongs to the token that began it.",
        "Jetons des programmes et des personnes. Une session de la console appartient au jeton qui l’a ouverte.")
    static let accessTokens = Phrase("Tokens", "Jetons")
    static let accessRoles = Phrase("Roles", "Rôles")
    static let accessSessions = Phrase("Sessions", "Sessions")
    static let accessAll = Phrase("All", "Tous")
    static let accessValid = Phrase("Valid", "Valides")
    static let accessExpired = Phrase("Expired", "Expirés")
    static let accessRevoked = Phrase("Revoked", "Révoqués")
    static let accessIsValid = Phrase("valid", "valide")
    static let accessIsExpired = Phrase("expired", "expiré")
    static let accessIsRevoked = Phrase("revoked", "révoqué")
    static let accessRole = Phrase("Role", "Rôle")
    static let accessCreated = Phrase("Created", "Créé le")
    static let accessLastUsed = Phrase("Last used", "Dernière utilisation")
    static let accessExpires = Phrase("Expires", "Expire le")
    static let accessRevokedAt = Phrase("Revoked", "Révoqué le")
    static let accessNever = Phrase("never", "jamais")
    static let accessHint = Phrase("First characters", "Premiers caractères")
    static let accessNewest = Phrase("Newest", "Les plus récents")
    static let accessLatestUse = Phrase("Latest use", "Dernière utilisation")
    static let accessTableCaption = Phrase(
        "Days in UTC. The secret of a token is stored as a hash only.",
        "Jours en UTC. Seul le hachage du secret d’un jeton est stocké.")
    static let accessNoTokens = Phrase("No tokens here", "Aucun jeton ici")
    static let accessNoTokensHint = Phrase(
        "Choose another status, clear the search, or create a token below.",
        "Choisis un autre statut, efface la recherche, ou crée un jeton ci-dessous.")
    static let accessShownOf = Phrase("%1 of %2 shown", "%1 sur %2 affichés")

    // The form.
    static let accessNewToken = Phrase("New token", "Nouveau jeton")
    static let accessCreate = Phrase("Create token", "Créer le jeton")
    static let accessCreateHint = Phrase(
        "The token is shown once, on the next page.", "Le jeton est affiché une seule fois, sur la page suivante.")
    static let accessNameHint = Phrase(
        "Who or what uses it, as the audit log will say.", "Qui ou quoi l’utilise : le journal d’audit le montrera.")
    static let accessRoleHint = Phrase(
        "Only roles whose permissions you hold can be given.",
        "Seuls les rôles dont tu as les permissions peuvent être donnés.")
    static let accessChooseRole = Phrase("Choose a role", "Choisis un rôle")
    static let accessExpiresHint = Phrase(
        "Prefer an expiry for people and experiments.",
        "Préfère une expiration pour les personnes et les essais.")
    static let accessDays = Phrase("in %1 days (%2)", "dans %1 jours (%2)")
    static let accessLikeOwn = Phrase("with your token (%1)", "avec ton jeton (%1)")
    static let accessCreatedTitle = Phrase("Copy the token now", "Copie le jeton maintenant")
    static let accessCreatedLead = Phrase(
        "The token “%1” with the role %2 is valid now.", "Le jeton « %1 » avec le rôle %2 est valide dès maintenant.")
    static let accessOnce = Phrase(
        "It is not shown again. Keep it in a password manager.",
        "Il ne sera plus affiché. Garde-le dans un gestionnaire de mots de passe.")
    static let accessCopy = Phrase("Copy", "Copier")
    static let accessCopied = Phrase("Copied", "Copié")

    // One token.
    static let accessBack = Phrase("All tokens", "Tous les jetons")
    static let accessRevoke = Phrase("Revoke…", "Révoquer…")
    static let accessWasRevoked = Phrase(
        "The token is revoked. Programs that use it get 401 from now on.",
        "Le jeton est révoqué. Les programmes qui l’utilisent reçoivent désormais 401.")
    static let accessPermissions = Phrase("Permissions", "Permissions")
    static let accessNoPermissions = Phrase("None: its role was removed.", "Aucune : son rôle a été supprimé.")
    static let accessChanges = Phrase(
        "What it changed, in the audit log", "Ce qu’il a modifié, dans le journal d’audit")
    static let accessOneSession = Phrase("%1 session", "%1 session")
    static let accessManySessions = Phrase("%1 sessions", "%1 sessions")
    static let accessRevokeNamed = Phrase("Revoke %1?", "Révoquer %1 ?")
    static let accessRevokePrograms = Phrase(
        "Programs that use the token %1 are refused at once.",
        "Les programmes qui utilisent le jeton %1 sont refusés aussitôt.")
    static let accessRevokeSession = Phrase(
        "%1 session of the console ends.", "%1 session de la console prend fin.")
    static let accessRevokeSessions = Phrase(
        "%1 sessions of the console end.", "%1 sessions de la console prennent fin.")
    static let accessRevokeForGood = Phrase(
        "This cannot be undone; a new token can be created.",
        "C’est irréversible ; un nouveau jeton peut être créé.")
    static let accessRevokeOwn = Phrase(
        "This is the token of your own session: you will be signed out.",
        "C’est le jeton de ta propre session : tu seras déconnecté.")
    static let accessRevokeNow = Phrase("Revoke the token", "Révoquer le jeton")
    static let accessKeep = Phrase("Change nothing", "Ne rien changer")

    // Roles.
    static let accessRolesLead = Phrase(
        "What each role may do. Built-in roles are fixed; your own ones can be edited here.",
        "Ce que chaque rôle permet. Les rôles intégrés sont fixes ; les tiens se modifient ici.")
    static let accessMatrixCaption = Phrase(
        "Permissions in rows, roles in columns.", "Permissions en lignes, rôles en colonnes.")
    static let accessPermission = Phrase("Permission", "Permission")
    static let accessBuiltIn = Phrase("built in", "intégré")
    static let accessYes = Phrase("yes", "oui")
    static let accessNo = Phrase("no", "non")
    static let accessMay = Phrase("%1: %2", "%1 : %2")
    static let accessNewRole = Phrase("new role", "nouveau rôle")
    static let accessNewRoleName = Phrase("Name of a new role", "Nom d’un nouveau rôle")
    static let accessNameOf = Phrase("Name of the role %1", "Nom du rôle %1")
    static let accessRemove = Phrase("remove", "supprimer")
    static let accessRemoveNamed = Phrase("Remove the role %1", "Supprimer le rôle %1")
    static let accessSaveRoles = Phrase("Save roles", "Enregistrer les rôles")
    static let accessRolesHint = Phrase(
        "Applies to all tokens of a role at once. A role with valid tokens cannot be removed.",
        "S’applique aussitôt à tous les jetons d’un rôle. Un rôle dont des jetons sont valides ne peut être supprimé.")
    static let accessRolesSaved = Phrase("The roles are saved.", "Les rôles sont enregistrés.")
    static let accessRace = Phrase(
        "Somebody else saved the roles after you opened this page, so nothing was saved. The matrix has their changes and "
            + "yours; for a role that both changed, it has yours. Compare, correct, save again.",
        "Quelqu’un d’autre a enregistré les rôles après l’ouverture de cette page ; rien n’a été enregistré. La matrice "
            + "contient ses modifications et les tiennes ; pour un rôle modifié par les deux, la tienne. Compare, corrige, "
            + "puis enregistre à nouveau.")
    static let accessRaceAdded = Phrase(
        "Added by somebody else, and kept: %1.", "Ajoutés par quelqu’un d’autre, et conservés : %1.")
    static let accessRaceRemoved = Phrase(
        "Removed by somebody else: %1. A role that you changed is there again as a new one; clear its name to leave it out.",
        "Supprimés par quelqu’un d’autre : %1. Un rôle que tu as modifié revient comme nouveau ; efface son nom pour "
            + "l’omettre.")
    static let accessRaceCaption = Phrase(
        "Roles that differ. Your version is in bold.", "Rôles qui diffèrent. Ta version est en gras.")
    static let accessNow = Phrase("Now", "Actuellement")
    static let accessYours = Phrase("Your version", "Ta version")
    static let accessMissing = Phrase("no such role", "aucun rôle de ce nom")

    // Permissions.
    static let mayReadCatalogue = Phrase("Read the catalogue", "Lire le catalogue")
    static let mayWriteCatalogue = Phrase("Change the catalogue", "Modifier le catalogue")
    static let mayModerate = Phrase("Decide on suggestions", "Traiter les suggestions")
    static let mayReadFigures = Phrase("Read figures", "Lire les chiffres")
    static let mayExport = Phrase("Export events", "Exporter les événements")
    static let mayDecideCrashes = Phrase("Decide on crashes", "Traiter les plantages")
    static let mayReadAlerts = Phrase("Read alerts", "Lire les alertes")
    static let mayWriteAlerts = Phrase("Change alerts", "Modifier les alertes")
    static let mayReadAudit = Phrase("Read the audit log", "Lire le journal d’audit")
    static let mayManageAccess = Phrase("Manage access", "Gérer les accès")

    // Sessions.
    static let sessionsLead = Phrase(
        "The browsers in which your token is signed in.", "Les navigateurs où ton jeton est connecté.")
    static let sessionsLeadAll = Phrase(
        "The browsers that are signed in to the console. A session ends after 12 hours without a request.",
        "Les navigateurs connectés à la console. Une session prend fin après 12 heures sans requête.")
    static let sessionBrowser = Phrase("Browser", "Navigateur")
    static let sessionUnknown = Phrase("unknown browser", "navigateur inconnu")
    static let sessionThis = Phrase("this session", "cette session")
    static let sessionBegun = Phrase("Signed in", "Connexion")
    static let sessionEnd = Phrase("End", "Terminer")
    static let sessionEndNamed = Phrase("End the session in %1 of %2", "Terminer la session dans %1 de %2")
    static let sessionEndOwn = Phrase(
        "End my other sessions (%1)…", "Terminer mes autres sessions (%1)…")
    static let sessionEndAll = Phrase(
        "End all other sessions (%1)…", "Terminer toutes les autres sessions (%1)…")
    static let sessionEndedOne = Phrase("The session has ended.", "La session est terminée.")
    static let sessionsEnded = Phrase("The other sessions have ended.", "Les autres sessions sont terminées.")
    static let sessionsEndTitle = Phrase("End other sessions?", "Terminer les autres sessions ?")
    static let sessionsEndOwnScope = Phrase(
        "Other sessions of your token: %1. Those browsers are signed out at once; this one stays signed in.",
        "Autres sessions de ton jeton : %1. Ces navigateurs sont déconnectés aussitôt ; celui-ci reste connecté.")
    static let sessionsEndAllScope = Phrase(
        "Other sessions, of all tokens: %1. Those browsers are signed out at once; this one stays signed in.",
        "Autres sessions, tous jetons confondus : %1. Ces navigateurs sont déconnectés aussitôt ; celui-ci reste "
            + "connecté.")
    static let sessionsEndNow = Phrase("End them", "Les terminer")

    // Re-entry of the token.
    static let reentryTitle = Phrase("Confirm with your token", "Confirme avec ton jeton")
    static let reentryLead = Phrase(
        "You are about to change access. Enter the token “%1” again; what you sent is kept and carried out then.",
        "Tu vas modifier des accès. Saisis à nouveau le jeton « %1 » ; ce que tu as envoyé est conservé, puis exécuté.")
    static let reentryContinue = Phrase("Continue", "Continuer")
    static let reentryCancel = Phrase("Cancel, change nothing", "Annuler, ne rien changer")
    static let reentryHint = Phrase(
        "Needed when you signed in more than 15 minutes ago. Without the token, sign in with a new link.",
        "Demandé si ta connexion date de plus de 15 minutes. Sans le jeton, connecte-toi avec un nouveau lien.")
    static let reentryWrong = Phrase(
        "This is not the token of your session.", "Ce n’est pas le jeton de ta session.")
}
