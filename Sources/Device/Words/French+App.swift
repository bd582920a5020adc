extension French {
    /// Pages of the app.
    static let appMessages: [String: String] = [
        "Subscriptions": "Abonnements", "To confirm": "Acquitter", "Settings": "Paramètres", "Pages": "Pages",
        "Skip to the content": "Aller au contenu", "Not found": "Introuvable",
        "That did not work": "Cela n'a pas marché", "There is no such page.": "Cette page n'existe pas.",
        "All subscriptions": "Tous les abonnements", "Undone: %": "Annulé : %", "Undo": "Annuler", "Redo": "Rétablir",
        "today": "aujourd'hui", "tomorrow": "demain", "yesterday": "hier", "in % days": "dans % jours",
        "% days ago": "il y a % jours",
        // Letting a browser in
        "Open the app": "Ouvrir l'app",
        "This code is unknown, used or expired. Each one lets in once, within a minute.":
            "Ce code est inconnu, utilisé ou expiré. Chacun sert une fois, pendant une minute.",
        "This page is for you alone. In a terminal, run": "Cette page n'est que pour toi. Dans un terminal, lance",
        "and paste the address that it prints.": "et colle l'adresse qui s'affiche.",
        "Address or code": "Adresse ou code",
        "Remember this browser for 30 days": "Se souvenir de ce navigateur 30 jours",
        "Open": "Ouvrir",
        // The list
        "What do you subscribe to?": "À quoi es-tu abonné ?",
        "Add the first one: its name is often enough. Everything stays on this device.":
            "Ajoute le premier : son nom suffit souvent. Tout reste sur cet appareil.",
        "Add a subscription": "Ajouter un abonnement", "Cost per year": "Coût annuel", "% per month": "% par mois",
        "% per year": "% par an", "without a rate, so not included: %": "sans taux, donc pas compté : %",
        "Search": "Chercher", "Order": "Tri", "Next charge": "Prochaine échéance", "Name": "Nom", "Amount": "Montant",
        "Status": "Statut", "All": "Tous", "Scope": "Usage", "Show": "Afficher",
        "% more; search to find them.": "% de plus ; cherche pour les trouver.",
        // One subscription
        "Resume": "Reprendre", "Pause": "Mettre en pause", "Cancel": "Résilier", "Keep it": "Le garder",
        "Delete": "Supprimer", "Save": "Enregistrer", "until": "jusqu'au", "Prices": "Prix",
        "Coming charges": "Échéances à venir", "Not saved. Please correct:": "Pas enregistré. À corriger :",
        "Trial, contract, notes": "Essai, contrat, notes", "Currency": "Devise", "Cycle": "Fréquence",
        "Category": "Catégorie", "Trial ends on": "Fin de l'essai", "Since": "Depuis",
        "Contract term ends on": "Fin du contrat", "Minimum months": "Mois minimum",
        "Months of extension": "Mois de reconduction", "Days of notice": "Jours de préavis",
        "Payment method": "Moyen de paiement", "Website": "Site", "Notes": "Notes",
        // Adding
        "Name of the service": "Nom du service", "enter everything by hand": "tout saisir à la main",
        "Another service": "Un autre service", "Add": "Ajouter", "Back": "Retour",
        // What is due
        "Missed": "Oubliées", "Due in the next 7 days": "À venir dans les 7 jours",
        "Charges stand here from seven days before they are due.":
            "Les échéances apparaissent ici sept jours avant leur date.",
        "Confirm all %": "Tout acquitter (%)", "% more": "% de plus", "Confirm": "Acquitter",
        "Not charged": "Non prélevé", "Paid differently": "Autre montant", "Amount in %": "Montant en %",
        "Widget": "Widget", "Widgets": "Widgets", "small": "petit", "medium": "moyen", "large": "grand",
        "Small windows for a sidebar or a second screen:":
            "Petites fenêtres pour une barre latérale ou un second écran :",
        // Backups
        "Backups": "Sauvegardes", "The last backup is % days old.": "La dernière sauvegarde a % jours.",
        "There is no backup yet.": "Il n'y a pas encore de sauvegarde.",
        "Optional: the file can then be read with it only.": "Facultative : le fichier ne se lit alors qu'avec elle.",
        "Download a backup": "Télécharger une sauvegarde", "On this device": "Sur cet appareil",
        "Restore": "Restaurer", "Restore this backup?": "Restaurer cette sauvegarde ?", "Now": "Maintenant",
        "What is there now is kept as a backup; the restore can be undone.":
            "L'état actuel est conservé comme sauvegarde, et la restauration peut être annulée.",
        "Passphrase": "Phrase secrète", "% subscription|% subscriptions": "% abonnement|% abonnements",
        // The calendar
        "Calendar": "Calendrier", "Month before": "Mois précédent", "Month after": "Mois suivant",
        "cancel % today at the latest": "résilier % au plus tard", "The next 12 months": "Les 12 prochains mois",
        "Budgets": "Budgets", "Everything": "Tout",
        "Price rises of the last 12 months": "Hausses de prix des 12 derniers mois",
        "Saved by cancelling": "Économisé en résiliant", "Possibly twice": "Peut-être en double",
        // Settings
        "Language": "Langue", "Home currency": "Devise de référence",
        "Sums over several currencies are shown in it, such as EUR.":
            "Les sommes de plusieurs devises s'affichent dans celle-ci, par exemple EUR.",
        "Browsers that are let in": "Navigateurs admis", "unknown browser": "navigateur inconnu",
        "this one": "celui-ci", "last used %": "dernière utilisation : %", "End": "Terminer",
        "Changes": "Modifications", "Your data": "Tes données",
        "Everything stays in this file on your device:": "Tout reste dans ce fichier, sur ton appareil :",
    ]

    static let appErrors: [String: String] = [
        "Something else was changed since; see the list of changes.":
            "Autre chose a changé depuis ; vois la liste des modifications.",
        "No charge was chosen.": "aucune échéance n'est choisie",
        "One charge is expected.": "une seule échéance est attendue",
        "No browser was chosen.": "aucun navigateur n'est choisi",
    ]
}
