import Backend
import SubGuardDomain

/// What the server stores and for how long. The registry says it in English, for the API.
extension ConsoleWords {
    func privacy(_ sentence: Sentence) -> String {
        guard language != .english else { return sentence.text }
        let values = sentence.values.map(\.text)
        return Phrase.privacyByPattern[sentence.pattern].map { text($0, values: values) } ?? sentence.text
    }
}

extension Phrase {
    /// Translations by the pattern of the registry's sentence. A test compares both.
    static let privacyByPattern = Dictionary(
        (privacyRetention + privacyOfDevices + privacyOfFigures + privacyOfService).map { ($0.english, $0) }
    ) { first, _ in first }

    private static let privacyRetention = [
        Phrase("As long as the store exists.", "Tant que la base existe."),
        Phrase(
            "As long as the store exists; a device that asks to be forgotten gets another hash here, too.",
            "Tant que la base existe ; un appareil qui demande l’oubli reçoit ici aussi une autre empreinte."),
        Phrase(
            "As long as ClickHouse keeps the events.", "Tant que ClickHouse conserve les événements."),
        Phrase("As long as the database.", "Tant que la base existe."),
        Phrase("%1 days, then purged within a day.", "%1 jours, puis supprimés en un jour."),
        Phrase("%1 days, then purged.", "%1 jours, puis supprimés."),
        Phrase(
            "%1 days after the newest id of the same run was received.",
            "%1 jours après la réception de l’identifiant le plus récent de la même série."),
        Phrase("%1 days after the last report, then purged.", "%1 jours après le dernier rapport, puis supprimés."),
        Phrase("The newest ones, up to a fixed number.", "Les plus récents, jusqu’à un nombre fixe."),
        Phrase("Until they can no longer change.", "Jusqu’à ce qu’elles ne puissent plus changer."),
        Phrase("Until an editor deletes the item.", "Jusqu’à ce qu’un éditeur supprime l’élément."),
        Phrase(
            "%1 days for deletions, then purged; merges as long as the store exists.",
            "%1 jours pour les suppressions ; les fusions tant que la base existe."),
        Phrase(
            "30 days after the last item stopped using the logo.",
            "30 jours après que le dernier élément a cessé d’utiliser le logo."),
        Phrase(
            "As long as the store exists: the audit log names them.",
            "Tant que la base existe : le journal d’audit les nomme."),
        Phrase(
            "As long as the store exists: the audit log names the tokens.",
            "Tant que la base existe : le journal d’audit nomme les jetons."),
        Phrase(
            "As long as the store exists; rows cannot be changed.",
            "Tant que la base existe ; les lignes ne peuvent pas être modifiées."),
        Phrase(
            "Until the operator signs out, at most %1 days.", "Jusqu’à la déconnexion de l’opérateur, au plus %1 jours."
        ),
        Phrase(
            "Until they are used, at most %1 minutes, then purged.",
            "Jusqu’à leur utilisation, au plus %1 minutes, puis supprimés."),
        Phrase(
            "Until they come back, at most %1 minutes, then purged.",
            "Jusqu’à leur retour, au plus %1 minutes, puis supprimées."),
        Phrase(
            "Until they are removed or their token is revoked.",
            "Jusqu’à leur retrait ou à la révocation de leur jeton."),
        Phrase(
            "Until they are answered, at most %1 minutes, then purged.",
            "Jusqu’à la réponse, au plus %1 minutes, puis supprimés."),
        Phrase(
            "%1 minutes, then purged; at most until the session ends.",
            "%1 minutes, puis supprimées ; au plus tard à la fin de la session."),
        Phrase("Until they are deleted.", "Jusqu’à leur suppression."),
        Phrase("24 hours, then purged.", "24 heures, puis supprimées."),
        Phrase("Until it ends.", "Jusqu’à sa fin."),
        Phrase(
            "Until the account is erased, by its owner or by a notification from Apple.",
            "Jusqu’à l’effacement du compte, par son propriétaire ou par une notification d’Apple."),
        Phrase(
            "Until it signs out, or until %1 days without a refresh.",
            "Jusqu’à la déconnexion, ou après %1 jours sans renouvellement."),
        Phrase(
            "Until they expire, at the latest with the session.",
            "Jusqu’à leur expiration, au plus tard avec la session."
        ),
        Phrase(
            "Until the proof expires; ids of Apple's notifications at least %1 days.",
            "Jusqu’à l’expiration de la preuve ; identifiants des notifications d’Apple au moins %1 jours."),
        Phrase(
            "Until %1 days after its last change, but not while an account has it; erasing the account leaves it without "
                + "one. Something without an end that was taken back: as long as the store, because what was signed "
                + "before that has no end either.",
            "Jusqu’à %1 jours après sa dernière modification, mais pas tant qu’un compte l’a ; effacer le compte la "
                + "laisse sans compte. Un achat sans fin qui a été annulé : tant que la base existe, car ce qui a été "
                + "signé avant n’a pas de fin non plus."),
        Phrase("Until it is done, a few minutes.", "Jusqu’à son exécution, quelques minutes."),
        Phrase("Until a moderator deletes it.", "Jusqu’à ce qu’un modérateur le supprime."),
        Phrase(
            "Until a moderator deletes the suggestion.", "Jusqu’à ce qu’un modérateur supprime la suggestion."),
        Phrase(
            "Until the rebuild ends; after a killed one, a minute.",
            "Jusqu’à la fin du recalcul ; une minute après un recalcul interrompu."),
        Phrase("Until the rebuild ends.", "Jusqu’à la fin du recalcul."),
        Phrase("A few seconds.", "Quelques secondes."),
        Phrase("A day.", "Un jour."),
        Phrase("A few weeks, then purged.", "Quelques semaines, puis supprimés."),
        Phrase("Until the next day.", "Jusqu’au lendemain."),
        Phrase("Not described.", "Non décrit."),
    ]

    private static let privacyOfDevices = [
        Phrase(
            "One row per person who signed in with Apple. No name, no mail address.",
            "Une ligne par personne connectée avec Apple. Ni nom, ni adresse e-mail."),
        Phrase("One row per signed-in device.", "Une ligne par appareil connecté."),
        Phrase("Tokens of sessions, by their hash.", "Jetons des sessions, par leur empreinte."),
        Phrase(
            "Proofs that may be used only once, to recognise repetitions.",
            "Preuves utilisables une seule fois, pour reconnaître les répétitions."),
        Phrase(
            "Premium that the operator gave to an account, one row each.",
            "Premium donné par l’exploitant à un compte, une ligne chacun."),
        Phrase(
            "Until it is taken back, or until the account is erased.",
            "Jusqu’à son retrait, ou jusqu’à l’effacement du compte."),
        Phrase(
            "Purchases in the App Store, one row each. No price, no means of payment.",
            "Achats sur l’App Store, une ligne chacun. Ni prix, ni moyen de paiement."),
        Phrase(
            "Notifications of the App Store, to recognise repetitions.",
            "Notifications de l’App Store, pour reconnaître les répétitions."),
        Phrase(
            "Devices that requested the anonymisation of their events.",
            "Appareils qui ont demandé l’anonymisation de leurs événements."),
        Phrase("Suggested names of services, one row per name.", "Noms de services suggérés, une ligne par nom."),
        Phrase(
            "Ids of suggestions, to recognise repetitions.",
            "Identifiants des suggestions, pour reconnaître les répétitions."),
        Phrase("Events of the registry, many per row.", "Événements du registre, plusieurs par ligne."),
        Phrase(
            "Ids of events, to recognise repetitions.", "Identifiants des événements, pour reconnaître les répétitions."
        ),
        Phrase("Index of these ids.", "Index de ces identifiants."),
        Phrase("Runs of these ids.", "Séries de ces identifiants."),
        Phrase("Progress of counting events.", "Progression du comptage des événements."),
        Phrase(
            "Progress of copying events to ClickHouse.", "Progression de la copie des événements vers ClickHouse."),
        Phrase(
            "Which events were copied to ClickHouse: their number and sums, by range and week.",
            "Quels événements ont été copiés vers ClickHouse : leur nombre et des sommes, par série et par semaine."),
        Phrase(
            "The number by which ClickHouse knows a device.", "Le numéro sous lequel ClickHouse connaît un appareil."),
        Phrase(
            "Devices that report events, many per row: the hash that each made of a random id, which identifies no "
                + "person, and the times of its first and latest event, of its milestones and of the ends of its long "
                + "absences, the days with events among the last 448 up to its latest event, and the platform and app "
                + "version that its first event names.",
            "Appareils qui envoient des événements, plusieurs par ligne : l’empreinte que chacun a faite d’un "
                + "identifiant aléatoire, qui n’identifie personne, les instants de son premier et de son dernier "
                + "événement, de ses étapes et des fins de ses longues absences, les jours avec événements parmi les 448 "
                + "qui précèdent le dernier, ainsi que la plateforme et la version de l’app du premier événement."),
        Phrase(
            "The same while the figures are rebuilt; empty otherwise.",
            "La même chose pendant le recalcul des chiffres ; vide sinon."),
        Phrase(
            "Blocks with events dated ahead, noted by a rebuild of the figures until the next count.",
            "Blocs d’événements datés d’avance, notés par un recalcul des chiffres jusqu’au prochain comptage."),
        Phrase(
            "Events dated ahead, until they are counted: their device, moment, name, catalogue item, platform and app "
                + "version.",
            "Événements datés d’avance, jusqu’à leur comptage : appareil, instant, nom, élément du catalogue, plateforme "
                + "et version de l’app."),
        Phrase(
            "End of the stored events, and the secret from which numbers of users in exports are made.",
            "Fin des événements stockés, et le secret dont sont tirés les numéros d’utilisateurs des exports."),
        Phrase("Groups of crashes with the same cause.", "Groupes de plantages de même cause."),
        Phrase(
            "The first and the newest few reports of each group, reduced to a list of allowed fields and masked.",
            "Le premier rapport et les plus récents de chaque groupe, réduits à une liste de champs permis et masqués."),
        Phrase(
            "Ids of reports, to recognise repetitions.", "Identifiants des rapports, pour reconnaître les répétitions."),
        Phrase("Sessions that may still change.", "Sessions qui peuvent encore changer."),
        Phrase(
            "Names, mail addresses or telephone numbers of device users, including those who signed in with Apple.",
            "Noms, adresses e-mail ou numéros de téléphone des utilisateurs d’appareils, même connectés avec Apple."),
        Phrase(
            "Subscriptions of device users: amounts, billing days, notes or reminders.",
            "Abonnements des utilisateurs d’appareils : montants, jours de prélèvement, notes ou rappels."),
        Phrase(
            "Network addresses, neither in the store nor in the log, except that of a rejected admin request.",
            "Adresses réseau, ni dans la base ni dans le journal, sauf celle d’une requête d’administration refusée."),
    ]

    private static let privacyOfFigures = [
        Phrase("Figures that are being counted.", "Chiffres en cours de comptage."),
        Phrase("Names of the registry, by number.", "Noms du registre, par numéro."),
        Phrase("Number of events by name and day.", "Nombre d’événements par nom et par jour."),
        Phrase("Figures by day.", "Chiffres par jour."),
        Phrase(
            "Changes of the number of active users by day.", "Variations du nombre d’utilisateurs actifs par jour."),
        Phrase(
            "Number of devices by day of signup, platform or app version, stage and days after the signup.",
            "Nombre d’appareils par jour d’inscription, plateforme ou version, étape et jours après l’inscription."),
        Phrase(
            "App versions that events name, by number.", "Versions de l’app citées par les événements, par numéro."),
        Phrase("Figures by hour.", "Chiffres par heure."),
        Phrase("Figures by the millisecond, many per row.", "Chiffres à la milliseconde, plusieurs par ligne."),
        Phrase("Figures of all time.", "Chiffres depuis le début."),
        Phrase(
            "The time zones in which days of the figures are cut.",
            "Les fuseaux horaires dans lesquels les jours des chiffres commencent."),
        Phrase("Number of additions of each catalogue item.", "Nombre d’ajouts de chaque élément du catalogue."),
        Phrase("The ranking of the day.", "Le classement du jour."),
        Phrase("When the ranking was made.", "Date du classement."),
        Phrase("Releases of the app, by number.", "Versions de l’app, par numéro."),
        Phrase("Releases of each crash group.", "Versions de chaque groupe de plantages."),
        Phrase(
            "Number of reports of each crash group by day.",
            "Nombre de rapports de chaque groupe de plantages par jour."
        ),
        Phrase(
            "Lists of the app's functions, uploaded by operators: image, size, who and when.",
            "Listes des fonctions de l’app, envoyées par des opérateurs : image, taille, qui et quand."),
        Phrase("Names of the app's functions.", "Noms des fonctions de l’app."),
        Phrase("Until an operator removes them.", "Jusqu’à ce qu’un opérateur les retire."),
        Phrase("Sessions by hour and release.", "Sessions par heure et par version."),
        Phrase("Number of sessions by day, of purged hours.", "Nombre de sessions par jour, des heures supprimées."),
    ]

    private static let privacyOfService = [
        Phrase("The catalogue.", "Le catalogue."),
        Phrase("Ids of deleted and merged items.", "Identifiants des éléments supprimés et fusionnés."),
        Phrase("The revision of the catalogue.", "La révision du catalogue."),
        Phrase("Names of the logos.", "Noms des logos."),
        Phrase(
            "Contents of the logos, if they are not files in a folder.",
            "Contenu des logos, s’ils ne sont pas des fichiers d’un dossier."),
        Phrase(
            "Admin tokens, by the hash of their secret.", "Jetons d’administration, par l’empreinte de leur secret."),
        Phrase(
            "Sessions of the console, by the hash of their secret, with the name of the browser.",
            "Sessions de la console, par l’empreinte de leur secret, avec le nom du navigateur."),
        Phrase(
            "One-time links to the console, by the hash of their code.",
            "Liens à usage unique vers la console, par l’empreinte de leur code."),
        Phrase(
            "Sign-ins to the console that have not come back from the identity provider, by hashes.",
            "Connexions à la console pas encore revenues du fournisseur d’identité, par empreintes."),
        Phrase(
            "Which admin token belongs to whom at the identity provider, by a hash; the token's name has their mail.",
            "À qui appartient chaque jeton chez le fournisseur d’identité, par empreinte ; le nom du jeton contient "
                + "l’adresse e-mail."),
        Phrase(
            "Passkeys for the console: name, host, public key, last use.",
            "Clés d’accès de la console : nom, hôte, clé publique, dernière utilisation."),
        Phrase("Challenges for passkeys, by their hash.", "Défis pour clés d’accès, par leur empreinte."),
        Phrase(
            "Decisions of forms of the console, to undo them.",
            "Décisions des formulaires de la console, pour les annuler."),
        Phrase("Custom roles.", "Rôles personnalisés."),
        Phrase(
            "The audit log: author, target, old and new state of every change.",
            "Le journal d’audit : auteur, objet, ancien et nouvel état de chaque modification."),
        Phrase(
            "End of the hash chain of the audit log.", "Fin de la chaîne d’empreintes du journal d’audit."),
        Phrase(
            "Responses to requests with an Idempotency-Key, encrypted so that only their sender can read them.",
            "Réponses aux requêtes avec Idempotency-Key, chiffrées pour que seul leur auteur puisse les lire."),
        Phrase("Numbers of users that trigger an alert.", "Nombres d’utilisateurs qui déclenchent une alerte."),
        Phrase("The revision of that list.", "La révision de cette liste."),
        Phrase("Alert rules and their latest measurement.", "Règles d’alerte et leur dernière mesure."),
        Phrase("When the last weekly digest was sent.", "Date d’envoi du dernier bilan hebdomadaire."),
        Phrase("Alerts and the state of their delivery.", "Alertes et l’état de leur envoi."),
        Phrase("The storage level of the latest alert.", "Le niveau de stockage de la dernière alerte."),
        Phrase(
            "Discards of forged events: selection, number and operator.",
            "Retraits d’événements falsifiés : sélection, nombre et opérateur."),
        Phrase(
            "The rebuild of the figures under way: its progress and operator.",
            "Le recalcul des chiffres en cours : progression et opérateur."),
        Phrase(
            "Receivers of alerts that are disabled because they rejected alerts permanently.",
            "Destinataires d’alertes désactivés car ils ont refusé les alertes définitivement."),
        Phrase(
            "Disabled channels, as noted by a build that had one receiver of each.",
            "Canaux désactivés, tels que notés par une version à un seul destinataire par canal."),
        Phrase(
            "Exchange rates, fetched from a public source.", "Taux de change, lus auprès d’une source publique."),
        Phrase("Leases and due times of recurring jobs.", "Réservations et échéances des tâches récurrentes."),
        Phrase("When each table was last purged.", "Date de la dernière purge de chaque table."),
        Phrase("The identity of this store.", "L’identité de cette base."),
        Phrase("The row that the readiness check writes.", "La ligne qu’écrit le contrôle de disponibilité."),
        Phrase("Applied migrations.", "Migrations appliquées."),
    ]
}
