/// Every French text of the program, by its English one; `%` stands for a value. The domain's own words (statuses, cycles,
/// reminders) stand in `Words.swift` of `SubGuardDomain`.
enum French {
    /// Messages and headings; singular and plural are separated by a bar.
    static let messages: [String: String] = [
        // Headings and labels
        "account": "compte", "all": "toutes", "amount": "montant", "amount avoided": "montant évité",
        "cancel by": "à résilier au plus tard le", "catalogue": "catalogue", "category": "catégorie",
        "charge avoided": "échéance évitée", "charges": "échéances", "consent": "accord",
        "Control Score": "Score de contrôle", "count": "nombre", "cycle": "fréquence", "date": "date",
        "details": "description", "due": "échéance", "email": "e-mail", "erasure": "effacement", "events": "événements",
        "from": "de", "kind": "type", "last sync": "dernière synchronisation", "limit": "limite", "members": "membres",
        "month": "mois", "name": "nom", "next charge": "prochaine échéance", "notes": "notes",
        "occurrence": "identifiant", "paid by": "payé par", "payment method": "moyen de paiement",
        "per month": "par mois", "per year": "par an", "premium": "premium", "price from": "prix à partir du",
        "reason": "motif", "reminder": "rappel", "reminders": "rappels", "saved": "économisé", "share": "part",
        "since": "depuis", "slug": "code", "spent": "dépensé", "spent so far": "dépensé jusqu'ici", "state": "état",
        "status": "statut", "subscriptions": "abonnements", "suggestions": "suggestions", "title": "titre", "to": "à",
        "to come": "à venir", "trial ends": "fin de l'essai", "website": "site", "you": "toi",
        "change": "changement", "file": "fichier", "last backup": "dernière sauvegarde", "size": "taille",
        "undone": "annulé", "value": "valeur",
        // Backups and the journal
        "automatic": "automatique", "manual": "manuelle", "before a restore": "avant une restauration",
        "before a merge": "avant une fusion", "% kB": "% ko", "% MB": "% Mo",
        "what was there before is kept in %": "l'état précédent est conservé dans %",
        "no backup yet; run `subguard backup FILE`":
            "aucune sauvegarde pour l'instant ; lance `subguard backup FICHIER`",
        "the last backup is % day old; run `subguard backup FILE`|the last backup is % days old; run `subguard backup FILE`":
            "la dernière sauvegarde date de % jour ; lance `subguard backup FICHIER`|la dernière sauvegarde date de % jours ; lance `subguard backup FICHIER`",
        "undone: %": "annulé : %", "redone: %": "rétabli : %", "nothing to undo": "rien à annuler",
        "changed since, and left as it is: %": "modifié depuis, et laissé tel quel : %",
        "No backups yet.": "Aucune sauvegarde pour l'instant.",
        // Empty lists
        "All confirmed ✓": "Tout est confirmé ✓", "Everything is settled.": "Tout est réglé.",
        "No budgets yet.": "Aucun budget pour l'instant.", "No cancelled subscriptions.": "Aucun abonnement résilié.",
        "No charges yet.": "Aucun prélèvement pour l'instant.", "No charges.": "Aucune échéance.",
        "No active subscriptions.": "Aucun abonnement actif.", "No expenses yet.": "Aucune dépense pour l'instant.",
        "No groups yet.": "Aucun groupe pour l'instant.", "No missed charges.": "Aucune échéance oubliée.",
        "No people yet.": "Aucune personne pour l'instant.",
        "No redundant subscriptions found.": "Aucun abonnement en double.",
        "No results. To suggest a service: subguard suggest NAME":
            "Aucun résultat. Pour suggérer un service : subguard suggest NOM",
        "No subscriptions yet. Add one: subguard add --help":
            "Aucun abonnement pour l'instant. Pour en ajouter un : subguard add --help",
        "No transactions yet.": "Aucune transaction pour l'instant.", "No upcoming reminders.": "Aucun rappel à venir.",
        "Nothing to cancel.": "Rien à résilier.", "Well done! Nothing to confirm.": "Bravo ! 🎉 Rien à confirmer.",
        // Values
        "% a year": "% par an", "(deleted)": "(supprimé)", "active": "actif", "expired": "expiré", "free": "gratuit",
        "grace period": "délai de grâce", "granted": "donné", "no": "non", "no purchase": "aucun achat",
        "not given yet": "pas encore donné", "payment pending": "paiement en attente", "refunded": "remboursé",
        "revoked": "retiré", "revoked by the App Store": "révoqué par l'App Store", "until %": "jusqu'au %",
        "upgraded": "remplacé par une offre supérieure", "yes": "oui",
        // Results
        "account erased": "compte effacé", "backed up to %": "sauvegardé dans %", "backing up": "sauvegarde",
        "deleted %": "supprimé : %", "dry run: ": "simulation : ", "error: %": "erreur : %", "importing": "import",
        "merging": "fusion", "no account erased: not signed in": "aucun compte effacé : non connecté",
        "no changes": "aucun changement", "Passphrase: ": "Phrase secrète : ",
        "Repeat the passphrase: ": "Répète la phrase secrète : ",
        "restored % subscription|restored % subscriptions": "% abonnement restauré|% abonnements restaurés",
        "restoring": "restauration", "signed in to %": "connecté à %", "signed out": "déconnecté",
        "signed out on this device; the server could not be notified":
            "déconnecté de cet appareil ; le serveur n'a pas pu être prévenu",
        "the events already sent will be erased at the next sync":
            "les événements déjà envoyés seront effacés à la prochaine synchronisation",
        "; the server still has to erase the events already sent":
            " ; le serveur doit encore effacer les événements déjà envoyés",
        "the session has expired; if the account still exists, sign in again and erase it":
            "la session a expiré ; si le compte existe encore, reconnecte-toi et efface-le",
        "the shares add up to %, more than the price of %; run `subguard share`":
            "les parts totalisent %, plus que le prix de % ; lance `subguard share`",
        "the subscriptions on this device are kept": "les abonnements de cet appareil sont conservés",
        "the weekly backup failed: %": "échec de la sauvegarde hebdomadaire : %", "warning: %": "attention : %",
        // What an import or a merge added
        "% budget added|% budgets added": "% budget ajouté|% budgets ajoutés",
        "% confirmation added|% confirmations added": "% confirmation ajoutée|% confirmations ajoutées",
        "% expense added|% expenses added": "% dépense ajoutée|% dépenses ajoutées",
        "% group added|% groups added": "% groupe ajouté|% groupes ajoutés",
        "% group member added|% group members added": "% membre de groupe ajouté|% membres de groupe ajoutés",
        "% pause or cancellation added|% pauses or cancellations added":
            "% pause ou résiliation ajoutée|% pauses ou résiliations ajoutées",
        "% person added|% people added": "% personne ajoutée|% personnes ajoutées",
        "% price added|% prices added": "% prix ajouté|% prix ajoutés",
        "% share added|% shares added": "% partage ajouté|% partages ajoutés",
        "% skipped|% skipped": "% ignoré|% ignorés",
        "% subscription added|% subscriptions added": "% abonnement ajouté|% abonnements ajoutés",
        "% transaction added|% transactions added": "% transaction ajoutée|% transactions ajoutées",
        "% updated|% updated": "% mis à jour|% mis à jour",
        // Synchronisation
        "% duplicate|% duplicates": "% doublon|% doublons",
        "% changed|% changed": "% modifié|% modifiés", "% deleted|% deleted": "% supprimé|% supprimés",
        "% dropped|% dropped": "% abandonné|% abandonnés",
        "% erasure pending|% erasures pending": "% effacement en attente|% effacements en attente",
        "% event accepted|% events accepted": "% événement accepté|% événements acceptés",
        "% session reported|% sessions reported": "% session signalée|% sessions signalées",
        "% crash reported|% crashes reported": "% plantage signalé|% plantages signalés",
        "% crash waiting|% crashes waiting": "% plantage en attente|% plantages en attente", "sessions": "sessions",
        "% id erased|% ids erased": "% identifiant effacé|% identifiants effacés",
        "% item|% items": "% service|% services", "% refused|% refused": "% refusée|% refusées",
        "% rejected|% rejected": "% rejeté|% rejetés",
        "% suggestion accepted|% suggestions accepted": "% suggestion acceptée|% suggestions acceptées",
        "% waiting": "% en attente", "checked %": "vérifié le %", "downloaded": "téléchargé", "failed": "échec",
        "failed: %": "échec : %", "not sent: consent revoked": "pas d'envoi : accord retiré",
        "not sent: no consent yet": "pas d'envoi : accord pas encore donné", "not signed in": "non connecté",
        "nothing to erase": "rien à effacer", "nothing to send": "rien à envoyer", "done": "fait", "stale": "périmé",
        "up to date": "à jour", "updated": "mis à jour",
        "just now": "à l'instant", "% minute ago|% minutes ago": "il y a % minute|il y a % minutes",
        "% hour ago|% hours ago": "il y a % heure|il y a % heures",
        "% day ago|% days ago": "il y a % jour|il y a % jours",
        "note: the local catalogue is from another server, %, last checked %":
            "note : le catalogue local vient d'un autre serveur, %, vérifié %",
        "note: the local catalogue was last checked %": "note : catalogue local vérifié %",
        """
        Send anonymous usage events to the server: that the program is used, that it crashed and in which command, \
        when subscriptions are added or deleted, and which catalogue service they are for? Names you typed, \
        amounts, notes and billing dates are never sent. See docs/privacy.md. [y/n] 
        """: """
        Envoyer au serveur des événements d'utilisation anonymes : que le programme est utilisé, qu'il a planté \
        et dans quelle commande, quand des abonnements sont ajoutés ou supprimés, et pour quel service du \
        catalogue ? Les noms que tu as saisis, les montants, les notes et les échéances ne sont jamais envoyés. Voir docs/privacy.md. [o/n] 
        """,
    ]

    /// Errors, as the libraries describe them.
    static let errors: [String: String] = [
        // Fields
        "%: %": "% : %", "  row %: %: %": "  ligne % : % : %", "row %: %: %": "ligne % : % : %",
        "Amounts must add up to the total.": "la somme des montants doit être égale au total",
        "An even or free split has no parts.": "un partage égal ou gratuit n'a pas de parts",
        "At least one share must be greater than 0.": "au moins une part doit être supérieure à 0",
        "At most % characters.": "% caractères au maximum",
        "At most % combining marks on a letter.": "% signes diacritiques au maximum par lettre",
        "At most % reminders.": "% rappels au maximum",
        "Cannot change to a currency with other decimals: recorded payments or fixed shares use the current one.":
            "la nouvelle devise n'a pas le même nombre de décimales, et des paiements ou des parts fixes utilisent l'actuelle",
        "Custom categories require premium.": "les catégories personnalisées nécessitent Premium",
        "Has an unknown status.": "contient un statut inconnu",
        "Has more fields than the header.": "a plus de champs que l'en-tête", "Is required.": "obligatoire",
        "Is required, or set SUBGUARD_SERVER.": "obligatoire, ou définis SUBGUARD_SERVER",
        "More than one column recognised as this field. Use --map COLUMN=%.":
            "plusieurs colonnes reconnues pour ce champ. Utilise --map COLONNE=%",
        "Must be % to %.": "doit être compris entre % et %", "Must be from % to %.": "doit être compris entre % et %",
        "Must be a JSON array, or an object with the member \"subscriptions\".":
            "doit être un tableau JSON, ou un objet avec le membre « subscriptions »",
        "Must be a UUID.": "doit être un UUID",
        "Must be a colour such as #9FE870.": "doit être une couleur, telle que #9FE870",
        "Must be a currency code, such as EUR.": "doit être un code de devise, tel que EUR",
        "Must be a decimal number such as \"13.49\".": "doit être un nombre décimal, tel que 13,49",
        "Must be a link that begins with https:// or http://.":
            "doit être un lien qui commence par https:// ou http://",
        "Must be a string or a number.": "doit être un texte ou un nombre",
        "Must be a timestamp such as 2026-11-20T10:00:00Z.": "doit être un horodatage tel que 2026-11-20T10:00:00Z",
        "Must be a whole number.": "doit être un nombre entier",
        "Must be active, paused or cancelled.": "doit être active, paused ou cancelled",
        "Must be active, trial, paused, cancelled or ended.": "doit être active, trial, paused, cancelled ou ended",
        "Must be an amount such as 13.49.": "doit être un montant, tel que 13,49",
        "Must be an array of strings.": "doit être un tableau de textes", "Must be an array.": "doit être un tableau",
        "Must be an e-mail address.": "doit être une adresse e-mail",
        "Must be an existing date, such as 2027-01-15.": "doit être une date qui existe, telle que 2027-01-15",
        "Must be an object.": "doit être un objet", "Must be another subscription.": "doit être un autre abonnement",
        "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or every:18m.":
            "doit être daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime ou every:18m",
        "Must be greater than 0.": "doit être supérieur à 0",
        "Must be ids, or ID=number pairs, separated by commas.":
            "doit être des identifiants ou des paires ID=nombre, séparés par des virgules",
        "Must be ID=value, separated by commas.": "doit être des paires ID=valeur, séparées par des virgules",
        "Must be members of the group.": "doivent être membres du groupe",
        "Must be name:base64 with a secret of 16 to 64 bytes.":
            "doit être nom:base64, avec un secret de 16 à 64 octets",
        "Must be numbers of days separated by commas, such as 7,1.":
            "doit être des nombres de jours séparés par des virgules, tels que 7,1",
        "Must be one of %.": "doit être l'une de ces valeurs : %",
        "Must be percentages, amounts or whole numbers, depending on --split.":
            "doit être des pourcentages, des montants ou des nombres entiers, selon --split",
        "Must be the currency named in the amount.": "doit être la devise indiquée dans le montant",
        "Must be true or false.": "doit être true ou false",
        "Must contain a visible character.": "doit contenir un caractère visible",
        "Must contain dates such as 2027-01-15.": "doit contenir des dates telles que 2027-01-15",
        "Must give each person's part.": "doit donner la part de chaque personne",
        "Must have at most % characters.": "% caractères au maximum",
        "Must have at most % decimals.": "% décimales au maximum",
        "Must name 1 to % people.": "doit nommer de 1 à % personnes",
        "Must name each person once.": "doit nommer chaque personne une seule fois",
        "Must name the same people as --with.": "doit nommer les mêmes personnes que --with",
        "Must not be a file of the database or its backup folder.":
            "ne doit pas être un fichier de la base ou de son dossier de sauvegardes",
        "Must not be before the first billing date.": "ne doit pas précéder la première échéance",
        "Must not be empty.": "obligatoire",
        "Must not contain NUL.": "ne doit pas contenir de caractère nul",
        "Must not contain control characters.": "ne doit pas contenir de caractères de contrôle",
        "Must not contain invisible characters; found %.": "ne doit pas contenir de caractères invisibles ; trouvé : %",
        "No column is named \"%\"; found: %.": "aucune colonne ne s'appelle « % » ; trouvées : %",
        "No column recognised as the %; found: %. Use --map COLUMN=%.":
            "aucune colonne reconnue pour % ; trouvées : %. Utilise --map COLONNE=%",
        "No such %: %.": "introuvable : % %", "No such group.": "ce groupe n'existe pas",
        "No such subscription.": "cet abonnement n'existe pas",
        "Not a CSV export of SubTrackr.": "n'est pas un export CSV de SubTrackr",
        "Not a JSON export of Wallos.": "n'est pas un export JSON de Wallos",
        "Not valid CSV.": "n'est pas du CSV valide",
        "Not in the local catalogue. Run `subguard search` first.":
            "service absent du catalogue local : lance `subguard search`",
        "Parts must not be negative or too large.": "les parts ne doivent être ni négatives ni trop grandes",
        "Payers must be members of the group.": "les payeurs doivent être membres du groupe",
        "Percentages must add up to 100.": "la somme des pourcentages doit être égale à 100",
        "A group expense cannot be split as free.": "une dépense de groupe ne peut pas être partagée en « free »",
        "Tags must not be empty or contain a comma.": "les étiquettes ne doivent être ni vides ni contenir de virgule",
        "The amount is too large.": "le montant est trop grand",
        "The amounts paid must add up to the total.": "la somme des montants payés doit être égale au total",
        "The file is empty.": "le fichier est vide", "The parts exceed the total.": "les parts dépassent le total",
        "The subscriptions would include each other.": "les abonnements s'incluraient l'un l'autre",
        "This item has no logo.": "ce service n'a pas de logo",
        "Twice a month is not supported. Use two monthly subscriptions, or biweekly for every two weeks.":
            "« deux fois par mois » n'est pas pris en charge. Crée deux abonnements mensuels, ou choisis biweekly pour toutes les deux semaines",
        "Unknown section.": "section inconnue",
        "% suggestions are already queued.": "% suggestions sont déjà en attente",
        // Address of the server
        "Must be the address of a server, such as https://subguard.example.":
            "doit être l'adresse d'un serveur, telle que https://subguard.example",
        "Must begin with https://.": "doit commencer par https://",
        "Must begin with https://; http:// is allowed for this machine only.":
            "doit commencer par https:// ; http:// n'est accepté que pour cette machine",
        "Must have a port from 1 to 65535.": "doit avoir un port de 1 à 65535",
        "Must have no user name, query or fragment.": "ne doit avoir ni nom d'utilisateur, ni requête, ni fragment",
        "Must use a host name or an IPv4 address; IPv6 literals are not supported.":
            "doit utiliser un nom d'hôte ou une adresse IPv4 ; les littéraux IPv6 ne sont pas pris en charge",
        // Usage
        "Error: %": "Erreur : %", "Usage: %": "Utilisation : %", "Help: %": "Aide : %",
        "  See '%' for more information.": "  Pour en savoir plus : %",
        "Missing expected argument '%'": "argument obligatoire : %", "Missing value for '%'": "valeur manquante pour %",
        "The value '%' is invalid for '%'": "la valeur « % » n'est pas valable pour %",
        "The value '%' is invalid for '%'. Please provide one of %.":
            "la valeur « % » n'est pas valable pour % ; valeurs possibles : %",
        "Unknown command '%'": "commande inconnue : %",
        "Unknown command '%'. Did you mean '%'?": "commande inconnue : % ; voulais-tu dire % ?",
        "Unexpected argument '%'": "argument inattendu : %", "Unknown option '%'": "option inconnue : %",
        "Unknown option '%'. Did you mean '%'?": "option inconnue : % ; voulais-tu dire % ?",
        "--days cannot be combined with --from and --to": "--days ne se combine pas avec --from et --to",
        "--from and --to must be given together": "--from et --to vont ensemble",
        "--days must be from 0 to 3660": "--days doit être compris entre 0 et 3660",
        "--from must not be after --to": "--from ne doit pas être après --to",
        "--from and --to must be at most 100 years apart": "--from et --to doivent être à 100 ans d'écart au plus",
        "--at must be a time such as 09:00": "--at doit être une heure telle que 09:00",
        "--quiet must be two times such as 22:00-08:00": "--quiet doit être deux heures telles que 22:00-08:00",
        "--limit must be from 1 to 500": "--limit doit être compris entre 1 et 500",
        "--months must be from 1 to 120": "--months doit être compris entre 1 et 120",
        "--map must be COLUMN=field; fields: %": "--map doit être COLONNE=champ ; champs : %",
        "--between and --parts cannot be combined": "--between et --parts ne se combinent pas",
        "--split % requires --parts": "--split % nécessite --parts",
        "--split % does not take --parts": "--split % n'accepte pas --parts",
        // The database
        "no such subscription: %": "abonnement introuvable : %", "no such occurrence: %": "échéance introuvable : %",
        "no such person: %": "personne introuvable : %", "no such group: %": "groupe introuvable : %",
        "no such expense: %": "dépense introuvable : %", "no such transaction: %": "transaction introuvable : %",
        "no such budget: %": "budget introuvable : %", "no such price: %": "prix introuvable : %",
        "subscription % already exists": "l'abonnement % existe déjà",
        "ambiguous id %: give more characters": "identifiant % ambigu : donne plus de caractères",
        "the free version is limited to % subscriptions; more require premium":
            "La version gratuite est limitée à % abonnements ; au-delà, il faut Premium.",
        "category: custom categories require premium": "category : les catégories personnalisées nécessitent Premium",
        "this export requires premium; JSON export and backup are free":
            "cet export nécessite Premium ; l'export JSON et la sauvegarde sont gratuits",
        "1 row cannot be imported; nothing was imported": "1 ligne non importable ; rien n'a été importé",
        "% rows cannot be imported; nothing was imported": "% lignes non importables ; rien n'a été importé",
        "invalid backup: %": "sauvegarde invalide : %", "not a JSON object": "ce n'est pas un objet JSON",
        "not a SubGuard backup": "ce n'est pas une sauvegarde de SubGuard", "no version": "version absente",
        "no tables": "tables absentes", "wrong checksum": "somme de contrôle incorrecte",
        "a table has no name": "une table n'a pas de nom", "duplicate table %": "table % en double",
        "table % has no rows": "la table % n'a pas de lignes", "table % has no key": "la table % n'a pas de clé",
        "table % has a malformed row": "la table % contient une ligne mal formée",
        "table % has a malformed stamp": "la table % contient un horodatage mal formé",
        "table % has a malformed value": "la table % contient une valeur mal formée",
        "table % has a row that breaks a rule": "la table % contient une ligne contraire aux règles",
        "table % refers to a missing row": "la table % renvoie à une ligne absente",
        "table % refers to a missing subscription": "la table % renvoie à un abonnement absent",
        "truncated file": "fichier tronqué", "invalid header": "en-tête invalide",
        "the encrypted data is damaged": "les données chiffrées sont endommagées",
        "wrong passphrase": "phrase secrète incorrecte",
        "an encrypted backup requires a passphrase": "la sauvegarde est chiffrée : phrase secrète obligatoire",
        "% was written by a newer version of SubGuard": "% vient d'une version plus récente de SubGuard",
        "the database": "la base", "the backup": "la sauvegarde", "the file": "le fichier",
        "nothing to undo": "rien à annuler", "nothing to redo": "rien à rétablir",
        "cancelled; nothing was changed": "interrompu ; rien n'a changé",
        "file not found: %": "fichier introuvable : %",
        "cannot read %: %": "lecture impossible : % : %", "cannot write %: %": "écriture impossible : % : %",
        "cannot create %": "création impossible : %", "% is too large": "% est trop grand",
        "% is read-only: %": "% est en lecture seule : %", "database error: %": "erreur de la base : %",
        // The server
        "server unreachable: %": "serveur injoignable : %", "connection refused": "connexion refusée",
        "host not found": "hôte introuvable", "no network connection": "aucune connexion réseau",
        "TLS handshake failed": "échec de la négociation TLS", "not an HTTP server": "ce n'est pas un serveur HTTP",
        "invalid response": "réponse invalide", "connection lost": "connexion interrompue",
        "timed out": "délai dépassé",
        "invalid address": "adresse invalide", "certificate not trusted: %": "certificat non fiable : %",
        "unknown certificate authority": "autorité de certification inconnue",
        "self-signed certificate": "certificat auto-signé", "issued for another host": "émis pour un autre hôte",
        "expired, or this device's clock is wrong": "expiré, ou l'horloge de cet appareil est fausse",
        "not valid yet, or this device's clock is wrong": "pas encore valable, ou l'horloge de cet appareil est fausse",
        "certificate revoked": "certificat révoqué",
        "the server responded with status %: %": "le serveur a répondu avec le statut % : %",
        "no reason given": "sans motif", "cannot read the server's response to %": "réponse illisible à %",
        "the server redirects to another address; redirects are not followed":
            "le serveur renvoie vers une autre adresse ; les redirections ne sont pas suivies",
        "the response is too large": "la réponse est trop grande", "cancelled": "interrompu",
        "not signed in to this server": "non connecté à ce serveur",
        "the session has expired; sign in again": "la session a expiré ; reconnecte-toi",
        "another process is syncing": "une autre synchronisation est en cours",
        "% is not a regular file; remove it": "% n'est pas un fichier ordinaire ; supprime-le",
        "the sync took too long; the rest is sent with the next one":
            "la synchronisation a duré trop longtemps ; le reste partira avec la prochaine",
        "more is queued than one sync sends; the next sync continues":
            "la file dépasse ce qu'envoie une synchronisation ; la prochaine continuera",
        "% can be read by other users; run chmod 600 on it, or sign out":
            "% est lisible par d'autres utilisateurs ; lance chmod 600 dessus, ou déconnecte-toi",
        "% is not a regular file that you own": "% n'est pas un fichier ordinaire qui t'appartient",
        "% is damaged; sign out and in again": "% est endommagé ; déconnecte-toi puis reconnecte-toi",
    ]
}
