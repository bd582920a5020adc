/// Forms that are made from the contract, their faults, and lost races.
extension Phrase {
    static let optional = Phrase("(optional)", "(facultatif)")
    static let save = Phrase("Save", "Enregistrer")
    static let cancel = Phrase("Cancel", "Annuler")
    static let faultInLine = Phrase("Line %1: %2", "Ligne %1 : %2")
    static let utcHint = Phrase("In UTC.", "En UTC.")
    static let onePerLine = Phrase("One on each line.", "Un par ligne.")
    static let yes = Phrase("Yes", "Oui")
    static let no = Phrase("No", "Non")

    // Lost races.
    static let lostRace = Phrase("Somebody else saved first", "Quelqu’un a enregistré avant toi")
    static let lostRaceLead = Phrase(
        "Somebody changed %1 while you were editing. Nothing of yours is saved yet. Choose a version of each field that "
            + "differs, then save.",
        "Quelqu’un a modifié %1 pendant ta saisie. Rien de toi n’est encore enregistré. Choisis une version de chaque champ "
            + "qui diffère, puis enregistre.")
    static let versionMine = Phrase("Yours", "La tienne")
    static let versionPresent = Phrase("Stored now", "Enregistrée")
    static let emptyValue = Phrase("(empty)", "(vide)")
    static let saveChosen = Phrase("Save the chosen values", "Enregistrer les valeurs choisies")
    static let filterLeftOut = Phrase(
        "A filter was not accepted, so it does not apply:", "Un filtre n’a pas été accepté et ne s’applique pas :")
    static let discardMine = Phrase("Discard mine", "Abandonner la mienne")

    static let refusedAnyhow = Phrase(
        "It was not accepted.", "Cela n’a pas été accepté. Le journal du serveur en dit plus.")

    /// Translations by the pattern of the API's sentence.
    static let faultsByPattern = Dictionary(
        (faultSentences + moreFaultSentences + alertFaultSentences + readinessSentences).map { ($0.english, $0) }
    ) { first, _ in first }

    /// Sentences of the API about a value. The English side is the pattern of the API's sentence.
    private static let faultSentences = [
        Phrase("Must be given.", "À renseigner."),
        Phrase("Must not be empty.", "Ne peut pas être vide."),
        Phrase("Must not be null.", "Ne peut pas être vide."),
        Phrase("Must be given once.", "Ne peut figurer qu’une fois."),
        Phrase("Must have %1 to %2 characters.", "Doit avoir de %1 à %2 caractères."),
        Phrase("Must be from %1 to %2.", "Doit être compris entre %1 et %2."),
        Phrase("Must be a whole number from %1 to %2.", "Doit être un nombre entier de %1 à %2."),
        Phrase("Must be a whole number.", "Doit être un nombre entier."),
        Phrase("Must be a number.", "Doit être un nombre."),
        Phrase("Is out of range.", "Est hors limites."),
        Phrase("Must be one of %1.", "Doit être l’un de : %1."),
        Phrase("Must be a UUID.", "Doit être un UUID."),
        Phrase("Must be a day as YYYY-MM-DD.", "Doit être une date (AAAA-MM-JJ)."),
        Phrase("Must be an instant such as %1.", "Doit être un instant tel que %1."),
        Phrase("Must be the ISO 4217 code of a currency, such as EUR.", "Doit être un code de devise ISO 4217 (EUR)."),
        Phrase(
            "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or such as every:18m.",
            "Doit être daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime ou par exemple every:18m."
        ),
        Phrase("Must differ from the name.", "Doit différer du nom."),
        Phrase("Must not contain control characters.", "Ne peut pas contenir de caractères de contrôle."),
        Phrase("Must contain a visible character.", "Doit contenir un caractère visible."),
        Phrase(
            "Must not contain invisible characters; found %1.",
            "Ne peut pas contenir de caractères invisibles ; trouvé : %1."),
        Phrase(
            "Must be lower-case letters and digits, words joined by single hyphens.",
            "Minuscules et chiffres seulement, mots reliés par un trait d’union."),
        Phrase(
            "Must be lower-case letters, digits and underscores.",
            "Minuscules, chiffres et tirets bas seulement."),
        Phrase("Must be between %1 and %2.", "Doit être compris entre %1 et %2."),
        Phrase(
            "Must be an absolute https URL with a host, without user name, blanks or control characters.",
            "Doit être une URL https absolue, sans nom d’utilisateur, espace ni caractère de contrôle."),
        Phrase("Must be a decimal number such as %1.", "Doit être un nombre décimal tel que %1."),
        Phrase("Must have at most %1 decimals.", "Doit avoir au plus %1 décimales."),
        Phrase(
            "Must differ from the name and from the other aliases in more than case and accents.",
            "Doit différer du nom et des autres alias par plus que la casse et les accents."),
        Phrase(
            "The item was changed meanwhile; this is its present state.",
            "L’élément a été modifié entre-temps ; voici son état actuel."),
        Phrase("Choose an image file first.", "Choisis d’abord un fichier image."),
        Phrase("Choose a file first.", "Choisis d’abord un fichier."),
        Phrase("The body must be a PNG, JPEG or WebP image.", "Ce n’est pas une image PNG, JPEG ou WebP."),
        Phrase(
            "The body begins as %1 and is not a whole image of it.",
            "Le début est celui d’une image %1, mais le reste non."
        ),
        Phrase("A logo must have less than %1 bytes.", "Un logo doit faire moins de %1 octets."),
        Phrase("A logo must have at most %1 pixels a side.", "Un logo doit avoir au plus %1 pixels de côté."),
        Phrase(
            "The suggestion was approved or rejected before.", "La suggestion a déjà été approuvée ou rejetée."),
        Phrase("The item has the maximum number of aliases.", "L’élément a déjà le nombre maximal d’alias."),
        Phrase("Another item has this slug.", "Un autre élément porte cet identifiant."),
        Phrase("Another item has, or had, this id.", "Un autre élément porte ou a porté cet identifiant."),
        Phrase("There is no such item.", "Cet élément n’existe pas."),
        Phrase("Must not be before from.", "Ne peut pas précéder le début."),
        Phrase("Must not be after %1.", "Ne peut pas être postérieur à %1."),
        Phrase(
            "Must be later: a series has at most %1 points.", "Trop tôt : une évolution a au plus %1 points."),
        Phrase(
            "The item was changed since, so it is not deleted. Delete it in the catalogue.",
            "L’élément a été modifié depuis ; il n’est donc pas supprimé. Supprime-le dans le catalogue."),
        Phrase(
            "The form has the unknown field %1. Open its page again and send it from there.",
            "Le formulaire contient le champ inconnu %1. Rouvre sa page et renvoie-le."),
        Phrase(
            "The form lacks the field %1. Open its page again and send it from there.",
            "Le formulaire n’a pas le champ %1. Rouvre sa page et renvoie-le."),
        Phrase(
            "The form has the field %1 more than once. Open its page again and send it from there.",
            "Le formulaire contient plusieurs fois le champ %1. Rouvre sa page et renvoie-le."),
        Phrase(
            "The form has the field %1 beside another that excludes it. Open its page again and send it from there.",
            "Le formulaire contient le champ %1 avec un autre qui l’exclut. Rouvre sa page et renvoie-le."),
        Phrase("A page of another origin sent the request.", "Une page d’une autre origine a envoyé la requête."),
        Phrase("The first request with this key still runs.", "La première requête de ce formulaire est en cours."),
        Phrase(
            "The item that it was merged into is deleted or merged itself. Undo that first.",
            "L’élément dans lequel il a été fusionné est supprimé ou fusionné à son tour. Annule cela d’abord."),
        Phrase(
            "The item was deleted or merged meanwhile. Nothing was saved: what you typed can be added as a new item.",
            "L’élément a été supprimé ou fusionné entre-temps. Rien n’a été enregistré : ta saisie peut devenir un "
                + "nouvel élément."),
        Phrase(
            "The rule was deleted meanwhile. Nothing was saved: what you typed can be saved as a new rule.",
            "La règle a été supprimée entre-temps. Rien n’a été enregistré : ta saisie peut devenir une nouvelle règle."
        ),
        Phrase(
            "This can no longer be undone here. Decide again in the list.",
            "Ce n’est plus annulable ici. Décide à nouveau dans la liste."),
    ]
}
