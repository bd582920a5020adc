import SubGuardContract
import SubGuardDomain

/// What a fault or a problem of the API means, by its code. The API's own sentences are English and say more; a page in
/// another language says these instead.
extension Phrase {
    static func fault(_ code: FaultCode) -> Phrase {
        switch code {
        case .required: Phrase("Must be given.", "À renseigner.")
        case .unknownField: Phrase("The input has no such field.", "Ce champ n’existe pas.")
        case .unknownParameter: Phrase("There is no such parameter.", "Ce paramètre n’existe pas.")
        case .invalidType: Phrase("Has the wrong type.", "N’est pas du type attendu.")
        case .outOfRange: Phrase("Is out of range.", "Est hors limites.")
        case .invalidFormat: Phrase("Has the wrong format.", "N’a pas le format attendu.")
        case .unknownValue: Phrase("Is none of the allowed values.", "Ne fait pas partie des valeurs permises.")
        case .duplicate: Phrase("Occurs twice.", "Existe déjà.")
        case .invalidID: Phrase("Must be a UUID.", "Doit être un UUID.")
        case .invalidTimestamp: Phrase("Must be an instant.", "Doit être un instant (RFC 3339).")
        case .timestampOutOfRange: Phrase("Is too far from now.", "Est trop éloigné de l’heure actuelle.")
        case .invalidDay: Phrase("Must be a day as YYYY-MM-DD.", "Doit être une date (AAAA-MM-JJ).")
        case .invalidURL: Phrase("Is not a link that may be opened.", "N’est pas un lien https utilisable.")
        case .invalidAmount: Phrase("Must be a decimal number.", "Doit être un nombre décimal.")
        case .tooManyDecimals: Phrase("Has too many decimals.", "A trop de décimales pour cette devise.")
        case .unknownCurrency: Phrase("Is not a currency.", "Doit être un code de devise ISO 4217 (EUR).")
        case .unknownCycle: Phrase("Is not a billing cycle.", "N’est pas un cycle de facturation.")
        case .invalidUserID: Phrase("Is not the hash of a user id.", "N’est pas l’empreinte d’un utilisateur.")
        case .invalidCursor:
            Phrase("The list has changed; start again.", "La liste a changé ; reprends à la première page.")
        case .invalidCharacters: Phrase("Has forbidden characters.", "Contient des caractères interdits.")
        case .blank: Phrase("Must contain a visible character.", "Doit contenir un caractère visible.")
        case .invisibleCharacters: Phrase("Has invisible characters.", "Contient des caractères invisibles.")
        case .tooManyMarks: Phrase("Has too many marks on a letter.", "A trop de signes sur une même lettre.")
        case .invalidUTF8: Phrase("The file is not UTF-8.", "Le fichier n’est pas en UTF-8.")
        case .unterminatedQuote: Phrase("A quoted field does not end.", "Un champ entre guillemets n’est pas fermé.")
        case .misplacedQuote:
            Phrase("A quotation mark is inside a field.", "Un guillemet se trouve au milieu d’un champ.")
        case .wrongFieldCount:
            Phrase("The row has too many or too few fields.", "La ligne a trop ou trop peu de champs.")
        case .notFound: Phrase("Does not exist.", "N’existe pas.")
        case .sameItem: Phrase("Is the item itself.", "Est l’élément lui-même.")
        case .idTaken: Phrase("Another item has this id.", "Un autre élément porte ou a porté cet identifiant.")
        case .tooManyAliases:
            Phrase("The item has the maximum number of aliases.", "L’élément a déjà le nombre maximal d’alias.")
        case .notHeld: Phrase("You do not hold this permission.", "Tu n’as pas toi-même cette autorisation.")
        case .notInFuture: Phrase("Must be in the future.", "Doit être dans le futur.")
        case .builtIn: Phrase("A built-in role cannot be changed.", "Un rôle intégré ne peut pas être modifié.")
        case .premiumRequired: Phrase("Requires premium.", "Réservé à la version premium.")
        }
    }

    /// Nil for problems that no page of the console can cause.
    static func problem(_ code: ProblemCode) -> Phrase? {
        switch code {
        case .malformedRequest, .malformedPath, .malformedQuery, .malformedJSON:
            Phrase("The request cannot be read.", "La requête est illisible.")
        case .forbidden: Phrase("Your role may not do this.", "Ton rôle ne permet pas cette action.")
        case .notFound: Phrase("There is nothing at this address.", "Il n’y a rien à cette adresse.")
        case .methodNotAllowed:
            Phrase("This address has no such form.", "Cette adresse n’accepte pas ce formulaire.")
        case .conflict, .slugTaken, .idTaken:
            Phrase("It is in conflict with what is stored.", "C’est en conflit avec ce qui est enregistré.")
        case .roleInUse: Phrase("A token has this role.", "Un jeton porte encore ce rôle.")
        case .lastOwner:
            Phrase("The last owner must remain.", "C’est le dernier jeton propriétaire : il doit rester.")
        case .alreadyDecided:
            Phrase("It was approved or rejected before.", "Elle a déjà été approuvée ou rejetée.")
        case .requestRunning:
            Phrase("The form is still being processed.", "Le formulaire est encore en cours de traitement.")
        case .answerLost:
            Phrase("It was carried out before.", "L’action a déjà été effectuée, mais sa réponse est perdue.")
        case .preconditionFailed: Phrase("It was changed meanwhile.", "Il y a eu une modification entre-temps.")
        case .bodyTooLarge: Phrase("The file or form is too large.", "Le fichier ou le formulaire est trop gros.")
        case .uriTooLong: Phrase("The address is too long.", "L’adresse est trop longue.")
        case .unsupportedMediaType, .unsupportedContentCoding:
            Phrase("The kind of file is not accepted.", "Ce type de fichier n’est pas accepté.")
        case .validationFailed: Phrase("A value is not accepted.", "Une valeur n’est pas acceptée.")
        case .idempotencyKeyReused:
            Phrase("The form was sent before.", "Ce formulaire a déjà été envoyé avec un autre contenu.")
        case .rateLimited: Phrase("Too many requests; wait a little.", "Trop de requêtes : patiente un peu.")
        case .notReady, .overloaded, .storageUnavailable, .handlingTimeout:
            Phrase("The server is busy; try again soon.", "Le serveur est occupé ; réessaie bientôt.")
        case .storageFull: Phrase("The disk is full.", "Le disque du serveur est plein.")
        case .internalError:
            Phrase("The server failed; its log says why.", "Le serveur a échoué ; son journal dit pourquoi.")
        default: nil
        }
    }

    /// The name of a job that servers share; nil for one without words.
    static func job(_ name: String) -> Phrase? {
        switch name {
        case "alert rules": Phrase("Alert rules", "Règles d’alerte")
        case "rates": Phrase("Exchange rates", "Taux de change")
        case "weekly digest": Phrase("Weekly digest", "Bilan hebdomadaire")
        case "tombstone purge": Phrase("Purge of deleted items", "Purge des éléments supprimés")
        case "logo collection": Phrase("Removal of unused logos", "Suppression des logos inutilisés")
        case "idempotency purge": Phrase("Purge of stored answers", "Purge des réponses conservées")
        case "console session purge": Phrase("Purge of ended sessions", "Purge des sessions terminées")
        case "event purge": Phrase("Purge of old events", "Purge des anciens événements")
        case "event block joining": Phrase("Joining of stored events", "Regroupement des événements stockés")
        case "figure purge": Phrase("Purge of old figures", "Purge des anciens chiffres")
        case "account purge": Phrase("Purge of ended accounts", "Purge des comptes terminés")
        case "crash purge": Phrase("Purge of old crash reports", "Purge des anciens plantages")
        case "ranking refresh": Phrase("Refresh of the ranking", "Mise à jour du classement")
        case "analytics erasure": Phrase("Erasure of users’ events", "Effacement des événements d’utilisateurs")
        default: nil
        }
    }
}
