/// Sentences of the API about lists, roles, tokens and files.
extension Phrase {
    /// The English side is the pattern of the API's sentence.
    static let moreFaultSentences = [
        Phrase(
            "The body is larger than the %1 bytes that this resource accepts.",
            "L’envoi dépasse les %1 octets acceptés ici."),
        Phrase("A file has more than %1 bytes.", "Un fichier dépasse %1 octets."),
        Phrase("The form has more than %1 fields.", "Le formulaire a plus de %1 champs."),
        Phrase("At most %1 characters.", "Au plus %1 caractères."),
        Phrase("At most %1 aliases.", "Au plus %1 alias."),
        Phrase("At most %1 combining marks on a letter.", "Au plus %1 signes diacritiques sur une lettre."),
        Phrase("Must have %1 to %2 bytes.", "Doit faire de %1 à %2 octets."),
        Phrase("Must have at most %1 characters.", "Doit avoir au plus %1 caractères."),
        Phrase("Must have 1 to 200 characters.", "Doit avoir de 1 à 200 caractères."),
        Phrase("Must have 1 to 500 characters.", "Doit avoir de 1 à 500 caractères."),
        Phrase("Must have 1 to 96 printable ASCII characters.", "Doit avoir de 1 à 96 caractères ASCII visibles."),
        Phrase("Must hold %1 to %2 %3.", "Doit contenir de %1 à %2 éléments."),
        Phrase("Must hold at most %1 %2.", "Doit contenir au plus %1 éléments."),
        Phrase("Must hold at least %1 %2.", "Doit contenir au moins %1 éléments."),
        Phrase("Must be a string.", "Doit être un texte."),
        Phrase("Must be true or false.", "Doit être true ou false."),
        Phrase("Must be from today (UTC) to 100 years ahead.", "Doit être entre aujourd’hui (UTC) et dans 100 ans."),
        Phrase("Must be from 0 to 31536000.", "Doit être compris entre 0 et 31 536 000."),
        Phrase("Must stand in the list once.", "Ne peut figurer qu’une fois dans la liste."),
        Phrase(
            "Must be an item of the catalogue: its name, slug or id.",
            "Doit être un élément du catalogue : son nom, son identifiant court ou son id."),
        Phrase(
            "The events could not be counted. Choose fewer days, or try again.",
            "Les événements n’ont pas pu être comptés. Choisis moins de jours, ou réessaie."),
        Phrase("Must name a field to change.", "Doit indiquer un champ à modifier."),
        Phrase("The amount is too large.", "Le montant est trop grand."),
        Phrase("Must be a decimal number such as \"13.49\".", "Doit être un nombre décimal tel que 13.49."),
        Phrase("Must be days from 1d to 90d, such as 7d.", "Doit être en jours, de 1d à 90d, par exemple 7d."),
        Phrase(
            "Must not be after to, which is today by default.",
            "Ne peut pas être après la fin, qui est aujourd’hui par défaut."),
        Phrase(
            "Must be a next_cursor of this list, with the same parameters.",
            "La liste a changé ; reprends à la première page."),
        Phrase("There is no such field.", "Ce champ n’existe pas."),
        Phrase("There is no such parameter.", "Ce paramètre n’existe pas."),
        Phrase("There is no such backup.", "Cette sauvegarde n’existe pas."),
        Phrase("There is no such rule.", "Cette règle n’existe pas."),
        Phrase("There is no such role.", "Ce rôle n’existe pas."),
        Phrase("There is no such suggestion.", "Cette suggestion n’existe pas."),
        Phrase("There is no such crash group.", "Ce groupe de plantages n’existe pas."),
        Phrase("Is the item itself.", "Est l’élément lui-même."),

        // Roles and tokens.
        Phrase("A built-in role cannot be changed.", "Un rôle intégré ne peut pas être modifié."),
        Phrase(
            "Only permissions that you hold can be granted.", "Seules les permissions que tu as peuvent être données."),
        Phrase(
            "A token cannot be valid for longer than the token that creates it.",
            "Un jeton ne peut pas être valide plus longtemps que celui qui le crée."),
        Phrase("The expiry is not in the future.", "L’expiration n’est pas dans le futur."),
        Phrase(
            "Must be 1 to 40 lower-case letters, digits and _, the first one a letter.",
            "Doit avoir de 1 à 40 minuscules, chiffres et _, en commençant par une lettre."),
        Phrase(
            "This is the last owner token. Use the command line to revoke it.",
            "C’est le dernier jeton propriétaire. Utilise la ligne de commande pour le révoquer."),
        Phrase(
            "Tokens of the role %1 are still valid: revoke them first.",
            "Des jetons du rôle %1 sont encore valides : révoque-les d’abord."),
        Phrase(
            "The token's role %1 has permissions that you do not hold: %2.",
            "Le rôle %1 du jeton a des permissions que tu n’as pas : %2."),
        Phrase(
            "The role %1 has permissions that you do not hold (%2), so it can be neither changed nor removed.",
            "Le rôle %1 a des permissions que tu n’as pas (%2) : il ne peut être ni modifié ni supprimé."),
        Phrase("The role %1 lacks the permission %2.", "Le rôle %1 n’a pas la permission %2."),
        Phrase(
            "The role %1 lacks a permission: only owners may do this.",
            "Le rôle %1 n’a pas toutes les permissions : seul un propriétaire peut le faire."),
        Phrase("Passkeys cannot be used at this address.", "Les clés d’accès sont impossibles à cette adresse."),
        Phrase("The session has ended. Sign in again.", "La session est terminée. Connecte-toi à nouveau."),
        Phrase(
            "Another request was sent with this key.", "Ce formulaire a déjà été envoyé avec un autre contenu."),

        // Files and whole forms.
        Phrase("An earlier row has the same slug.", "Une ligne précédente a le même identifiant."),
        Phrase("A file has 1 to %1 rows.", "Un fichier contient de 1 à %1 lignes."),
        Phrase("The form is not one of the console.", "Ce formulaire n’est pas de la console."),
        Phrase("Not acceptable: %1.", "Valeurs refusées : %1."),
        Phrase("Not acceptable: %1 and %2 more.", "Valeurs refusées : %1 et %2 autres."),
        Phrase("There is no such %1.", "Il n’y a rien à cette adresse."),
    ]
}
