extension French {
    /// Pages of the app.
    static let appMessages: [String: String] = [
        "Subscriptions": "Abonnements", "To confirm": "Acquitter", "Settings": "Paramètres", "Pages": "Pages",
        "Skip to the content": "Aller au contenu", "Not found": "Introuvable",
        "That did not work": "Cela n'a pas marché", "There is no such page.": "Cette page n'existe pas.",
        "All subscriptions": "Tous les abonnements", "Undone: %": "Annulé : %", "Undo": "Annuler", "Redo": "Rétablir",
        "Nothing was changed.": "Rien n'a été modifié.",
        "today": "aujourd'hui", "tomorrow": "demain", "yesterday": "hier", "in % days": "dans % jours",
        "% days ago": "il y a % jours",
        // Letting a browser in
        "Open the app": "Ouvrir l'app",
        "This code is unknown, used or expired. Each one lets in once, within a minute.":
            "Ce code est inconnu, utilisé ou expiré. Chacun sert une fois, pendant une minute.",
        "This page is for you alone. In a terminal, run": "Cette page n'est que pour toi. Dans un terminal, lance",
        "and paste the address that it prints.": "et colle l'adresse qui s'affiche.",
        "Address or code": "Adresse ou code",
        "Nothing was saved, because the session of this browser has ended.":
            "Rien n'a été enregistré, car la session de ce navigateur est terminée.",
        "What you typed is kept: once the app is open, check it and send it again.":
            "Ta saisie est conservée : une fois l'app ouverte, vérifie-la et envoie-la à nouveau.",
        "It is already open in another tab": "Elle est déjà ouverte dans un autre onglet",
        "Remember this browser for 30 days": "Se souvenir de ce navigateur 30 jours",
        "Open": "Ouvrir",
        // The first run
        "Your subscriptions under control": "Tes abonnements sous contrôle", "It all stays here": "Tout reste ici",
        "The first subscription": "Le premier abonnement", "Next": "Suivant", "Skip": "Passer",
        "See what all your subscriptions cost in a year.": "Vois ce que coûtent tous tes abonnements par an.",
        "Confirm each charge, so that none slips by.": "Confirme chaque échéance, pour n'en laisser passer aucune.",
        "Know the last day to cancel, and where.": "Connais la date limite de résiliation, et où résilier.",
        "No account. Everything is in one file on this device, which you can back up.":
            "Pas de compte. Tout est dans un fichier de cet appareil, que tu peux sauvegarder.",
        "Nothing is sent unless you set a server and allow it.":
            "Rien n'est envoyé, sauf si tu choisis un serveur et l'autorises.",
        "Such as Netflix.": "Par exemple Netflix.",
        // The list
        "What do you subscribe to?": "À quoi es-tu abonné ?",
        "Add the first one: its name is often enough. Everything stays on this device.":
            "Ajoute le premier : son nom suffit souvent. Tout reste sur cet appareil.",
        "Add a subscription": "Ajouter un abonnement", "Cost per year": "Coût annuel", "% per month": "% par mois",
        "% per year": "% par an", "without a rate, so not included: %": "sans taux, donc pas compté : %",
        "Mon Tue Wed Thu Fri Sat Sun": "lun. mar. mer. jeu. ven. sam. dim.",
        "Without a rate of their day, some charges are not included: %":
            "Faute de taux de leur jour, certains prélèvements ne sont pas comptés : %",
        "All in hand": "Tout est en main", "Nearly all in hand": "Presque tout est en main",
        "About half in hand": "À peu près la moitié en main", "Little in hand": "Peu de choses en main",
        "No sum in %: exchange rates are missing.": "Pas de somme en % : les taux de change manquent.",
        "All currencies together: past charges at the rate of their day, others at the latest.":
            "Toutes les devises ensemble : les prélèvements passés au taux de leur jour, les autres au dernier.",
        "Search": "Chercher", "Order": "Tri", "Next charge": "Prochaine échéance", "Name": "Nom", "Amount": "Montant",
        "Status": "Statut", "All": "Tous", "Scope": "Usage", "Show": "Afficher",
        "% more; search to find them.": "% de plus ; cherche pour les trouver.",
        "Trial": "Essai", "Cancel by %": "À résilier au plus tard le %", "Actions": "Actions",
        // One subscription
        "Resume": "Reprendre", "Pause": "Mettre en pause", "Cancel": "Résilier", "Keep it": "Le garder",
        "Delete": "Supprimer", "Save": "Enregistrer", "until": "jusqu'au", "Prices": "Prix",
        "Coming charges": "Échéances à venir", "Not saved. Please correct:": "Pas enregistré. À corriger :",
        "Trial, contract, notes": "Essai, contrat, notes", "Currency": "Devise", "Cycle": "Fréquence",
        "Category": "Catégorie", "from % to %": "du % au %", "First day": "Premier jour",
        "Such as your pay day: 25, or 04-06 for a year.": "Par exemple ton jour de paie : 25, ou 06/04 pour une année.",
        "Trial starts on": "Début de l'essai", "Trial ends on": "Fin de l'essai",
        "Since": "Depuis",
        "Contract term ends on": "Fin du contrat", "Minimum months": "Mois minimum",
        "Months of extension": "Mois de reconduction", "Days of notice": "Jours de préavis",
        "Payment method": "Moyen de paiement", "Website": "Site", "Notes": "Notes",
        "Price by month": "Prix par mois", "Between % and %.": "Entre % et %.",
        "cancelling today saves, until %": "résilier aujourd'hui économise, jusqu'au %",
        "and still costs": "et coûte encore",
        // Adding
        "Name of the service": "Nom du service", "enter everything by hand": "tout saisir à la main",
        "Another service": "Un autre service", "Add": "Ajouter", "Back": "Retour",
        "Typed and not sent, kept in this browser:": "Saisi et pas envoyé, conservé dans ce navigateur :",
        "Not sent yet. Check what you typed, and send it again.":
            "Pas encore envoyé. Vérifie ta saisie, et envoie-la à nouveau.",
        "SubGuard is not running. In a terminal, run:": "SubGuard n'est pas lancé. Dans un terminal, lance :",
        "The session of this browser has ended. In a terminal, run:":
            "La session de ce navigateur est terminée. Dans un terminal, lance :",
        "What you typed stays here, and can be sent afterwards.":
            "Ta saisie reste ici, et pourra être envoyée ensuite.",
        "Continue": "Continuer", "Discard": "Abandonner",
        // What is due
        "By month": "Par mois", "Control Score by month": "Score de contrôle par mois", "% of %": "% sur %",
        "The share of each month's charges that you confirmed; late ones count half.":
            "La part des échéances de chaque mois que tu as confirmées ; en retard, elles comptent pour moitié.",
        "Nothing was due in the last 12 months.": "Aucune échéance depuis 12 mois.",
        "Missed": "Oubliées", "Due in the next 7 days": "À venir dans les 7 jours",
        "Charges stand here from seven days before they are due.":
            "Les échéances apparaissent ici sept jours avant leur date.",
        "Confirm all %": "Tout acquitter (%)", "% more": "% de plus", "% and % more": "% et % de plus",
        "Confirm": "Acquitter",
        "Not charged": "Non prélevé", "Paid differently": "Autre montant", "Amount in %": "Montant en %",
        "Widget": "Widget", "Widgets": "Widgets", "small": "petit", "medium": "moyen", "large": "grand",
        "Small windows for a sidebar or a second screen:":
            "Petites fenêtres pour une barre latérale ou un second écran :",
        // Together
        "Together": "À plusieurs",
        "Share a subscription from its page: each charge is then owed by those who share it.":
            "Partage un abonnement depuis sa page : chaque échéance est alors due par ceux qui le partagent.",
        "owes you since %": "te doit depuis le %", "you owe them since %": "tu lui dois depuis le %",
        "Paid back": "Remboursé", "What it is made of": "Le détail", "People": "Personnes",
        "Add a person": "Ajouter une personne", "Shared with": "Partagé avec",
        "Share": "Partager", "The others": "Les autres",
        "You pay the rest. In equal parts and by shares, you have one part. To stop sharing, choose nobody.":
            "Tu paies le reste. À parts égales et par parts, tu en as une. Pour arrêter, ne choisis personne.",
        "How it is split": "Comment c'est partagé", "in equal parts": "à parts égales",
        "by percentages": "par pourcentages", "by amounts": "par montants",
        "by shares, such as 2 and 1": "par parts, comme 2 et 1", "Part of %": "Part de %",
        "A percentage, an amount or a number for each; empty for nothing.":
            "Un pourcentage, un montant ou un nombre pour chacun ; vide pour rien.",
        "Shared by": "Partagé entre", "Who comes or goes": "Qui arrive ou part",
        "Members from that day on": "Membres à partir de ce jour",
        "Expenses of earlier days keep their people.": "Les dépenses des jours précédents gardent leurs personnes.",
        "Beside the name": "À côté du nom", "Initials": "Initiales", "Photo": "Photo", "Colour": "Couleur",
        "Empty for those of the name.": "Vide pour celles du nom.",
        "Such as #2b59c3; empty for one of its own.": "Comme #2b59c3 ; vide pour une couleur propre.",
        "PNG, JPEG or WebP. Made smaller here if need be; stored without times and places.":
            "PNG, JPEG ou WebP. Réduite ici si besoin ; enregistrée sans dates ni lieux.",
        "Add a photo": "Ajouter une photo", "Replace the photo": "Remplacer la photo",
        "Remove the photo": "Retirer la photo",
        "Spent together": "Dépensé ensemble", "Details": "Détails", "Tags": "Étiquettes",
        "With commas between them.": "Séparées par des virgules.", "Recurring payment": "Paiement récurrent",
        "Notes on the share": "Notes sur le partage", "The others agreed": "Les autres ont accepté",
        "% regular payment that is not proposed|% regular payments that are not proposed":
            "% paiement régulier qui n'est pas proposé|% paiements réguliers qui ne sont pas proposés",
        "Cash, transfers, rent, loans, taxes and payments to persons are no subscriptions. Add one by hand if it is.":
            "Espèces, virements, loyers, prêts, impôts et paiements à des personnes ne sont pas des abonnements. Ajoute à la main ce qui en est un.",
        "% belongs to it from % on": "% en fait partie à partir du %",
        "% no longer belongs to it from % on": "% n'en fait plus partie à partir du %",
        "Receipts": "Justificatifs", "Add a receipt": "Ajouter un justificatif", "% KiB": "% Kio",
        "JPEG, PNG, WebP or PDF, at most % MB.": "JPEG, PNG, WebP ou PDF, % Mo au plus.",
        "Single payments": "Paiements isolés", "Add a payment": "Ajouter un paiement", "Direction": "Sens",
        "I paid": "J'ai payé", "I received": "J'ai reçu",
        "Groups": "Groupes", "New group": "Nouveau groupe", "Name of the group": "Nom du groupe",
        "Members": "Membres", "Me": "Moi", "Add the group": "Ajouter le groupe",
        "Delete the group": "Supprimer le groupe", "To settle": "À régler", "Paid": "Payé",
        "Add an expense": "Ajouter une dépense", "What for": "Pour quoi", "Date": "Date", "Who paid": "Qui a payé",
        "Expenses": "Dépenses",
        "E-mail address": "Adresse e-mail", "Phone": "Téléphone", "Not settled": "Pas réglé", "Emoji": "Emoji",
        "Description": "Description", "With": "Avec", "Edit the group": "Modifier le groupe",
        "Edit the expense": "Modifier la dépense", "Edit the payment": "Modifier le paiement",
        "Delete this person": "Supprimer cette personne", "Delete the expense": "Supprimer la dépense",
        "Delete the payment": "Supprimer le paiement",
        "Deleting a person leaves the parts of others. Expenses keep their part and their name.":
            "Les parts des autres restent. Les dépenses gardent sa part et son nom.",
        "From today on, you pay their part of:": "À partir d'aujourd'hui, tu paies sa part de :",
        "Delete, although not everything is settled": "Supprimer, même si tout n'est pas réglé",
        "Something is open with this person. Settle it, or tick the box.":
            "Tout n'est pas réglé avec cette personne. Règle-le, ou coche la case.",
        "People stay; what they owe each other from this group goes with it.":
            "Les personnes restent ; ce qu'elles se doivent dans ce groupe disparaît avec lui.",
        "% expense is deleted with its receipts.|% expenses are deleted with their receipts.":
            "% dépense est supprimée avec ses justificatifs.|% dépenses sont supprimées avec leurs justificatifs.",
        "% repayment is deleted.|% repayments are deleted.":
            "% remboursement est supprimé.|% remboursements sont supprimés.",
        "Nobody owes anything for it then. Its receipts are deleted with it.":
            "Personne ne doit plus rien pour elle. Ses justificatifs sont supprimés avec elle.",
        "Its receipts are deleted with it.": "Ses justificatifs sont supprimés avec lui.",
        "Category, notes": "Catégorie, notes",
        "Settled elsewhere; it makes no debts": "Réglée ailleurs ; elle ne crée pas de dette",
        "settled elsewhere": "réglée ailleurs", "Several people paid": "Plusieurs personnes ont payé",
        "An amount for each who paid, in place of the one above. Together they make the whole.":
            "Un montant pour chaque personne qui a payé, à la place de celle du dessus. Ensemble, ils font le tout.",
        // Import
        "Import": "Importer", "Import a bank statement": "Importer un relevé bancaire", "File": "Fichier",
        "Nothing is stored before you have looked at it. The file stays on this device.":
            "Rien n'est enregistré avant que tu l'aies vu. Le fichier reste sur cet appareil.",
        "What it is": "De quoi il s'agit", "Currency, if the file names none": "Devise, si le fichier n'en nomme pas",
        "Look at it": "Voir",
        "bank statement (CSV, XLSX, OFX, QIF, CAMT.053, MT940)":
            "relevé bancaire (CSV, XLSX, OFX, QIF, CAMT.053, MT940)",
        "table of subscriptions (CSV)": "tableau d'abonnements (CSV)",
        "export of SubGuard (JSON)": "export de SubGuard (JSON)", "Another file": "Un autre fichier",
        "% entry|% entries": "% écriture|% écritures", "Columns: %": "Colonnes : %",
        "Recurring charges": "Prélèvements récurrents",
        "dates: %": "dates : %", "detected": "détecté", "detected: %": "détecté : %", "Row": "Ligne",
        "Column %": "Colonne %",
        "The first rows": "Les premières lignes", "New prices": "Nouveaux prix",
        "Charges to confirm": "Échéances à confirmer", "Charged after cancelling": "Prélevé après résiliation",
        "Charged twice": "Prélevé deux fois",
        "new price from %, instead of %": "nouveau prix à partir du %, au lieu de %",
        "charged on %": "prélevé le %",
        "%, paid back: counts as not charged": "%, remboursé : compte comme non prélevé",
        "% more charge|% more charges": "% autre échéance|% autres échéances",
        "No row of the file proves the order of the dates. If it is wrong, change it under “Read it differently”.":
            "Aucune ligne du fichier ne prouve l'ordre des dates. S'il est faux, change-le sous « Lire autrement ».",
        "Row %: %": "Ligne % : %", "Row %, column “%”, empty: %": "Ligne %, colonne «\u{A0}%\u{A0}», vide : %",
        "Row %, column “%”, “%”: %": "Ligne %, colonne «\u{A0}%\u{A0}», «\u{A0}%\u{A0}» : %",
        "No column was recognised as the payee. Say which one names who was paid.":
            "Aucune colonne n'a été reconnue comme le bénéficiaire. Indique celle qui dit qui a été payé.",
        "The file names no currency: enter it.": "Le fichier n'indique aucune devise : saisis-la.",
        "The text is not in this encoding: choose another one.":
            "Le texte n'est pas dans cet encodage : choisis-en un autre.",
        "The columns were not recognised. Say which one holds the date, and which one or two hold the amount.":
            "Les colonnes n'ont pas été reconnues. Indique celle de la date, et celle ou celles du montant.",
        "The columns were not recognised. Say which one holds the name, and which one the amount.":
            "Les colonnes n'ont pas été reconnues. Indique celle du nom et celle du montant.",
        "Two columns hold the same. Change one of them.": "Deux colonnes ont le même sens. Change l'une d'elles.",
        "No new recurring charges were found.": "Aucun nouveau prélèvement récurrent.",
        "Rows that cannot be read, and are left out": "Lignes illisibles, laissées de côté",
        "% subscription would be added|% subscriptions would be added":
            "% abonnement serait ajouté|% abonnements seraient ajoutés",
        "Would be added": "Serait ajouté", "Would be changed": "Serait modifié",
        "This file has nothing that is not here already.": "Ce fichier n'a rien qui ne soit déjà là.",
        // Backups
        "Backups": "Sauvegardes", "The last backup is % days old.": "La dernière sauvegarde a % jours.",
        "There is no backup yet.": "Il n'y a pas encore de sauvegarde.",
        "Optional: the file can then be read with it only.": "Facultative : le fichier ne se lit alors qu'avec elle.",
        "Still working": "Traitement en cours",
        "Download a backup": "Télécharger une sauvegarde", "On this device": "Sur cet appareil",
        "Restore a backup file": "Restaurer un fichier de sauvegarde",
        "You see what would change before anything does.": "Tu vois d'abord ce qui changerait ; rien ne change avant.",
        "Backup of %": "Sauvegarde du %",
        "This backup has exactly what is here now.": "Cette sauvegarde contient exactement ce qui est là.",
        "Would disappear": "Disparaîtrait", "Would come back": "Reviendrait",
        "Would change back": "Redeviendrait comme avant",
        "% charge, with what was confirmed|% charges, with what was confirmed":
            "% échéance, avec ce qui a été acquitté|% échéances, avec ce qui a été acquitté",
        "Something was changed since you looked. Nothing was restored; look again.":
            "Quelque chose a changé depuis l'aperçu. Rien n'a été restauré ; regarde à nouveau.",
        "% more difference that no page shows|% more differences that no page shows":
            "% autre différence, visible sur aucune page|% autres différences, visibles sur aucune page",
        "Settings stay as they are.": "Les paramètres ne changent pas.",
        "subscription": "abonnement", "expense": "dépense", "single payment": "paiement isolé",
        "exchange rate": "taux de change", "%: % → %": "% : % → %", "% from %": "% à partir du %",
        "Restore": "Restaurer", "Restore this backup?": "Restaurer cette sauvegarde ?", "Now": "Maintenant",
        "What is there now is kept as a backup; the restore can be undone.":
            "L'état actuel est conservé comme sauvegarde, et la restauration peut être annulée.",
        "Passphrase": "Phrase secrète", "Passphrase, if it has one": "Phrase secrète, s'il y en a une",
        "Merge another device": "Fusionner un autre appareil", "Merge": "Fusionner",
        "Choose a backup of it. Of two edits, the newer one stays.":
            "Choisis une sauvegarde de celui-ci. De deux modifications, la plus récente reste.",
        "This backup has nothing that is not here already.": "Cette sauvegarde n'apporte rien de nouveau.",
        "What was undone there": "Ce qui y a été annulé",
        "What would come in": "Ce qui arriverait",
        "What is left out": "Ce qui est laissé de côté",
        "What a newer edit would replace": "Ce qu'une modification plus récente remplacerait",
        "What is there now is kept as a backup; the merge can be undone.":
            "L'état actuel est conservé comme sauvegarde, et la fusion peut être annulée.",
        "% subscription|% subscriptions": "% abonnement|% abonnements",
        "Read it differently": "Lire autrement", "Encoding": "Encodage", "Dates": "Dates",
        "Column “%”": "Colonne « % »", "Look at it again": "Revoir", "payee": "bénéficiaire", "wording": "libellé",
        "payment type": "type de paiement", "fee": "frais", "debit": "débit", "credit": "crédit", "direction": "sens",
        "ignored": "ignorée", "balance": "solde", "booked or pending": "état de l'écriture",
        "day, month, year": "jour, mois, année",
        "month, day, year": "mois, jour, année", "year, month, day": "année, mois, jour",
        // The calendar
        "Calendar": "Calendrier", "Month before": "Mois précédent", "Month after": "Mois suivant",
        "cancel % today at the latest": "résilier % au plus tard", "The next 12 months": "Les 12 prochains mois",
        "Budgets": "Budgets", "Everything": "Tout",
        "Price rises": "Hausses de prix", "No price rises since %.": "Aucune hausse de prix depuis le %.",
        "Only the newest % are shown.": "Seules les % plus récentes sont affichées.",
        "Saved by cancelling": "Économisé en résiliant", "Possibly twice": "Peut-être en double",
        "Set a budget": "Fixer un budget", "Limit": "Limite", "For": "Pour", "Per": "Par", "year": "année",
        "The next 12 months by category": "Les 12 prochains mois par catégorie",
        "The year %": "L'année %", "By category": "Par catégorie", "Print": "Imprimer", "Total": "Total",
        "As of %: what was charged, and what is to come.": "Au % : ce qui a été prélevé et ce qui est à venir.",
        // Export
        "Export": "Exporter", "Download": "Télécharger",
        "Files for other programs. To keep everything, or to move, make a backup instead.":
            "Des fichiers pour d'autres programmes. Pour tout garder ou déménager, fais plutôt une sauvegarde.",
        "Subscriptions as a table (CSV)": "Les abonnements en tableau (CSV)", "Everything (JSON)": "Tout (JSON)",
        "Charges and last days to cancel for a calendar (iCalendar)":
            "Échéances et dates de résiliation pour un agenda (iCalendar)",
        "Past charges for ledger and hledger": "Échéances passées pour ledger et hledger",
        "Past charges for Beancount": "Échéances passées pour Beancount",
        // Rates
        "Exchange rates": "Taux de change", "A rate of your own": "Un taux à toi",
        "Units for one euro": "Unités pour un euro", "Such as 1.0823 US dollars.": "Par exemple 1,0823 dollar.",
        "From": "À partir du", "Rates of the European Central Bank": "Taux de la Banque centrale européenne",
        "eurofxref-hist.zip or eurofxref.csv from its website, as it is.":
            "eurofxref-hist.zip ou eurofxref.csv de son site, tel quel.",
        "Reference rates": "Taux de référence", "up to %": "jusqu'au %", "none": "aucun", "Your own": "À toi",
        "from %": "à partir du %", "No rate for": "Aucun taux pour",
        // Reminders
        "Reminders": "Rappels", "Remind me of": "Me rappeler", "The next reminders": "Les prochains rappels",
        "A timer of this machine shows them, also while the app is closed:":
            "Une minuterie de cette machine les affiche, même quand l'app est fermée :",
        "Time of day": "Heure", "Quiet hours": "Heures calmes",
        "Such as 22:00-08:00, or none.": "Par exemple 22:00-08:00, ou none pour aucune.",
        "Days before a charge": "Jours avant une échéance",
        "Such as 7,1; for the ends of trials and new prices too.":
            "Par exemple 7,1 ; aussi pour les fins d'essai et les nouveaux prix.",
        "Days before the last day to cancel": "Jours avant la date limite de résiliation",
        "Such as 14,3.": "Par exemple 14,3.", "coming charges": "les échéances", "ends of trials": "les fins d'essai",
        "last days to cancel": "les dates limites de résiliation", "new prices": "les nouveaux prix",
        "budgets": "les budgets",
        "Show notifications from this page": "Afficher des notifications depuis cette page",
        "Stop notifications from this page": "Arrêter les notifications de cette page",
        "The browser blocks notifications of this address. Allow them in its settings.":
            "Le navigateur bloque les notifications de cette adresse. Autorise-les dans ses paramètres.",
        "Shown while a page of the app is open. Each reminder is shown once, here or by subguard remind.":
            "Affichées tant qu'une page de l'app est ouverte. Chaque rappel paraît une fois, ici ou par subguard remind.",
        // Privacy
        "Privacy": "Confidentialité",
        "Consent to anonymous events, sessions and crash reports for the server:":
            "Accord pour l'envoi au serveur d'événements, de sessions et de rapports de plantage anonymes :",
        "Events": "Événements", "Sessions": "Sessions", "Crash reports": "Rapports de plantage",
        "% session|% sessions": "% session|% sessions",
        "% of them crashed|% of them crashed": "dont % plantée|dont % plantées",
        "Exactly as it would be sent (JSON)": "Exactement ce qui serait envoyé (JSON)",
        "Random numbers that are missing here are made when it is sent.":
            "Les numéros aléatoires qui manquent ici sont créés lors de l'envoi.",
        "They never have names, amounts or dates of yours.": "Ils n'ont jamais tes noms, tes montants ni tes dates.",
        "Nothing is sent without your consent, nor without a server that you have set.":
            "Rien n'est envoyé sans ton accord, ni sans un serveur que tu as choisi.",
        "The server still has to erase the events already sent.":
            "Le serveur doit encore effacer les événements déjà envoyés.",
        "Allow": "Autoriser", "Refuse and erase": "Refuser et effacer",
        "What would be sent now": "Ce qui serait envoyé maintenant", "Nothing waits.": "Rien n'attend.",
        "Events have a random number of this device, the version of SubGuard and the system. Sessions and crash reports name no device.":
            "Les événements portent un numéro aléatoire de cet appareil, la version de SubGuard et le système. Les sessions et les rapports de plantage ne désignent aucun appareil.",
        "All events that there are": "Tous les événements possibles",
        "From the catalogue built in, of %. Prices may have changed.":
            "Du catalogue intégré, du %. Les prix ont pu changer.",
        // The calendar by address
        "Calendar by address": "Agenda par adresse",
        "There is no such calendar.": "Cet agenda n'existe pas.",
        "The calendar cannot be read at the moment.": "L'agenda ne peut pas être lu pour l'instant.",
        "Calendars on this device read the charges from an address, and refresh by themselves while the app runs.":
            "Les agendas de cet appareil lisent les échéances à une adresse, et se mettent à jour tant que l'app tourne.",
        "Add it to your calendar as a calendar on the network. Keep it to yourself: it needs no password.":
            "Ajoute-la à ton agenda comme agenda du réseau. Garde-la pour toi : elle ne demande aucun mot de passe.",
        "New address": "Nouvelle adresse", "Turn off": "Désactiver", "Turn on": "Activer",
        "Either way, the address above stops working.": "Dans les deux cas, l'adresse ci-dessus cesse de fonctionner.",
        "The address is off.": "L'adresse est désactivée.",
        "The form is not one of the app's.": "Ce formulaire n'est pas de l'app.",
        "off; to turn it on: subguard calendar --on": "désactivée ; pour l'activer : subguard calendar --on",
        "the address answers while subguard open runs": "l'adresse répond tant que subguard open tourne",
        // The server, premium and categories
        "Server": "Serveur", "Address": "Adresse", "Last sync": "Dernière synchronisation",
        "never completed": "jamais terminée", "Catalogue": "Catalogue", "Suggestions": "Suggestions",
        "Anonymous events": "Événements anonymes", "Sessions and crashes": "Sessions et plantages",
        "Consent": "Accord", "Last errors": "Dernières erreurs", "Sync now": "Synchroniser maintenant",
        "No server is set, so nothing is sent or fetched. To use one, start the app so:":
            "Aucun serveur n'est choisi : rien n'est envoyé ni téléchargé. Pour en utiliser un, lance l'app ainsi :",
        "A sync is running. This page shows its end.":
            "Une synchronisation est en cours. Cette page en affichera la fin.",
        "Not everything was synced.": "Tout n'a pas été synchronisé.", "Everything is synced.": "Tout est synchronisé.",
        "%: %": "% : %", "You are signed out.": "Tu es déconnecté.",
        "You are signed out on this device; the server could not be notified.":
            "Tu es déconnecté de cet appareil ; le serveur n'a pas pu être prévenu.",
        "Account": "Compte", "Signed in to %.": "Connecté à %.",
        "Not signed in. Only premium needs an account.": "Non connecté. Seul Premium nécessite un compte.",
        "To erase the account:": "Pour effacer le compte :", "To sign in:": "Pour se connecter :",
        "To sign out:": "Pour se déconnecter :", "Sign out": "Se déconnecter",
        "Premium then ends on this device.": "Premium s'arrête alors sur cet appareil.",
        "Premium": "Premium", "Premium is on.": "Premium est actif.",
        "Premium is off; you use the free version.": "Premium n'est pas actif : tu utilises la version gratuite.",
        "Without an answer of the server it holds until %.": "Sans réponse du serveur, il reste actif jusqu'au %.",
        "Free": "Gratuit", "% subscriptions; you have %": "% abonnements ; tu en as %",
        "The categories that are there, Pro and Personal": "Les catégories existantes, Pro et Personnel",
        "Reminders, budgets, forecasts and the last days to cancel":
            "Rappels, budgets, prévisions et dates limites de résiliation",
        "Sharing, groups and receipts": "Partage, groupes et justificatifs",
        "Bank statements and other imports": "Relevés bancaires et autres imports",
        "Backups, merges and the export of everything (JSON)": "Sauvegardes, fusions et export complet (JSON)",
        "Premium adds": "Premium ajoute", "More subscriptions": "Plus d'abonnements",
        "Categories of your own": "Des catégories à toi",
        "Exports for spreadsheets (CSV), calendars (iCalendar) and accounting":
            "Exports pour tableurs (CSV), agendas (iCalendar) et comptabilité",
        "It is checked only when you add something. When it ends, nothing is hidden or deleted.":
            "Il n'est vérifié qu'à l'ajout. Quand il s'arrête, rien n'est masqué ni supprimé.",
        "The operator of your server can give it to you, and finds your account by its id:":
            "L'exploitant de ton serveur peut te le donner, et trouve ton compte par son identifiant :",
        "It is bought and managed in the App Store:": "Il s'achète et se gère dans l'App Store :",
        "Categories": "Catégories", "All categories": "Toutes les catégories", "your own": "à toi",
        "No subscriptions yet.": "Aucun abonnement pour l'instant.",
        "A category of your own is entered with a subscription; that needs premium.":
            "Une catégorie à toi se saisit avec un abonnement ; il faut Premium.",
        "Premium is off. The ones that are there can be kept.":
            "Premium n'est pas actif. Celles qui existent peuvent être gardées.",
        "A category of your own": "Une catégorie à toi",
        "In place of the one above; needs premium.": "À la place de celle du dessus ; il faut Premium.",
        "Appearance": "Apparence", "as the system": "comme le système", "light": "clair", "dark": "sombre",
        "For this browser only.": "Pour ce navigateur seulement.",
        "Hide amounts": "Masquer les montants", "Show amounts": "Afficher les montants",
        // Settings
        "More settings": "Autres paramètres",
        "Language": "Langue", "Home currency": "Devise de référence",
        "Sums over several currencies are shown in it, such as EUR.":
            "Les sommes de plusieurs devises s'affichent dans celle-ci, par exemple EUR.",
        "Browsers that are let in": "Navigateurs admis", "unknown browser": "navigateur inconnu",
        "this one": "celui-ci", "last used %": "dernière utilisation : %", "End": "Terminer",
        "Changes": "Modifications", "List of changes": "Liste des modifications",
        "Your data": "Tes données",
        "Everything stays in this file on your device:": "Tout reste dans ce fichier, sur ton appareil :",
    ]

    static let appErrors: [String: String] = [
        "Something else was changed since.": "Autre chose a changé depuis.",
        "Must be a date such as 2027-01-15.": "doit être une date telle que 15/01/2027",
        "The form has more than % fields.": "le formulaire a plus de % champs",
        "A field of the form has no value.": "un champ du formulaire n'a pas de valeur",
        "A field of the form has no name.": "un champ du formulaire n'a pas de nom",
        "The form is not percent-encoded UTF-8.": "le formulaire est illisible",
        "The name of a field has more than % bytes.": "le nom d'un champ dépasse % octets",
        "The field % has more than % bytes.": "le champ % dépasse % octets",
        "The boundary of the form is invalid.": "la limite du formulaire n'est pas valable",
        "A file has more than % bytes.": "un fichier dépasse % octets",
        "The field % is not UTF-8.": "le champ % n'est pas en UTF-8",
        "The form does not begin with its boundary.": "le formulaire ne commence pas par sa limite",
        "There is data after the form.": "des données suivent le formulaire",
        "A boundary of the form does not end its line.": "une limite du formulaire ne finit pas sa ligne",
        "A part of the form has no end.": "une partie du formulaire n'a pas de fin",
        "The head of a part has more than % bytes.": "l'en-tête d'une partie dépasse % octets",
        "A field line of a part is unreadable.": "un en-tête d'une partie est illisible",
        "A part has a field line that forms do not have.": "une partie a un en-tête que les formulaires n'ont pas",
        "A part has no name.": "une partie du formulaire n'a pas de nom",
        "The name of a part is unreadable.": "le nom d'une partie est illisible",
        "The file name of a part is unreadable.": "le nom de fichier d'une partie est illisible",
        "The Content-Type must be multipart/form-data with a boundary.":
            "le Content-Type doit être multipart/form-data avec une limite",
        "The Content-Type must be application/x-www-form-urlencoded.":
            "le Content-Type doit être application/x-www-form-urlencoded",
        "A form must not be compressed.": "un formulaire ne doit pas être compressé",
        "The file is no longer here. Choose it again.": "Le fichier n'est plus là. Choisis-le à nouveau.",
        "The file is larger than % MB.": "le fichier dépasse % Mo",
        "This is an archive, a PDF or a spreadsheet. Choose a text file, such as CSV.":
            "c'est une archive, un PDF ou un tableur ; choisis un fichier texte, par exemple CSV",
        "This is no text file: a line has more than % bytes.":
            "ce n'est pas un fichier texte : une ligne dépasse % octets",
        "The body is larger than the % bytes that this resource accepts.": "l'envoi dépasse les % octets acceptés ici",
        "No file was chosen.": "aucun fichier n'est choisi",
        "Must be a currency code such as EUR.": "doit être un code de devise comme EUR",
        "No server is set.": "aucun serveur n'est choisi",
        "No appearance was chosen.": "aucune apparence n'est choisie",
        "No budget was chosen.": "aucun budget n'est choisi",
        "No answer was chosen.": "aucune réponse n'est choisie",
        "No expense was chosen.": "aucune dépense n'est choisie",
        "This payment is no longer open.": "Ce paiement n'est plus à faire.",
        "Must be a percentage such as 33.33.": "doit être un pourcentage comme 33,33",
        "Must be a whole number such as 2.": "doit être un nombre entier comme 2",
        "Must name who paid.": "doit dire qui a payé", "Must name who shares it.": "doit dire qui partage",
        "No person was chosen.": "aucune personne n'est choisie",
        "No charge was chosen.": "aucune échéance n'est choisie",
        "One charge is expected.": "une seule échéance est attendue",
        "No browser was chosen.": "aucun navigateur n'est choisi",
    ]
}
