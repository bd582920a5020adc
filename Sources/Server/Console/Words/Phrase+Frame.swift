/// Navigation, sign-in, errors.
extension Phrase {
    static let console = Phrase("Console", "Console")
    static let skipToContent = Phrase("Skip to content", "Aller au contenu")
    static let menu = Phrase("Menu", "Menu")
    static let pages = Phrase("Pages", "Pages")
    static let listPages = Phrase("Pages of this list", "Pages de cette liste")
    static let figures = Phrase("Figures", "Chiffres")
    static let content = Phrase("Content", "Contenu")
    static let overview = Phrase("Overview", "Vue d’ensemble")
    static let catalogue = Phrase("Catalogue", "Catalogue")
    static let suggestions = Phrase("Suggestions", "Suggestions")
    static let funnel = Phrase("Funnel", "Entonnoir")
    static let cohorts = Phrase("Cohorts", "Cohortes")
    static let ranking = Phrase("Ranking", "Classement")
    static let series = Phrase("Series", "Évolution")
    static let signOut = Phrase("Sign out", "Se déconnecter")
    static let language = Phrase("Language", "Langue")
    static let signedInAs = Phrase("Signed in as %1, role %2", "Connecté en tant que %1, rôle %2")

    // Search over everything.
    static let searchTitle = Phrase("Search everything", "Tout rechercher")
    static let searchLead = Phrase(
        "Items, suggestions, crashes and the audit log, as far as your role may see them.",
        "Éléments, suggestions, plantages et journal d’audit, selon ce que ton rôle permet de voir.")
    static let searchNothing = Phrase("Nothing found", "Aucun résultat")
    static let searchNothingHint = Phrase(
        "Audit rows are found by the author’s name, with its case, or by the id of their subject.",
        "Les lignes d’audit se trouvent par le nom de l’auteur, casse comprise, ou par l’identifiant de leur objet.")
    static let searchMore = Phrase("Continue in: %1", "Poursuivre dans : %1")

    // Keys.
    static let keysTitle = Phrase("Keys", "Raccourcis")
    static let keysLead = Phrase(
        "Single keys, while no field has the focus.", "Touches seules, quand aucun champ n’a le focus.")
    static let keysKey = Phrase("Key", "Touche")
    static let keysEffect = Phrase("Effect", "Effet")
    static let keysSearch = Phrase(
        "Move to the search of the page, or search everything", "Aller à la recherche de la page, ou tout rechercher")
    static let keysNext = Phrase("Move to the next row of the list", "Aller à la ligne suivante de la liste")
    static let keysPrevious = Phrase(
        "Move to the previous row of the list", "Aller à la ligne précédente de la liste")
    static let keysSelect = Phrase("Select the row, or clear it", "Sélectionner la ligne, ou la désélectionner")
    static let keysHelp = Phrase("Show this list", "Afficher cette liste")
    static let keysAreOn = Phrase("Keys are on: switch off", "Raccourcis actifs : désactiver")
    static let keysAreOff = Phrase("Keys are off: switch on", "Raccourcis inactifs : activer")
    static let keysNote = Phrase(
        "The choice is kept in this browser. Without JavaScript there are no keys.",
        "Le choix est conservé dans ce navigateur. Sans JavaScript, il n’y a pas de raccourcis.")

    // Sign-in.
    static let signIn = Phrase("Sign in", "Se connecter")
    static let signInLead = Phrase(
        "Paste an access token to open the console. The token is checked once and not kept in the browser.",
        "Colle un jeton d’accès pour ouvrir la console. Le jeton est vérifié une fois et n’est pas conservé dans le "
            + "navigateur.")
    static let token = Phrase("Access token", "Jeton d’accès")
    static let tokenHint = Phrase(
        "It begins with sgt_. On the server, subguardd token create makes one, and subguardd console link prints a link "
            + "that needs none.",
        "Il commence par sgt_. Sur le serveur, subguardd token create en crée un, et subguardd console link affiche un "
            + "lien qui s’en passe.")
    static let tokenMissing = Phrase("Paste a token.", "Colle un jeton.")
    static let tokenWrong = Phrase(
        "This token is unknown, expired or revoked.", "Ce jeton est inconnu, expiré ou révoqué.")
    static let tooManyFailures = Phrase(
        "Too many failed attempts from this address. Try again in %1 seconds.",
        "Trop de tentatives échouées depuis cette adresse. Réessaie dans %1 secondes.")
    static let signedOut = Phrase("You are signed out.", "Tu es déconnecté.")
    static let sessionEnded = Phrase(
        "Your session has ended. Sign in again to continue.", "Ta session a pris fin. Reconnecte-toi pour continuer.")
    static let openConsole = Phrase("Open the console", "Ouvrir la console")
    static let linkLead = Phrase(
        "This one-time link signs you in as %1 with the role %2.",
        "Ce lien à usage unique te connecte en tant que %1 avec le rôle %2.")
    static let linkWrong = Phrase(
        "This link is unknown, used or older than 10 minutes.",
        "Ce lien est inconnu, déjà utilisé ou vieux de plus de "
            + "10 minutes.")
    static let linkWrongHint = Phrase(
        "Run subguardd console link on the server for a new one.",
        "Lance subguardd console link sur le serveur pour en obtenir un autre.")
    static let needsHTTPS = Phrase(
        "The console needs HTTPS, except on localhost: otherwise others in the network could read your token.",
        "La console nécessite HTTPS, sauf sur localhost : sinon, d’autres sur le réseau pourraient lire ton jeton.")
    static let needsHTTPSHint = Phrase(
        "Configure a certificate (tls_certificate), or a reverse proxy that speaks TLS and is listed in "
            + "trusted_proxies.",
        "Configure un certificat (tls_certificate), ou un proxy inverse en TLS déclaré dans trusted_proxies.")

    // The start page.
    static let startLead = Phrase(
        "This server belongs to SubGuard: it stores a catalogue of subscriptions and anonymous statistics of the app.",
        "Ce serveur appartient à SubGuard : il stocke un catalogue d’abonnements et des statistiques anonymes de "
            + "l’application.")
    static let startConsole = Phrase("Administration in the browser", "Administration dans le navigateur")
    static let startAPI = Phrase("API documentation", "Documentation de l’API")
    static let startAPIHint = Phrase("OpenAPI document of every call", "Document OpenAPI de tous les appels")
    static let startPrivacy = Phrase("Privacy report", "Rapport de confidentialité")
    static let startPrivacyHint = Phrase(
        "What this server stores, and for how long", "Ce que ce serveur stocke, et combien de temps")

    // Errors.
    static let back = Phrase("Back to the overview", "Retour à la vue d’ensemble")
    static let backToStart = Phrase("To the start page", "Vers la page d’accueil")
    static let errorCrossSite = Phrase("The request came from another page", "La requête vient d’une autre page")
    static let errorCrossSiteLead = Phrase(
        "Nothing was changed. Open the console itself and repeat it there.",
        "Rien n’a été modifié. Ouvre la console elle-même et recommence.")
    static let errorRunning = Phrase("Your first request is still running", "Ta première requête est en cours")
    static let errorRunningLead = Phrase(
        "The form was sent twice, and the first one is being carried out. Wait some seconds, then reload this page: it "
            + "shows the result, and nothing is done twice.",
        "Le formulaire a été envoyé deux fois, et le premier envoi est en cours. Attends quelques secondes, puis recharge "
            + "cette page : elle affichera le résultat, et rien n’est fait deux fois.")
    static let errorNotFound = Phrase("There is no such page", "Cette page n’existe pas")
    static let errorForbidden = Phrase("Your role may not do this", "Ton rôle ne le permet pas")
    static let errorMethod = Phrase(
        "This address does not accept this method", "Cette adresse n’accepte pas cette méthode")
    static let errorOverloaded = Phrase("The server is busy", "Le serveur est occupé")
    static let errorLimited = Phrase("Too many requests", "Trop de requêtes")
    static let errorInvalid = Phrase("The request was not accepted", "La requête n’a pas été acceptée")
    static let errorInternal = Phrase("Something went wrong", "Une erreur est survenue")
    static let requestID = Phrase("Request id: %1", "Identifiant de la requête : %1")
}
