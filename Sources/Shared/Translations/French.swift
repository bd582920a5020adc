// swift-format-ignore-file
// Made by Scripts/generate from Sources/Shared/Translations/fr.po. Do not edit.

/// What people read in French, in the PO format.
package enum French {
    package static let portableObject = ##"""
# French of SubGuard: the text of every English pattern in the sources, in sections by where it is said. %1 and %2 stand
# for values. msgctxt is "console" or "device" where the two say it differently, and "console finished" or "device
# finished" for what is met as finished English: stored texts and errors of libraries. In the console, a space before
# ; : ! ? becomes one that does not break. `Scripts/generate` embeds the file; a test compares it with the sources.
msgid ""
msgstr ""
"Language: fr\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

# Console: differences

msgid "becomes"
msgstr "devient"

# Console: Access

msgid "Access"
msgstr "Accès"

msgid "Pages about access"
msgstr "Pages sur les accès"

msgid "Tokens for programs and people. A session of the console belongs to the token that began it."
msgstr "Jetons des programmes et des personnes. Une session de la console appartient au jeton qui l’a ouverte."

msgid "Tokens"
msgstr "Jetons"

msgid "Roles"
msgstr "Rôles"

msgid "Sessions"
msgstr "Sessions"

msgid "All"
msgstr "Tous"

msgid "Valid"
msgstr "Valides"

msgid "Expired"
msgstr "Expirés"

msgid "Revoked"
msgstr "Révoqué le"

msgid "valid"
msgstr "valide"

msgid "expired"
msgstr "expiré"

msgctxt "console"
msgid "revoked"
msgstr "révoqué"

msgid "Role"
msgstr "Rôle"

msgid "Created"
msgstr "Création"

msgid "Last used"
msgstr "Dernière utilisation"

msgid "Expires"
msgstr "Expire le"

msgid "never"
msgstr "jamais"

msgid "First characters"
msgstr "Premiers caractères"

msgid "Newest"
msgstr "Le plus récent"

msgid "Latest use"
msgstr "Dernière utilisation"

msgid "Days in UTC. The secret of a token is stored as a hash only."
msgstr "Jours en UTC. Seul le hachage du secret d’un jeton est stocké."

msgid "No tokens here"
msgstr "Aucun jeton ici"

msgid "Choose another status, clear the search, or create a token below."
msgstr "Choisis un autre statut, efface la recherche, ou crée un jeton ci-dessous."

msgid "%1 of %2 shown"
msgstr "%1 sur %2"

msgid "New token"
msgstr "Nouveau jeton"

msgid "Create token"
msgstr "Créer le jeton"

msgid "The token is shown once, on the next page."
msgstr "Le jeton est affiché une seule fois, sur la page suivante."

msgid "Who or what uses it, as the audit log will say."
msgstr "Qui ou quoi l’utilise : le journal d’audit le montrera."

msgid "Only roles whose permissions you hold can be given."
msgstr "Seuls les rôles dont tu as les permissions peuvent être donnés."

msgid "Choose a role"
msgstr "Choisis un rôle"

msgid "Prefer an expiry for people and experiments."
msgstr "Préfère une expiration pour les personnes et les essais."

msgid "in %1 days (%2)"
msgstr "dans %1 jours (%2)"

msgid "with your token (%1)"
msgstr "avec ton jeton (%1)"

msgid "Copy the token now"
msgstr "Copie le jeton maintenant"

msgid "The token “%1” with the role %2 is valid now."
msgstr "Le jeton « %1 » avec le rôle %2 est valide dès maintenant."

msgid "It is not shown again. Keep it in a password manager."
msgstr "Il ne sera plus affiché. Garde-le dans un gestionnaire de mots de passe."

msgid "Copy"
msgstr "Copier"

msgid "Copied"
msgstr "Copié"

msgid "All tokens"
msgstr "Tous les jetons"

msgid "Revoke…"
msgstr "Révoquer…"

msgid "The token is revoked. Programs that use it get 401 from now on."
msgstr "Le jeton est révoqué. Les programmes qui l’utilisent reçoivent désormais 401."

msgid "Permissions"
msgstr "Permissions"

msgid "None: its role was removed."
msgstr "Aucune : son rôle a été supprimé."

msgid "What it changed, in the audit log"
msgstr "Ce qu’il a modifié, dans le journal d’audit"

msgid "Revoke %1?"
msgstr "Révoquer %1 ?"

msgid "Programs that use the token %1 are refused at once."
msgstr "Les programmes qui utilisent le jeton %1 sont refusés aussitôt."

msgid "This cannot be undone; a new token can be created."
msgstr "C’est irréversible ; un nouveau jeton peut être créé."

msgid "This is the token of your own session: you will be signed out."
msgstr "C’est le jeton de ta propre session : tu seras déconnecté."

msgid "Revoke the token"
msgstr "Révoquer le jeton"

msgid "Change nothing"
msgstr "Ne rien changer"

msgid "What each role may do. Built-in roles are fixed; your own ones can be edited here."
msgstr "Ce que chaque rôle permet. Les rôles intégrés sont fixes ; les tiens se modifient ici."

msgid "Permissions in rows, roles in columns."
msgstr "Permissions en lignes, rôles en colonnes."

msgid "Permission"
msgstr "Permission"

msgid "built in"
msgstr "intégré"

msgid "yes"
msgstr "oui"

msgid "no"
msgstr "non"

msgid "%1: %2"
msgstr "%1 : %2"

msgctxt "device finished"
msgid "%1: %2"
msgstr "%1 : %2"

msgid "new role"
msgstr "nouveau rôle"

msgid "Name of a new role"
msgstr "Nom d’un nouveau rôle"

msgid "Name of the role %1"
msgstr "Nom du rôle %1"

msgid "remove"
msgstr "supprimer"

msgid "Remove the role %1"
msgstr "Supprimer le rôle %1"

msgid "Save roles"
msgstr "Enregistrer les rôles"

msgid "Applies to all tokens of a role at once. A role with valid tokens cannot be removed."
msgstr "S’applique aussitôt à tous les jetons d’un rôle. Un rôle dont des jetons sont valides ne peut être supprimé."

msgid "The roles are saved."
msgstr "Les rôles sont enregistrés."

msgid "Somebody else saved the roles after you opened this page, so nothing was saved. The matrix has their changes and yours; for a role that both changed, it has yours. Compare, correct, save again."
msgstr "Quelqu’un d’autre a enregistré les rôles après l’ouverture de cette page ; rien n’a été enregistré. La matrice contient ses modifications et les tiennes ; pour un rôle modifié par les deux, la tienne. Compare, corrige, puis enregistre à nouveau."

msgid "Added by somebody else, and kept: %1."
msgstr "Ajoutés par quelqu’un d’autre, et conservés : %1."

msgid "Removed by somebody else: %1. A role that you changed is there again as a new one; clear its name to leave it out."
msgstr "Supprimés par quelqu’un d’autre : %1. Un rôle que tu as modifié revient comme nouveau ; efface son nom pour l’omettre."

msgid "Roles that differ. Your version is in bold."
msgstr "Rôles qui diffèrent. Ta version est en gras."

msgctxt "console"
msgid "Now"
msgstr "Actuellement"

msgid "Your version"
msgstr "Ta version"

msgid "no such role"
msgstr "aucun rôle de ce nom"

msgid "Read the catalogue"
msgstr "Lire le catalogue"

msgid "Change the catalogue"
msgstr "Modifier le catalogue"

msgid "Decide on suggestions"
msgstr "Traiter les suggestions"

msgid "Read figures"
msgstr "Lire les chiffres"

msgid "Export events"
msgstr "Exporter les événements"

msgid "Decide on crashes"
msgstr "Traiter les plantages"

msgid "Read alerts"
msgstr "Lire les alertes"

msgid "Change alerts"
msgstr "Modifier les alertes"

msgid "Read the audit log"
msgstr "Lire le journal d’audit"

msgid "Manage access"
msgstr "Gérer les accès"

msgid "The browsers in which your token is signed in."
msgstr "Les navigateurs où ton jeton est connecté."

msgid "The browsers that are signed in to the console. A session ends after 12 hours without a request."
msgstr "Les navigateurs connectés à la console. Une session prend fin après 12 heures sans requête."

msgid "Browser"
msgstr "Navigateur"

msgid "unknown browser"
msgstr "navigateur inconnu"

msgid "this session"
msgstr "cette session"

msgid "Signed in"
msgstr "Connexion"

msgid "End"
msgstr "Terminer"

msgid "End the session in %1 of %2"
msgstr "Terminer la session dans %1 de %2"

msgid "End my other sessions (%1)…"
msgstr "Terminer mes autres sessions (%1)…"

msgid "End all other sessions (%1)…"
msgstr "Terminer toutes les autres sessions (%1)…"

msgid "The session has ended."
msgstr "La session est terminée."

msgid "The other sessions have ended."
msgstr "Les autres sessions sont terminées."

msgid "End other sessions?"
msgstr "Terminer les autres sessions ?"

msgid "Other sessions of your token: %1. Those browsers are signed out at once; this one stays signed in."
msgstr "Autres sessions de ton jeton : %1. Ces navigateurs sont déconnectés aussitôt ; celui-ci reste connecté."

msgid "Other sessions, of all tokens: %1. Those browsers are signed out at once; this one stays signed in."
msgstr "Autres sessions, tous jetons confondus : %1. Ces navigateurs sont déconnectés aussitôt ; celui-ci reste connecté."

msgid "End them"
msgstr "Les terminer"

msgid "Confirm with your token"
msgstr "Confirme avec ton jeton"

msgid "You are about to change access. Enter the token “%1” again; what you sent is kept and carried out then."
msgstr "Tu vas modifier des accès. Saisis à nouveau le jeton « %1 » ; ce que tu as envoyé est conservé, puis exécuté."

msgid "Continue"
msgstr "Continuer"

msgid "Cancel, change nothing"
msgstr "Annuler, ne rien changer"

msgid "Needed when you signed in more than 15 minutes ago. Without the token, sign in with a new link."
msgstr "Demandé si ta connexion date de plus de 15 minutes. Sans le jeton, connecte-toi avec un nouveau lien."

msgid "This is not the token of your session."
msgstr "Ce n’est pas le jeton de ta session."

# Console: Accounts

msgid "Accounts"
msgstr "Comptes"

msgid "People who signed in with Apple. No name or address is stored, and the id with which they sign in only as a hash."
msgstr "Les personnes connectées avec Apple. Ni nom ni adresse ne sont stockés, et l’identifiant de connexion ne l’est que sous forme de hachage."

msgid "Account id"
msgstr "Identifiant de compte"

msgid "“subguard premium” and the app show it to its owner."
msgstr "« subguard premium » et l’app le montrent à son propriétaire."

msgid "No accounts"
msgstr "Aucun compte"

msgid "An account begins when somebody signs in. Check the id that you searched for."
msgstr "Un compte naît à la première connexion. Vérifie l’identifiant recherché."

msgid "First signed in"
msgstr "Première connexion"

msgid "Sign-in hash"
msgstr "Hachage de connexion"

msgid "Premium"
msgstr "Premium"

msgid "Source"
msgstr "Source"

msgid "Ends"
msgstr "Fin"

msgid "Product"
msgstr "Produit"

msgid "Given by operators"
msgstr "Donné par les opérateurs"

msgid "until the end of %1 (UTC)"
msgstr "jusqu’à la fin du %1 (UTC)"

msgid "nothing"
msgstr "rien"

msgid "Note"
msgstr "Note"

msgid "Accounts on this page: %1"
msgstr "Comptes sur cette page : %1"

msgid "Older"
msgstr "Plus ancien"

msgid "Give premium"
msgstr "Donner Premium"

msgid "It lasts until the end of the day, whatever becomes of a purchase, and replaces what was given before. Devices learn it with their next sync."
msgstr "Il dure jusqu’à la fin du jour, quoi qu’il advienne d’un achat, et remplace ce qui a été donné avant. Les appareils l’apprennent à leur prochaine synchronisation."

msgid "Last day"
msgstr "Dernier jour"

msgid "In UTC, from today on."
msgstr "En UTC, à partir d’aujourd’hui."

msgid "Only operators see it. Deleted with the grant or the account."
msgstr "Seuls les opérateurs la voient. Supprimée avec le don ou le compte."

msgid "Premium is given."
msgstr "Premium est donné."

msgid "Take back…"
msgstr "Retirer…"

msgid "Take back the given premium?"
msgstr "Retirer le Premium donné ?"

msgid "It ends on devices with their next sync. What was bought stays."
msgstr "Il s’arrête sur les appareils à leur prochaine synchronisation. Les achats restent."

msgid "Take back"
msgstr "Retirer"

msgid "The given premium is taken back."
msgstr "Le Premium donné est retiré."

msgid "Changes in the audit log"
msgstr "Modifications dans le journal d’audit"

msgid "Give premium to accounts"
msgstr "Donner Premium à des comptes"

msgid "given by an operator"
msgstr "donné par un opérateur"

msgid "given to all"
msgstr "donné à tous"

msgid "none"
msgstr "aucun"

msgid "active"
msgstr "actif"

msgid "grace period"
msgstr "délai de grâce"

msgid "payment failed"
msgstr "paiement échoué"

msgid "refunded"
msgstr "remboursé"

msgid "replaced by an upgrade"
msgstr "remplacé par une offre supérieure"

# Console: Alerts

msgid "Alerts"
msgstr "Alertes"

msgid "Messages when a figure crosses a value, or when a number of users is reached."
msgstr "Messages quand un chiffre franchit une valeur, ou qu’un nombre d’utilisateurs est atteint."

msgid "Rules"
msgstr "Règles"

msgid "New rule"
msgstr "Nouvelle règle"

msgid "Rule"
msgstr "Règle"

msgid "Fires when"
msgstr "Se déclenche si"

msgid "State"
msgstr "État"

msgid "since %1"
msgstr "depuis le %1"

msgid "muted until %1"
msgstr "en sourdine jusqu’au %1"

msgid "not measured yet"
msgstr "pas encore mesurée"

msgid "quiet"
msgstr "calme"

msgid "fires"
msgstr "déclenchée"

msgid "No rules yet"
msgstr "Aucune règle pour l’instant"

msgid "A rule watches a figure, such as crash-free sessions below 99.5% in the last 24 hours."
msgstr "Une règle surveille un chiffre, par exemple les sessions sans plantage sous 99,5 % sur les dernières 24 heures."

msgid "%1 below %2"
msgstr "%1 sous %2"

msgid "%1 above %2"
msgstr "%1 au-dessus de %2"

msgid "%1 down by %2 or more"
msgstr "%1 en baisse de %2 ou plus"

msgid "%1 up by %2 or more"
msgstr "%1 en hausse de %2 ou plus"

msgid "%1 in the last %2"
msgstr "%1 sur %2"

msgid "%1 in %2 against the %2 before"
msgstr "%1 sur %2 par rapport aux %2 d’avant"

msgid "%1 h"
msgstr "%1 h"

msgid "%1 days"
msgstr "%1 jours"

msgid "Name"
msgstr "Nom"

msgid "Figure"
msgstr "Chiffre"

msgid "Comparison"
msgstr "Comparaison"

msgid "Value"
msgstr "Valeur"

msgid "Percent for crash-free sessions, storage, and changes."
msgstr "En pour cent pour les sessions sans plantage, le stockage et les variations."

msgid "Window"
msgstr "Fenêtre"

msgid "Hours or days that end now, such as 24h or 7d. Active users: 7d or 30d. Accepted events: at most 6h. Storage: none."
msgstr "Heures ou jours jusqu’à maintenant, par exemple 24h ou 7d. Utilisateurs actifs : 7d ou 30d. Événements acceptés : au plus 6h. Stockage : aucune."

msgid "Minimum sample"
msgstr "Échantillon minimum"

msgid "With fewer sessions or users, the state stays as it is."
msgstr "Avec moins de sessions ou d’utilisateurs, l’état reste tel quel."

msgid "Muted until"
msgstr "En sourdine jusqu’au"

msgid "In UTC. Until then no message is sent."
msgstr "En UTC. D’ici là, aucun message n’est envoyé."

msgid "Save rule"
msgstr "Enregistrer la règle"

msgid "Preview"
msgstr "Aperçu"

msgid "Delete…"
msgstr "Supprimer…"

msgid "New users"
msgstr "Nouveaux utilisateurs"

msgid "Active users"
msgstr "Utilisateurs actifs"

msgid "Downloads"
msgstr "Téléchargements"

msgid "Premium conversions"
msgstr "Passages à Premium"

msgid "Crash-free sessions"
msgstr "Sessions sans plantage"

msgid "Accepted events"
msgstr "Événements acceptés"

msgid "Failed deliveries"
msgstr "Livraisons échouées"

msgid "Storage in use"
msgstr "Stockage utilisé"

msgid "Event sink lag in seconds"
msgstr "Retard de l’historique en secondes"

msgid "below"
msgstr "inférieur à"

msgid "above"
msgstr "supérieur à"

msgid "falls by (percent)"
msgstr "baisse de (pour cent)"

msgid "rises by (percent)"
msgstr "augmente de (pour cent)"

msgid "The rule is saved."
msgstr "La règle est enregistrée."

msgid "The rule was deleted."
msgstr "La règle a été supprimée."

msgid "Recovers at"
msgstr "Se rétablit à"

msgid "Evaluated"
msgstr "Évaluée le"

msgid "Sample"
msgstr "Échantillon"

msgid "Mute"
msgstr "Sourdine"

msgid "for 1 hour"
msgstr "1 heure"

msgid "for 1 day"
msgstr "1 jour"

msgid "for 7 days"
msgstr "7 jours"

msgid "End muting"
msgstr "Lever la sourdine"

msgid "Delete the rule “%1”?"
msgstr "Supprimer la règle « %1 » ?"

msgid "No message is sent, even if the rule fires now. Messages that wait are still delivered. This cannot be undone."
msgstr "Aucun message n’est envoyé, même si la règle est déclenchée. Les messages en attente partent encore. C’est irréversible."

msgid "Delete rule"
msgstr "Supprimer la règle"

msgid "What it would have done"
msgstr "Ce qu’elle aurait fait"

msgid "It would not have fired in the last %1."
msgstr "Sur %1, elle ne se serait pas déclenchée."

msgid "It would have fired once in the last %1."
msgstr "Sur %1, elle se serait déclenchée une fois."

msgid "It would have fired %2 times in the last %1."
msgstr "Sur %1, elle se serait déclenchée %2 fois."

msgid "Measured at the end of each day and now, as far back as data is stored. Muting is ignored."
msgstr "Mesuré à la fin de chaque jour et maintenant, aussi loin que des données sont conservées. La sourdine est ignorée."

msgid "Measured at the end of each hour and now, as far back as data is stored. Muting is ignored."
msgstr "Mesuré à la fin de chaque heure et maintenant, aussi loin que des données sont conservées. La sourdine est ignorée."

msgid "The past of this figure is not stored. Now it is %1; the rule would %2."
msgstr "Le passé de ce chiffre n’est pas conservé. Il vaut actuellement %1 ; la règle %2."

msgid "The past of this figure is not stored, and it has no value now; the rule would %1."
msgstr "Le passé de ce chiffre n’est pas conservé, et il n’a pas de valeur actuellement ; la règle %1."

msgid "fire"
msgstr "se déclencherait"

msgid "not fire"
msgstr "ne se déclencherait pas"

msgid "Fill in figure, comparison, value and window to see when the rule would have fired."
msgstr "Remplis chiffre, comparaison, valeur et fenêtre pour voir quand la règle se serait déclenchée."

msgid "Would have fired"
msgstr "Se serait déclenchée"

msgid "Would have recovered"
msgstr "Se serait rétablie"

msgid "%1 from %2 to %3, compared with %4."
msgstr "%1 du %2 au %3, comparé à %4."

msgid "%1 earlier ones are not listed."
msgstr "%1 plus anciennes ne sont pas listées."

msgid "When"
msgstr "Quand"

msgid "Thresholds"
msgstr "Seuils"

msgid "Numbers of users, each announced once, ever."
msgstr "Nombres d’utilisateurs, chacun annoncé une seule fois."

msgid "Users"
msgstr "Utilisateurs"

msgid "reached on %1 with %2 users"
msgstr "atteint le %1 avec %2 utilisateurs"

msgid "not sent: no channel is configured; waits for one until %1"
msgstr "non envoyé : aucun canal n’est configuré ; en attend un jusqu’au %1"

msgid "not reached yet"
msgstr "pas encore atteint"

msgid "no longer in the list"
msgstr "retiré de la liste"

msgid "Edit thresholds"
msgstr "Modifier les seuils"

msgid "One number on each line. One that is reached and never fired fires at once; one that has fired stays silent."
msgstr "Un nombre par ligne. Un seuil déjà atteint et jamais annoncé l’est aussitôt ; un seuil annoncé reste muet."

msgid "Save thresholds"
msgstr "Enregistrer les seuils"

msgid "The thresholds are saved."
msgstr "Les seuils sont enregistrés."

msgid "No thresholds."
msgstr "Aucun seuil."

msgid "Channels"
msgstr "Canaux"

msgid "Channel"
msgstr "Canal"

msgid "Receiver"
msgstr "Destinataire"

msgid "in use"
msgstr "actif"

msgid "disabled since %1: %2"
msgstr "désactivé depuis le %1 : %2"

msgid "Send a test"
msgstr "Envoyer un test"

msgid "Send a test through %1"
msgstr "Envoyer un test par %1"

msgid "Test all channels"
msgstr "Tester tous les canaux"

msgid "The test is queued; the log below shows its state."
msgstr "Le test est en file ; le journal ci-dessous montre son état."

msgid "No channel is configured"
msgstr "Aucun canal n’est configuré"

msgid "Set alerts_slack_webhook_url, alerts_smtp_url or alerts_webhook_url and restart the server."
msgstr "Définis alerts_slack_webhook_url, alerts_smtp_url ou alerts_webhook_url et redémarre le serveur."

msgid "Slack"
msgstr "Slack"

msgid "E-mail"
msgstr "E-mail"

msgid "Webhook"
msgstr "Webhook"

msgid "Delivery log"
msgstr "Journal des envois"

msgid "Message"
msgstr "Message"

msgid "Attempts"
msgstr "Tentatives"

msgid "Nothing was sent yet."
msgstr "Rien n’a encore été envoyé."

msgid "queued"
msgstr "en file"

msgid "delivered"
msgstr "livré"

msgid "retrying"
msgstr "nouvel essai"

msgid "given up"
msgstr "abandonné"

msgid "next attempt %1"
msgstr "prochain essai le %1"

msgid "Resend"
msgstr "Renvoyer"

msgid "Resend: %1, %2"
msgstr "Renvoyer : %1, %2"

msgid "It is queued again."
msgstr "Il est à nouveau en file."

msgid "%1 users reached"
msgstr "%1 utilisateurs atteints"

msgid "Test message"
msgstr "Message de test"

msgid "Storage nearly full"
msgstr "Stockage presque plein"

msgid "Storage full"
msgstr "Stockage plein"

msgid "Digest"
msgstr "Récapitulatif"

msgid "%1: fires"
msgstr "%1 : déclenchée"

msgid "%1: recovered"
msgstr "%1 : rétablie"

msgid "Must be at most 100: it is a percentage."
msgstr "Doit être au plus 100 : c’est un pourcentage."

msgid "Must be under 100 for above: it is a percentage."
msgstr "Doit être inférieur à 100 pour above : c’est un pourcentage."

msgid "Must be above 0 for %1."
msgstr "Doit être supérieur à 0 pour %1."

msgid "Must be given for %1."
msgstr "À renseigner pour %1."

msgid "Must not be given for %1, which has no window."
msgstr "À laisser vide pour %1, qui n’a pas de fenêtre."

msgid "Must be at most %1h for this figure and comparison."
msgstr "Doit être au plus %1h pour ce choix."

msgid "Must be below or above for %1."
msgstr "Doit être inférieur ou supérieur pour %1."

msgid "Must be 0 for %1, which has no sample."
msgstr "Doit être 0 pour %1, qui n’a pas d’échantillon."

msgid "Must be hours or days from 1h to 30d, such as 24h or 7d."
msgstr "Doit être en heures ou jours, de 1h à 30d, par exemple 24h ou 7d."

msgid "Must be 7d for %1."
msgstr "Doit être 7d pour %1."

msgid "Must be 7d or 30d for %1."
msgstr "Doit être 7d ou 30d pour %1."

msgid "Must be from 0 to %1, with at most three decimals and no exponent."
msgstr "Doit être compris entre 0 et %1, avec au plus trois décimales et sans exposant."

msgid "Another rule has this name."
msgstr "Une règle porte déjà ce nom."

msgid "There are %1 rules already."
msgstr "Il y a déjà %1 règles."

msgid "The channel %1 is not configured."
msgstr "Le canal %1 n’est pas configuré."

msgid "The users who reached this threshold were discarded; it may fire once more."
msgstr "Les utilisateurs qui ont atteint ce seuil ont été écartés ; il peut se déclencher à nouveau."

msgid "The delivery is being sent at this moment."
msgstr "L’envoi est en cours en ce moment."

# Console: Audit

msgid "Audit"
msgstr "Audit"

msgid "Every change with its author, newest first. Rows are never altered: each hash covers the row before."
msgstr "Chaque modification et son auteur, la plus récente d’abord. Les lignes ne changent jamais : chaque hachage couvre la ligne précédente."

msgid "Verify the chain"
msgstr "Vérifier la chaîne"

msgid "Reads all %1 rows and recomputes their hashes."
msgstr "Lit les %1 lignes et recalcule leurs hachages."

msgid "The chain is intact: %1 rows verified."
msgstr "La chaîne est intacte : %1 lignes vérifiées."

msgid "The chain is broken at row %1: %2"
msgstr "La chaîne est rompue à la ligne %1 : %2"

msgid "Rows from there on cannot be trusted. Compare with a backup."
msgstr "Les lignes à partir de là ne sont pas fiables. Compare avec une sauvegarde."

msgid "Another verification is running. Try again in a moment."
msgstr "Une autre vérification est en cours. Réessaie dans un instant."

msgid "the row or its hash was changed."
msgstr "la ligne ou son hachage a été modifié."

msgid "the row is missing."
msgstr "la ligne manque."

msgid "the row has a format that this program never writes."
msgstr "la ligne a un format que ce programme n’écrit jamais."

msgid "rows are missing at the end."
msgstr "des lignes manquent à la fin."

msgid "Author"
msgstr "Auteur"

msgid "Action"
msgstr "Action"

msgid "Subject"
msgstr "Objet"

msgid "Subject (id)"
msgstr "Objet (identifiant)"

msgid "Token (id)"
msgstr "Jeton (identifiant)"

msgid "Time"
msgstr "Date"

msgid "Changed fields"
msgstr "Champs modifiés"

msgid "Clear"
msgstr "Effacer"

msgid "Times in UTC. Rows in all: %1."
msgstr "Heures en UTC. Lignes au total : %1."

msgid "No rows match"
msgstr "Aucune ligne ne correspond"

msgid "Widen the days, or clear a filter. The author’s name is matched with its case."
msgstr "Élargis les jours, ou efface un filtre. Le nom de l’auteur respecte la casse."

msgid "%1 shown"
msgstr "%1 affichées"

msgid "Audit row %1"
msgstr "Ligne d’audit %1"

msgid "Row"
msgstr "Ligne"

msgid "The audit log"
msgstr "Le journal d’audit"

msgid "Previous row"
msgstr "Ligne précédente"

msgid "Next row"
msgstr "Ligne suivante"

msgid "Request"
msgstr "Requête"

msgid "Hash"
msgstr "Hachage"

msgid "all of this token"
msgstr "tout de ce jeton"

msgid "all of this subject"
msgstr "tout de cet objet"

msgid "The state before and after; changed fields say so."
msgstr "L’état avant et après ; les champs modifiés l’indiquent."

msgid "This action records no state."
msgstr "Cette action n’enregistre aucun état."

msgid "Field"
msgstr "Champ"

msgid "Before"
msgstr "Avant"

msgid "After"
msgstr "Après"

msgid "state"
msgstr "état"

msgid "added"
msgstr "ajouté"

msgid "removed"
msgstr "supprimé"

msgid "changed"
msgstr "modifié"

msgid "Item added"
msgstr "Élément ajouté"

msgid "Item changed"
msgstr "Élément modifié"

msgid "Item deleted"
msgstr "Élément supprimé"

msgid "Logo changed"
msgstr "Logo modifié"

msgid "Items merged"
msgstr "Éléments fusionnés"

msgid "Item merged into another"
msgstr "Élément fusionné dans un autre"

msgid "Change of an item undone"
msgstr "Modification d’un élément annulée"

msgid "Item imported"
msgstr "Élément importé"

msgid "Suggestion approved"
msgstr "Suggestion approuvée"

msgid "Suggestion rejected"
msgstr "Suggestion rejetée"

msgid "Suggestion reopened"
msgstr "Suggestion rouverte"

msgid "Suggestion deleted"
msgstr "Suggestion supprimée"

msgid "Token created"
msgstr "Jeton créé"

msgid "Token revoked"
msgstr "Jeton révoqué"

msgid "Token replaced"
msgstr "Jeton remplacé"

msgid "Role by OpenID Connect"
msgstr "Rôle par OpenID Connect"

msgid "Roles changed"
msgstr "Rôles modifiés"

msgid "Premium given to an account"
msgstr "Premium donné à un compte"

msgid "Given premium taken back"
msgstr "Premium donné retiré"

msgid "Console: signed in"
msgstr "Console : connexion"

msgid "Console: sign-in refused"
msgstr "Console : connexion refusée"

msgid "Console: signed out"
msgstr "Console : déconnexion"

msgid "Console: session ended"
msgstr "Console : session terminée"

msgid "Console: passkey added"
msgstr "Console : clé d’accès ajoutée"

msgid "Console: passkey removed"
msgstr "Console : clé d’accès retirée"

msgid "Crash resolved"
msgstr "Plantage résolu"

msgid "Crash ignored"
msgstr "Plantage ignoré"

msgid "Crash reopened"
msgstr "Plantage rouvert"

msgid "Crash deleted"
msgstr "Plantage supprimé"

msgid "Crashes of a release deleted"
msgstr "Plantages d’une version supprimés"

msgid "Crash groups parted"
msgstr "Groupes de plantages séparés"

msgid "Symbols added"
msgstr "Symboles ajoutés"

msgid "Symbols removed"
msgstr "Symboles retirés"

msgid "Alert channel tested"
msgstr "Canal d’alerte testé"

msgid "Alert sent again"
msgstr "Alerte renvoyée"

msgid "Alert thresholds changed"
msgstr "Seuils d’alerte modifiés"

msgid "Alert rule changed"
msgstr "Règle d’alerte modifiée"

msgid "Events exported"
msgstr "Événements exportés"

msgid "Discard of events begun"
msgstr "Suppression d’événements commencée"

msgid "Events discarded"
msgstr "Événements supprimés"

msgid "Rebuild of figures begun"
msgstr "Recalcul des chiffres commencé"

msgid "Figures rebuilt"
msgstr "Chiffres recalculés"

msgid "Time zone of figures changed"
msgstr "Fuseau horaire des chiffres modifié"

msgid "Backup made"
msgstr "Sauvegarde faite"

msgid "Backup downloaded"
msgstr "Sauvegarde téléchargée"

msgid "Backup verified"
msgstr "Sauvegarde vérifiée"

msgid "Database restored"
msgstr "Base restaurée"

# Console: Catalogue

msgid "The services that devices offer when somebody adds a subscription."
msgstr "Les services que les appareils proposent à l’ajout d’un abonnement."

msgid "New item"
msgstr "Nouvel élément"

msgid "With logo"
msgstr "Avec logo"

msgid "Without logo"
msgstr "Sans logo"

msgid "Category"
msgstr "Catégorie"

msgid "Every category"
msgstr "Toutes les catégories"

msgid "Currency"
msgstr "Devise"

msgid "Every currency"
msgstr "Toutes les devises"

msgid "Billing cycle"
msgstr "Périodicité"

msgid "Every cycle"
msgstr "Toutes"

msgid "Price"
msgstr "Prix"

msgid "Changed"
msgstr "Modifié le"

msgid "Best match"
msgstr "Meilleure correspondance"

msgid "Name, A to Z"
msgstr "Nom, A à Z"

msgid "Name, Z to A"
msgstr "Nom, Z à A"

msgid "Slug"
msgstr "Slug"

msgid "Last changed"
msgstr "Derniers modifiés"

msgid "%1 of %2 items shown"
msgstr "%1 éléments sur %2"

msgid "The catalogue is empty"
msgstr "Le catalogue est vide"

msgid "Add an item with New item, or import a CSV or JSON file with Import."
msgstr "Ajoute un élément avec Nouvel élément, ou importe un fichier CSV ou JSON avec Importer."

msgid "No item matches"
msgstr "Aucun élément ne correspond"

msgid "Clear the search or a filter, add an item, or import a file."
msgstr "Efface la recherche ou un filtre, ajoute un élément, ou importe un fichier."

msgid "Duplicates"
msgstr "Doublons"

msgid "Import"
msgstr "Importer"

msgid "Logos"
msgstr "Logos"

msgid "Export everything"
msgstr "Tout exporter"

msgid "Back to the list"
msgstr "Retour à la liste"

msgid "Lower-case words joined by hyphens; unique. Imports and logos find items by it."
msgstr "Mots en minuscules reliés par des traits d’union ; unique. Les imports et les logos s’en servent."

msgid "Left empty, it is made from the name."
msgstr "Laissé vide, il est tiré du nom."

msgid "Lower-case letters, digits, underscores."
msgstr "Minuscules, chiffres, tirets bas."

msgid "Typical price"
msgstr "Prix courant"

msgid "Of the most common plan."
msgstr "De l’offre la plus courante."

msgid "A word such as monthly or yearly, or every:18m (d, w, m, y)."
msgstr "Un mot comme monthly ou yearly, ou every:18m (d, w, m, y)."

msgctxt "console"
msgid "Website"
msgstr "Site web"

msgid "Page to cancel"
msgstr "Page de résiliation"

msgid "Notice period in days"
msgstr "Préavis en jours"

msgid "Aliases"
msgstr "Alias"

msgid "Other names by which a search finds the item, one on each line."
msgstr "Autres noms par lesquels une recherche trouve l’élément, un par ligne."

msgid "Add the item"
msgstr "Ajouter l’élément"

msgid "Devices receive it with their next synchronisation."
msgstr "Les appareils le reçoivent à leur prochaine synchronisation."

msgid "Your role may read the catalogue, not change it."
msgstr "Ton rôle peut lire le catalogue, pas le modifier."

msgid "Saved. Devices receive it with their next synchronisation."
msgstr "Enregistré. Les appareils le reçoivent à leur prochaine synchronisation."

msgid "The item was added."
msgstr "L’élément est ajouté."

msgid "The former state is restored."
msgstr "L’état antérieur est rétabli."

msgid "The merge is undone: all its items are back, with their aliases and suggestions."
msgstr "La fusion est annulée : tous ses éléments sont revenus, avec leurs alias et suggestions."

msgid "What became of the item"
msgstr "Ce qu’il est advenu de l’élément"

msgid "Merged. The old id leads to this item now."
msgstr "Fusionnés. L’ancien identifiant mène désormais ici."

msgid "Undo the deletion"
msgstr "Annuler la suppression"

msgid "Delete"
msgstr "Supprimer"

msgid "Delete %1?"
msgstr "Supprimer %1 ?"

msgid "This item leaves the catalogue, and devices remove it with their next synchronisation. Subscriptions that people track stay. You can undo this, from the notice that follows or from the history."
msgstr "L’élément quitte le catalogue, et les appareils le retirent à leur prochaine synchronisation. Les abonnements suivis restent. C’est annulable, depuis l’avis qui suit ou depuis l’historique."

msgid "Delete %1"
msgstr "Supprimer %1"

msgid "The item was changed meanwhile. This is its present state; check it before you go on."
msgstr "L’élément a été modifié entre-temps. Voici son état actuel ; vérifie-le avant de continuer."

msgid "This item was deleted."
msgstr "Cet élément a été supprimé."

msgid "This item was merged into another one."
msgstr "Cet élément a été fusionné avec un autre."

msgid "Open the item it was merged into"
msgstr "Ouvrir l’élément issu de la fusion"

msgid "Details"
msgstr "Détails"

msgid "Id"
msgstr "Identifiant"

msgid "Revision"
msgstr "Révision"

msgid "Logo"
msgstr "Logo"

msgid "Logo of %1"
msgstr "Logo de %1"

msgid "PNG, JPEG or WebP, less than 500 kB, at most 1024 pixels a side."
msgstr "PNG, JPEG ou WebP, moins de 500 ko, 1024 pixels de côté au plus."

msgid "No logo: these initials stand in its place."
msgstr "Sans logo : ces initiales le remplacent."

msgid "Image file"
msgstr "Fichier image"

msgid "Drop an image here, or paste one."
msgstr "Dépose une image ici, ou colle-la."

msgid "Upload"
msgstr "Téléverser"

msgid "Remove the logo"
msgstr "Retirer le logo"

msgid "The logo is set."
msgstr "Le logo est en place."

msgid "The logo was removed. The history can bring it back."
msgstr "Le logo est retiré. L’historique peut le rétablir."

msgid "Upload many logos at once: netflix.png becomes the logo of the item with the slug netflix."
msgstr "Téléverse plusieurs logos d’un coup : netflix.png devient le logo de l’élément au slug netflix."

msgid "Image files"
msgstr "Fichiers image"

msgid "Drop images here, or paste them."
msgstr "Dépose des images ici, ou colle-les."

msgid "PNG, JPEG or WebP, each less than 500 kB and at most 1024 pixels a side; 32 MiB together. A logo that is there is replaced; the history of the item can bring it back."
msgstr "PNG, JPEG ou WebP, chacun moins de 500 ko et 1024 pixels de côté au plus ; 32 Mio ensemble. Un logo présent est remplacé ; l’historique de l’élément peut le rétablir."

msgid "Choose image files first."
msgstr "Choisis d’abord des fichiers image."

msgid "%1 of %2 logos set."
msgstr "%1 logos sur %2 en place."

msgid "Result"
msgstr "Résultat"

msgid "logo set"
msgstr "logo en place"

msgid "No item has the slug %1."
msgstr "Aucun élément n’a le slug %1."

msgid "History"
msgstr "Historique"

msgid "The changes of this item, newest first."
msgstr "Les modifications, de la plus récente à la plus ancienne."

msgid "Change"
msgstr "Modification"

msgid "By"
msgstr "Par"

msgid "Undo"
msgstr "Annuler"

msgid "Undo: restore the state before change %1"
msgstr "Annuler : rétablir l’état d’avant la modification %1"

msgid "Older changes"
msgstr "Modifications antérieures"

msgid "Edited"
msgstr "Modification"

msgid "Deleted"
msgstr "Suppression"

msgid "Took in a duplicate"
msgstr "Fusion d’un doublon"

msgid "Merged into another item"
msgstr "Fusionné avec un autre élément"

msgid "Pairs of items with similar names or the same website, most similar first."
msgstr "Paires d’éléments aux noms proches ou au même site, des plus semblables aux moins semblables."

msgid "No likely duplicates"
msgstr "Aucun doublon probable"

msgid "Lower the score to see pairs that resemble each other less."
msgstr "Baisse le score pour voir des paires moins semblables."

msgid "%1 of %2 pairs shown"
msgstr "%1 paires sur %2"

msgid "Score"
msgstr "Score"

msgid "From %1"
msgstr "Dès %1"

msgid "Items"
msgstr "Éléments"

msgid "Why"
msgstr "Motif"

msgid "Compare"
msgstr "Comparer"

msgid "Compare %1 and %2"
msgstr "Comparer %1 et %2"

msgid "same name"
msgstr "même nom"

msgid "similar name"
msgstr "nom proche"

msgid "same website"
msgstr "même site"

msgid "Merge two items"
msgstr "Fusionner deux éléments"

msgid "Choose the item that stays and, for each field, the value that it gets. Names and aliases of both stay as aliases; approved suggestions and the ranking follow. The id of the other one leads to the item that stays, on devices too."
msgstr "Choisis l’élément qui reste et, pour chaque champ, la valeur à garder. Les noms et alias des deux deviennent des alias ; suggestions approuvées et classement suivent. L’identifiant de l’autre mène à celui qui reste, sur les appareils aussi."

msgid "Stays"
msgstr "Reste"

msgid "Keep %1 and its id"
msgstr "Garder %1 et son identifiant"

msgid "same in both"
msgstr "identique"

msgid "Merge"
msgstr "Fusionner"

msgid "Back: they are different"
msgstr "Retour : ils sont différents"

msgid "A CSV or JSON file as the export writes it. Items are found by their slug; nothing is ever deleted."
msgstr "Un fichier CSV ou JSON tel que l’export l’écrit. Les éléments sont retrouvés par leur slug ; rien n’est supprimé."

msgid "File"
msgstr "Fichier"

msgid "At most 32 MiB and 100,000 rows. The columns may be in any order."
msgstr "32 Mio et 100 000 lignes au plus. Les colonnes peuvent être dans n’importe quel ordre."

msgid "Skip rows with errors instead of refusing the file"
msgstr "Ignorer les lignes erronées au lieu de refuser le fichier"

msgid "Check the file"
msgstr "Vérifier le fichier"

msgid "Nothing is changed yet: the next page shows what would happen."
msgstr "Rien n’est encore modifié : la page suivante montre ce qui se passerait."

msgid "Import it now"
msgstr "Importer maintenant"

msgid "The file is too large to keep in this page. Choose it again to import it."
msgstr "Le fichier est trop gros pour rester dans cette page. Choisis-le à nouveau pour l’importer."

msgid "Import without a check"
msgstr "Importer sans vérification"

msgid "Result of the check: nothing was changed"
msgstr "Résultat de la vérification : rien n’est modifié"

msgid "The file was imported"
msgstr "Le fichier est importé"

msgid "The file was refused: nothing was changed"
msgstr "Fichier refusé : rien n’est modifié"

msgid "Rows"
msgstr "Lignes"

msgid "New items"
msgstr "Nouveaux éléments"

msgid "Changed items"
msgstr "Éléments modifiés"

msgid "Unchanged"
msgstr "Sans changement"

msgid "Rows with errors"
msgstr "Lignes erronées"

msgid "Problem"
msgstr "Problème"

msgid "Columns that are not known were ignored: %1"
msgstr "Les colonnes inconnues ont été ignorées : %1"

msgid "%1 further rows have errors."
msgstr "%1 autres lignes comportent des erreurs."

msgid "daily"
msgstr "par jour"

msgid "weekly"
msgstr "par semaine"

msgid "every 2 weeks"
msgstr "toutes les 2 semaines"

msgid "monthly"
msgstr "par mois"

msgid "quarterly"
msgstr "par trimestre"

msgid "every 6 months"
msgstr "par semestre"

msgid "yearly"
msgstr "par an"

msgid "once"
msgstr "une fois"

msgid "every %1 days"
msgstr "tous les %1 jours"

msgid "every %1 weeks"
msgstr "toutes les %1 semaines"

msgid "every %1 months"
msgstr "tous les %1 mois"

msgid "every %1 years"
msgstr "tous les %1 ans"

# Console: Crashes

msgid "Crashes"
msgstr "Plantages"

msgid "Crash reports with the same cause, grouped. A resolved group opens again when it crashes later."
msgstr "Rapports de plantage de même cause, regroupés. Un groupe résolu se rouvre s’il plante plus tard."

msgctxt "console"
msgid "Open"
msgstr "Ouverts"

msgid "Resolved"
msgstr "Résolus"

msgid "Ignored"
msgstr "Ignorés"

msgctxt "console"
msgid "came back"
msgstr "réapparu"

msgid "Latest report"
msgstr "Rapport le plus récent"

msgid "Newest group"
msgstr "Groupe le plus récent"

msgid "Most reports"
msgstr "Le plus de rapports"

msgid "Any platform"
msgstr "Toutes les plateformes"

msgid "Release"
msgstr "Version"

msgid "Releases"
msgstr "Versions"

msgid "Group"
msgstr "Groupe"

msgid "Last 30 days"
msgstr "30 derniers jours"

msgid "Reports"
msgstr "Rapports"

msgid "First seen"
msgstr "Première fois"

msgid "Last seen"
msgstr "Dernière fois"

msgid "without a release"
msgstr "sans version"

msgid "Left as somebody else decided meanwhile: %1."
msgstr "Laissés tels qu’une autre personne l’a décidé entre-temps : %1."

msgid "and %1 more"
msgstr "et %1 de plus"

msgid "No crash groups here"
msgstr "Aucun groupe de plantages ici"

msgid "Choose another status or clear the filters. Devices report crashes to /api/v1/crashes or with a Sentry SDK."
msgstr "Choisis un autre statut ou efface les filtres. Les appareils signalent les plantages à /api/v1/crashes ou avec un SDK Sentry."

msgid "Clear filters"
msgstr "Effacer les filtres"

msgid "With the selected groups"
msgstr "Avec les groupes sélectionnés"

msgid "%1 selected"
msgstr "%1 sélectionnés"

msgid "Resolve"
msgstr "Résoudre"

msgid "Ignore"
msgstr "Ignorer"

msgid "Reopen"
msgstr "Rouvrir"

msgid "resolved: %1"
msgstr "résolus : %1"

msgid "ignored: %1"
msgstr "ignorés : %1"

msgid "reopened: %1"
msgstr "rouverts : %1"

msgid "deleted: %1"
msgstr "suppressions : %1"

msgid "no longer there: %1"
msgstr "n’existent plus : %1"

msgid "The group is now “%1”."
msgstr "Le groupe est maintenant « %1 »."

msgid "Nothing was changed: meanwhile, the group became “%1”. Decide again."
msgstr "Rien n’a été modifié : entre-temps, le groupe est passé à « %1 ». Décide à nouveau."

msgid "This deletes %1 with releases and trends. It cannot be undone. A further report of the same fault makes a new group."
msgstr "Cela supprime %1 avec versions et courbes. C’est irréversible. Un nouveau rapport du même défaut créera un nouveau groupe."

msgid "Delete for good"
msgstr "Supprimer définitivement"

msgctxt "console"
msgid "Cancel"
msgstr "Annuler"

msgid "Level"
msgstr "Niveau"

msgid "Decided"
msgstr "Décidé le"

msgid "Came back"
msgstr "Réapparu le"

msgid "Reports by day"
msgstr "Rapports par jour"

msgid "Reports from %1 to %2: %3 in all, at most %4 on a day."
msgstr "Rapports du %1 au %2 : %3 en tout, au plus %4 en un jour."

msgid "Stored reports"
msgstr "Rapports conservés"

msgid "The newest reports and the first one. Only fields of an allow-list are stored, without personal data."
msgstr "Les rapports les plus récents et le premier. Seuls les champs d’une liste autorisée sont conservés, sans donnée personnelle."

msgid "No report is stored."
msgstr "Aucun rapport n’est conservé."

msgid "Stack, innermost frame first"
msgstr "Pile, appel le plus interne d’abord"

msgid "Function"
msgstr "Fonction"

msgid "own code"
msgstr "code de l’app"

msgid "not handled"
msgstr "non gérée"

msgid "handled"
msgstr "gérée"

msgid "Device"
msgstr "Appareil"

msgid "System"
msgstr "Système"

msgid "App"
msgstr "Application"

msgid "Environment"
msgstr "Environnement"

msgid "Runtime"
msgstr "Moteur d’exécution"

msgid "Reported with"
msgstr "Signalé avec"

msgid "The report as it is stored (JSON)"
msgstr "Le rapport tel que conservé (JSON)"

msgid "Decisions"
msgstr "Décisions"

msgid "Nobody has decided on it yet."
msgstr "Personne n’a encore décidé."

msgid "Who"
msgstr "Qui"

msgid "What"
msgstr "Quoi"

msgid "Crash-free sessions by release"
msgstr "Sessions sans plantage par version"

msgid "The share of sessions without a crash, and where each release first appeared."
msgstr "La part des sessions sans plantage, et la première apparition de chaque version."

msgid "Crash-free sessions by day"
msgstr "Sessions sans plantage par jour"

msgid "Crash-free sessions from %1 to %2: lowest %3, highest %4, last finished day %5."
msgstr "Sessions sans plantage du %1 au %2 : minimum %3, maximum %4, dernier jour complet %5."

msgid "No sessions were reported from %1 to %2."
msgstr "Aucune session signalée du %1 au %2."

msgid "The axis begins at %1."
msgstr "L’axe commence à %1."

msgid "Vertical lines: first appearance of a release."
msgstr "Traits verticaux : première apparition d’une version."

msgid "Crashed"
msgstr "Plantées"

msgid "Crash-free"
msgstr "Sans plantage"

msgid "Sessions of the last 30 days, reports of all stored groups."
msgstr "Sessions des 30 derniers jours, rapports de tous les groupes conservés."

msgid "No releases yet"
msgstr "Aucune version pour l’instant"

msgid "Releases appear with the first crash report or session count that names one."
msgstr "Les versions apparaissent avec le premier rapport ou décompte de sessions qui en nomme une."

msgid "With the selected releases"
msgstr "Avec les versions sélectionnées"

msgid "Their sessions no longer count in the crash-free rate, and their crash reports count under “(other)”. This cannot be undone. Use it for releases that somebody invented."
msgstr "Leurs sessions ne comptent plus dans le taux sans plantage, et leurs rapports passent sous « (other) ». C’est irréversible. À réserver aux versions inventées."

msgid "Releases deleted: %1."
msgstr "Versions supprimées : %1."

msgid "No longer there: %1."
msgstr "N’existent plus : %1."

# Console: definitions

msgid "Users whose signup lies on these days and who reached the stage at most %1 days after it."
msgstr "Utilisateurs, comptés une fois, inscrits ces jours-là et ayant atteint l’étape au plus %1 × 24 heures après l’inscription. L’inscription est la date du téléchargement, ou à défaut celle du premier événement."

msgid "Users of today and of the %1 days before may still reach a stage in time."
msgstr "Les utilisateurs inscrits aujourd’hui ou dans les %1 jours précédents peuvent encore atteindre une étape à temps : ils sont comptés à part."

msgid "The platform is that of the earliest event."
msgstr "La plateforme est celle du premier événement : « autre » si elle n’est pas connue ici, « inconnue » sans indication."

msgid "The app version is that of the earliest event."
msgstr "La version est celle du premier événement : « autre » si ce n’est pas une version ou si elle n’est pas parmi les 200 premières, « inconnue » sans indication."

# Console: Events

msgid "Raw events as devices sent them, by day."
msgstr "Les événements bruts envoyés par les appareils, par jour."

msgid "Event"
msgstr "Événement"

msgid "Service"
msgstr "Service"

msgid "Name or id"
msgstr "Nom ou id"

msgid "All events"
msgstr "Tous les événements"

msgid "Other"
msgstr "Autre"

msgid "Not given"
msgstr "Non indiquée"

msgid "%1 events"
msgstr "%1 événements"

msgid "%1 from %2 to %3."
msgstr "%1 du %2 au %3."

msgid "Counted in the database."
msgstr "Compté dans la base de données."

msgid "Counted in the history (ClickHouse)."
msgstr "Compté dans l’historique (ClickHouse)."

msgid "Everything received until %1."
msgstr "Tout ce qui a été reçu jusqu’au %1."

msgid "Incomplete before %1: older raw events may have been removed."
msgstr "Incomplet avant le %1 : des événements bruts plus anciens ont pu être supprimés."

msgid "The history (ClickHouse) did not answer, so the events in the database were counted."
msgstr "L’historique (ClickHouse) n’a pas répondu : les événements de la base de données ont été comptés."

msgid "Counting took too long. Choose fewer days."
msgstr "Le comptage a pris trop de temps. Choisis moins de jours."

msgid "Another count is running. Reload the page in a moment."
msgstr "Un autre comptage est en cours. Recharge la page dans un instant."

msgid "Accepted events, each once, by the day on which they happened (UTC). A service also has the events of services merged into it."
msgstr "Événements acceptés, chacun une fois, selon le jour où ils ont eu lieu (UTC). Un service a aussi les événements des services fusionnés avec lui."

# Console: Failures

msgid "The database does not respond."
msgstr "La base ne répond pas."

msgid "The server is shutting down."
msgstr "Le serveur s’arrête."

msgid "The storage is full: data from devices is rejected."
msgstr "Le stockage est plein : les données des appareils sont refusées."

msgctxt "console finished"
msgid "Failing check: %1. The database does not respond."
msgstr "Contrôle en échec : %1. La base ne répond pas."

msgctxt "console finished"
msgid "Failing check: %1. The database needs migration."
msgstr "Contrôle en échec : %1. La base doit être migrée."

msgctxt "console finished"
msgid "Failing check: %1. A newer version has migrated the database."
msgstr "Contrôle en échec : %1. Une version plus récente a migré la base."

msgctxt "console finished"
msgid "Failing check: %1. A write to the database failed."
msgstr "Contrôle en échec : %1. Une écriture dans la base a échoué."

msgctxt "console finished"
msgid "Failing check: %1. The database acknowledges commits too early (synchronous_commit)."
msgstr "Contrôle en échec : %1. La base confirme les transactions trop tôt (synchronous_commit)."

msgctxt "console finished"
msgid "Failing check: %1. Commits wait for too few standbys (synchronous_standby_names)."
msgstr "Contrôle en échec : %1. Les transactions attendent trop peu de réplicas (synchronous_standby_names)."

msgctxt "console finished"
msgid "not tried: the channel is disabled (%1)"
msgstr "envoi non tenté : le canal est désactivé (%1)"

msgctxt "console finished"
msgid "withdrawn: the users who reached it were discarded"
msgstr "retiré : les utilisateurs qui l’avaient atteint ont été écartés"

msgctxt "console finished"
msgid "the name of the target cannot be resolved"
msgstr "le nom de la cible ne peut pas être résolu"

msgctxt "console finished"
msgid "the response is too large"
msgstr "la réponse est trop grande"

msgctxt "console finished"
msgid "the target lies in a private or loopback range"
msgstr "la cible est dans une plage privée ou de bouclage"

msgctxt "console finished"
msgid "the target lies in a special range (%1)"
msgstr "la cible est dans une plage réservée (%1)"

msgctxt "console finished"
msgid "without TLS only this machine is allowed"
msgstr "sans TLS, seule cette machine est permise"

msgctxt "console finished"
msgid "HTTP 200 without Slack's ok"
msgstr "HTTP 200 sans le « ok » de Slack"

msgctxt "console finished"
msgid "HTTP %1: redirects are not followed"
msgstr "HTTP %1 : les redirections ne sont pas suivies"

# Console: Faults

msgid "Must be given."
msgstr "À renseigner."

msgid "The input has no such field."
msgstr "Ce champ n’existe pas."

msgid "There is no such parameter."
msgstr "Ce paramètre n’existe pas."

msgid "Has the wrong type."
msgstr "N’est pas du type attendu."

msgid "Is out of range."
msgstr "Est hors limites."

msgid "Has the wrong format."
msgstr "N’a pas le format attendu."

msgid "Is none of the allowed values."
msgstr "Ne fait pas partie des valeurs permises."

msgid "Occurs twice."
msgstr "Existe déjà."

msgctxt "console"
msgid "Must be a UUID."
msgstr "Doit être un UUID."

msgid "Must be an instant."
msgstr "Doit être un instant (RFC 3339)."

msgid "Is too far from now."
msgstr "Est trop éloigné de l’heure actuelle."

msgid "Must be a day as YYYY-MM-DD."
msgstr "Doit être une date (AAAA-MM-JJ)."

msgid "Is not a link that may be opened."
msgstr "N’est pas un lien https utilisable."

msgid "Must be a decimal number."
msgstr "Doit être un nombre décimal."

msgid "Has too many decimals."
msgstr "A trop de décimales pour cette devise."

msgid "Is not a currency."
msgstr "Doit être un code de devise ISO 4217 (EUR)."

msgid "Is not a billing cycle."
msgstr "N’est pas un cycle de facturation."

msgid "Is not the hash of a user id."
msgstr "N’est pas l’empreinte d’un utilisateur."

msgid "The list has changed; start again."
msgstr "La liste a changé ; reprends à la première page."

msgid "Has forbidden characters."
msgstr "Contient des caractères interdits."

msgctxt "console"
msgid "Must contain a visible character."
msgstr "Doit contenir un caractère visible."

msgid "Has invisible characters."
msgstr "Contient des caractères invisibles."

msgid "Has too many marks on a letter."
msgstr "A trop de signes sur une même lettre."

msgid "The file is not UTF-8."
msgstr "Le fichier n’est pas en UTF-8."

msgid "A quoted field does not end."
msgstr "Un champ entre guillemets n’est pas fermé."

msgid "A quotation mark is inside a field."
msgstr "Un guillemet se trouve au milieu d’un champ."

msgid "The row has too many or too few fields."
msgstr "La ligne a trop ou trop peu de champs."

msgid "Does not exist."
msgstr "N’existe pas."

msgid "Is the item itself."
msgstr "Est l’élément lui-même."

msgid "Another item has this id."
msgstr "Un autre élément porte ou a porté cet identifiant."

msgid "The item has the maximum number of aliases."
msgstr "L’élément a déjà le nombre maximal d’alias."

msgid "You do not hold this permission."
msgstr "Tu n’as pas toi-même cette autorisation."

msgid "Must be in the future."
msgstr "Doit être dans le futur."

msgid "A built-in role cannot be changed."
msgstr "Un rôle intégré ne peut pas être modifié."

msgid "Requires premium."
msgstr "Réservé à la version premium."

msgid "The request cannot be read."
msgstr "La requête est illisible."

msgid "Your role may not do this."
msgstr "Ton rôle ne permet pas cette action."

msgid "There is nothing at this address."
msgstr "Il n’y a rien à cette adresse."

msgid "This address has no such form."
msgstr "Cette adresse n’accepte pas ce formulaire."

msgid "It is in conflict with what is stored."
msgstr "C’est en conflit avec ce qui est enregistré."

msgid "A token has this role."
msgstr "Un jeton porte encore ce rôle."

msgid "The last owner must remain."
msgstr "C’est le dernier jeton propriétaire : il doit rester."

msgid "It was approved or rejected before."
msgstr "Elle a déjà été approuvée ou rejetée."

msgid "The form is still being processed."
msgstr "Le formulaire est encore en cours de traitement."

msgid "It was carried out before."
msgstr "L’action a déjà été effectuée, mais sa réponse est perdue."

msgid "It was changed meanwhile."
msgstr "Il y a eu une modification entre-temps."

msgid "The file or form is too large."
msgstr "Le fichier ou le formulaire est trop gros."

msgid "The address is too long."
msgstr "L’adresse est trop longue."

msgid "The kind of file is not accepted."
msgstr "Ce type de fichier n’est pas accepté."

msgid "A value is not accepted."
msgstr "Une valeur n’est pas acceptée."

msgid "The form was sent before."
msgstr "Ce formulaire a déjà été envoyé avec un autre contenu."

msgid "Too many requests; wait a little."
msgstr "Trop de requêtes : patiente un peu."

msgid "The server is busy; try again soon."
msgstr "Le serveur est occupé ; réessaie bientôt."

msgid "The disk is full."
msgstr "Le disque du serveur est plein."

msgid "The server failed; its log says why."
msgstr "Le serveur a échoué ; son journal dit pourquoi."

msgid "Alert rules"
msgstr "Règles d’alerte"

msgid "Exchange rates"
msgstr "Taux de change"

msgid "Weekly digest"
msgstr "Bilan hebdomadaire"

msgid "Purge of deleted items"
msgstr "Purge des éléments supprimés"

msgid "Removal of unused logos"
msgstr "Suppression des logos inutilisés"

msgid "Purge of stored answers"
msgstr "Purge des réponses conservées"

msgid "Purge of ended sessions"
msgstr "Purge des sessions terminées"

msgid "Purge of old events"
msgstr "Purge des anciens événements"

msgid "Joining of stored events"
msgstr "Regroupement des événements stockés"

msgid "Purge of old figures"
msgstr "Purge des anciens chiffres"

msgid "Purge of ended accounts"
msgstr "Purge des comptes terminés"

msgid "Purge of old crash reports"
msgstr "Purge des anciens plantages"

msgid "Refresh of the ranking"
msgstr "Mise à jour du classement"

msgid "Erasure of users’ events"
msgstr "Effacement des événements d’utilisateurs"

# Console: Figures

msgid "Download CSV"
msgstr "Télécharger en CSV"

msgid "Definition"
msgstr "Définition"

msgid "Show"
msgstr "Afficher"

msgctxt "console"
msgid "From"
msgstr "Du"

msgid "To"
msgstr "Au"

msgid "All time"
msgstr "Depuis le début"

msgid "Last 7 days"
msgstr "7 derniers jours"

msgid "Last 90 days"
msgstr "90 derniers jours"

msgid "Last 12 months"
msgstr "12 derniers mois"

msgid "Range"
msgstr "Période"

msgid "Values as a table"
msgstr "Valeurs en tableau"

msgid "Days begin at midnight in %1."
msgstr "Les jours commencent à minuit (%1)."

msgid "Days before %1 keep their earlier cut."
msgstr "Les jours avant le %1 gardent leur ancien découpage."

msgid "Days are in UTC."
msgstr "Les jours sont en UTC."

msgid "Counted %1"
msgstr "Compté le %1"

msgid "Not complete yet: every event accepted before %1 is counted, newer ones follow."
msgstr "Pas encore complet : tout événement accepté avant le %1 est compté, les suivants arrivent."

msgid "Count"
msgstr "Nombre"

msgid "The figures now, and how this week compares with the week before."
msgstr "Les chiffres actuels, et la semaine comparée à la précédente."

msgid "No data yet"
msgstr "Pas encore de données"

msgid "How weeks are compared"
msgstr "Comment les semaines sont comparées"

msgid "This week is the last 7 × 24 hours, the week before the 7 × 24 hours before them. There is no trend when the week before is not above zero."
msgstr "Cette semaine couvre les 7 × 24 dernières heures, la précédente les 7 × 24 heures d’avant. Sans valeur positive la semaine précédente, il n’y a pas de tendance."

msgid "Pause refresh"
msgstr "Suspendre l’actualisation"

msgid "Refresh every minute"
msgstr "Actualiser chaque minute"

msgid "Up %1"
msgstr "En hausse de %1"

msgid "Down %1"
msgstr "En baisse de %1"

msgid "No trend"
msgstr "Pas de tendance"

msgid "%1 this week, %2 the week before"
msgstr "%1 cette semaine, %2 la précédente"

msgid "Your role has no access to the figures."
msgstr "Ton rôle n’a pas accès aux chiffres."

msgid "Active users, 30 days"
msgstr "Utilisateurs actifs, 30 jours"

msgid "Subscriptions tracked"
msgstr "Abonnements suivis"

msgid "How far the users who signed up in this period got."
msgstr "Jusqu’où sont allés les utilisateurs inscrits sur cette période."

msgid "Users, each once, whose signup lies on these days and who have reached the stage at any time. The signup is the time of the download event, or of the earliest event without one. Stages are independent, so a stage may exceed the one before."
msgstr "Utilisateurs, comptés une fois, inscrits ces jours-là et ayant atteint l’étape à un moment quelconque. L’inscription est la date du téléchargement, ou à défaut celle du premier événement. Les étapes sont indépendantes : l’une peut dépasser la précédente."

msgid "Within"
msgstr "En"

msgid "Any time"
msgstr "N’importe quand"

msgid "Everyone"
msgstr "Tout le monde"

msgid "Platform"
msgstr "Plateforme"

msgid "App version"
msgstr "Version de l’app"

msgid "The CSV has all segments."
msgstr "Le CSV contient tous les segments."

msgid "Stage"
msgstr "Étape"

msgid "More than 100% of the previous stage: each stage counts everybody who reached it, also those who skipped the one before."
msgstr "Plus de 100 % de l’étape précédente : chaque étape compte tous ceux qui l’ont atteinte, même sans passer par la précédente."

msgid "Of previous"
msgstr "De la précédente"

msgid "Of first"
msgstr "De la première"

msgid "First subscription"
msgstr "Premier abonnement"

msgid "Users in total"
msgstr "Utilisateurs au total"

msgid "Five subscriptions"
msgstr "Cinq abonnements"

msgid "Back after 7 days"
msgstr "De retour après 7 jours"

msgid "Back after 30 days"
msgstr "De retour après 30 jours"

msgid "No users in this period"
msgstr "Aucun utilisateur sur cette période"

msgid "Choose a longer period, or wait until devices send their events."
msgstr "Choisis une période plus longue, ou attends les événements des appareils."

msgid "How many users of each signup week or month came back."
msgstr "Combien d’utilisateurs de chaque semaine ou mois d’inscription sont revenus."

msgid "A row for each ISO week (from Monday) or month with signups. Of the users whose signup is at least 1, 7 or 30 days ago, the share that came back. Over 50% is high, under 20% is low. A hatched cell is still filling: not every user of the row has reached that day."
msgstr "Une ligne par semaine ISO (dès lundi) ou par mois avec des inscriptions. Parmi les utilisateurs inscrits depuis au moins 1, 7 ou 30 jours, la part revenue. Au-dessus de 50 %, c’est élevé ; en dessous de 20 %, faible. Une case hachurée se remplit encore : toute la ligne n’a pas atteint ce jour."

msgid "Week"
msgstr "Semaine"

msgid "Begins"
msgstr "Débute le"

msgid "Day 1"
msgstr "Jour 1"

msgid "Day 7"
msgstr "Jour 7"

msgid "Day 30"
msgstr "Jour 30"

msgid "%1 of %2"
msgstr "%1 sur %2"

msgid "high"
msgstr "élevé"

msgid "low"
msgstr "faible"

msgid "still filling"
msgstr "se remplit"

msgid "The services that users add most often, counted once a day."
msgstr "Les services que les utilisateurs ajoutent le plus, comptés une fois par jour."

msgid "Accepted events of an added subscription, by the catalogue item that they name. An item merged into another counts for that one; deleted items are left out."
msgstr "Événements d’ajout d’abonnement acceptés, selon l’élément du catalogue qu’ils nomment. Un élément fusionné compte pour l’autre ; les éléments supprimés sont omis."

msgid "Rank"
msgstr "Rang"

msgid "Additions"
msgstr "Ajouts"

msgid "Nothing to rank yet"
msgstr "Rien à classer pour l’instant"

msgid "The ranking appears when devices add services of the catalogue."
msgstr "Le classement apparaît quand des appareils ajoutent des services du catalogue."

msgid "Places"
msgstr "Places"

msgid "Top %1"
msgstr "Top %1"

msgid "One figure over time."
msgstr "Un chiffre au fil du temps."

msgid "Day"
msgstr "Jour"

msgid "Month"
msgstr "Mois"

msgid "Period"
msgstr "Période"

msgid "unfinished"
msgstr "en cours"

msgid "%1 from %2 to %3: lowest %4, highest %5, last finished %6."
msgstr "%1 du %2 au %3 : minimum %4, maximum %5, dernière valeur complète %6."

msgid "%1 from %2 to %3: no values."
msgstr "%1 du %2 au %3 : aucune valeur."

msgid "Hatched: the period has not ended, its value will still change."
msgstr "Hachuré : la période n’est pas terminée, sa valeur va encore changer."

msgid "Events"
msgstr "Événements"

msgid "Figures"
msgstr "Chiffres"

msgid "Events %1"
msgstr "Événements %1"

msgid "Sign-ups"
msgstr "Inscriptions"

msgid "Active users, 1 day"
msgstr "Utilisateurs actifs, 1 jour"

msgid "Active users, %1 days"
msgstr "Utilisateurs actifs, %1 jours"

msgid "Subscriptions added"
msgstr "Abonnements ajoutés"

msgid "Subscriptions removed"
msgstr "Abonnements supprimés"

msgctxt "console finished"
msgid "Distinct users with at least one accepted event; weeks: users whose signup lies in the window."
msgstr "Utilisateurs distincts ayant au moins un événement accepté ; par semaine : ceux dont l’inscription tombe dans la période."

msgctxt "console finished"
msgid "Distinct users with any event in the last 30 x 24 h; weeks: distinct users with any event in the window."
msgstr "Utilisateurs distincts ayant un événement quelconque dans les 30 × 24 dernières heures ; par semaine : dans la période."

msgctxt "console finished"
msgid "Subscriptions added less removed, ever; weeks: added less removed in the window."
msgstr "Abonnements ajoutés moins abonnements supprimés, depuis le début ; par semaine : dans la période."

msgctxt "console finished"
msgid "Users who converted, each counted once; weeks: users whose first conversion lies in the window."
msgstr "Utilisateurs passés à Premium, comptés une fois ; par semaine : ceux dont la première conversion tombe dans la période."

msgctxt "console finished"
msgid "Percentage of sessions without a crash, of all that started in the last 720 hours, including the current hour; weeks: the same in 168 whole hours."
msgstr "Part des sessions sans plantage parmi celles commencées dans les 720 dernières heures, l’heure en cours comprise ; par semaine : sur 168 heures entières."

msgctxt "console finished"
msgid "Users, each once, by the day of their signup: of app_downloaded, else of their earliest event; a week or month is the sum of its days."
msgstr "Utilisateurs, comptés une fois, au jour de leur inscription : celui du téléchargement, ou à défaut du premier événement ; une semaine ou un mois est la somme de ses jours."

msgctxt "console finished"
msgid "Users, each once, whose signup is on the day or earlier; a week or month has the value of its last day, the unfinished one that of today."
msgstr "Utilisateurs, comptés une fois, inscrits ce jour-là ou avant ; une semaine ou un mois a la valeur de son dernier jour, la période en cours celle d’aujourd’hui."

msgctxt "console finished"
msgid "Distinct users with any event on the day; a week or month has the value of its last day, the unfinished one that of today."
msgstr "Utilisateurs distincts ayant un événement quelconque ce jour-là ; une semaine ou un mois a la valeur de son dernier jour, la période en cours celle d’aujourd’hui."

msgctxt "console finished"
msgid "Distinct users with any event on the %1 calendar days that end on the day; a week or month has the value of its last day, the unfinished one that of today."
msgstr "Utilisateurs distincts ayant un événement quelconque pendant les %1 jours qui finissent ce jour-là ; une semaine ou un mois a la valeur de son dernier jour, la période en cours celle d’aujourd’hui."

msgctxt "console finished"
msgid "Users, each once, with app_downloaded, by the day of their signup; a week or month is the sum of its days."
msgstr "Utilisateurs, comptés une fois, ayant un téléchargement, au jour de leur inscription ; une semaine ou un mois est la somme de ses jours."

msgctxt "console finished"
msgid "Users, each once, with first_subscription_added, whenever it came, by the day of their signup; a week or month is the sum of its days."
msgstr "Utilisateurs, comptés une fois, ayant ajouté un premier abonnement à un moment quelconque, au jour de leur inscription ; une semaine ou un mois est la somme de ses jours."

msgctxt "console finished"
msgid "Users, each once, with five_subscriptions_reached, whenever it came, by the day of their signup; a week or month is the sum of its days."
msgstr "Utilisateurs, comptés une fois, ayant atteint cinq abonnements à un moment quelconque, au jour de leur inscription ; une semaine ou un mois est la somme de ses jours."

msgctxt "console finished"
msgid "Users, each once, by the day of their first premium_conversion; a week or month is the sum of its days."
msgstr "Utilisateurs, comptés une fois, au jour de leur premier passage à Premium ; une semaine ou un mois est la somme de ses jours."

msgctxt "console finished"
msgid "Sessions without a crash in percent of all sessions that started on the day; of a week or month, of all its sessions; null without sessions."
msgstr "Part des sessions sans plantage parmi toutes celles commencées ce jour-là ; pour une semaine ou un mois, parmi toutes ses sessions ; rien sans session."

msgctxt "console finished"
msgid "Accepted %1 events by the day on which they happened; a week or month is the sum of its days."
msgstr "Événements %1 acceptés, au jour où ils ont eu lieu ; une semaine ou un mois est la somme de ses jours."

msgid "Needs attention"
msgstr "À traiter"

msgid "Nothing needs attention."
msgstr "Rien à traiter."

msgid "No channel is configured, so no alert is sent"
msgstr "Aucun canal n’est configuré : aucune alerte n’est envoyée"

msgid "There is no backup"
msgstr "Il n’y a aucune sauvegarde"

msgid "The newest backup is of %1"
msgstr "La sauvegarde la plus récente date du %1"

msgid "No backup was restored for verification in the last 30 days"
msgstr "Aucune sauvegarde n’a été restaurée pour vérification ces 30 derniers jours"

msgid "The newest verification of a backup failed"
msgstr "La dernière vérification d’une sauvegarde a échoué"

msgid "%1 alert rule fires"
msgid_plural "%1 alert rules fire"
msgstr[0] "%1 règle d’alerte est déclenchée"
msgstr[1] "%1 règles d’alerte sont déclenchées"

msgid "%1 check of the server fails"
msgid_plural "%1 checks of the server fail"
msgstr[0] "%1 contrôle du serveur échoue"
msgstr[1] "%1 contrôles du serveur échouent"

# Console: Forms

msgid "(optional)"
msgstr "(facultatif)"

msgid "Save"
msgstr "Enregistrer"

msgid "Line %1: %2"
msgstr "Ligne %1 : %2"

msgid "Yes"
msgstr "Oui"

msgid "No"
msgstr "Non"

msgid "Somebody else saved first"
msgstr "Quelqu’un a enregistré avant toi"

msgid "Somebody changed %1 while you were editing. Nothing of yours is saved yet. Choose a version of each field that differs, then save."
msgstr "Quelqu’un a modifié %1 pendant ta saisie. Rien de toi n’est encore enregistré. Choisis une version de chaque champ qui diffère, puis enregistre."

msgid "Yours"
msgstr "La tienne"

msgid "Stored now"
msgstr "Enregistrée"

msgid "(empty)"
msgstr "(vide)"

msgid "Save the chosen values"
msgstr "Enregistrer les valeurs choisies"

msgid "A filter was not accepted, so it does not apply:"
msgstr "Un filtre n’a pas été accepté et ne s’applique pas :"

msgid "Discard mine"
msgstr "Abandonner la mienne"

msgid "It was not accepted."
msgstr "Cela n’a pas été accepté. Le journal du serveur en dit plus."

msgctxt "console"
msgid "Must not be empty."
msgstr "Ne peut pas être vide."

msgid "Must not be null."
msgstr "Ne peut pas être vide."

msgid "Must be given once."
msgstr "Ne peut figurer qu’une fois."

msgid "Must have %1 to %2 characters."
msgstr "Doit avoir de %1 à %2 caractères."

msgctxt "console"
msgid "Must be from %1 to %2."
msgstr "Doit être compris entre %1 et %2."

msgctxt "console"
msgid "Must be a whole number from %1 to %2."
msgstr "Doit être un nombre entier de %1 à %2."

msgctxt "console"
msgid "Must be a whole number."
msgstr "Doit être un nombre entier."

msgid "Must be a number."
msgstr "Doit être un nombre."

msgctxt "console"
msgid "Must be one of %1."
msgstr "Doit être l’un de : %1."

msgctxt "console finished"
msgid "Must be an instant such as %1."
msgstr "Doit être un instant tel que %1."

msgid "Must be the ISO 4217 code of a currency, such as EUR."
msgstr "Doit être un code de devise ISO 4217 (EUR)."

msgid "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or such as every:18m."
msgstr "Doit être daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime ou par exemple every:18m."

msgid "Must differ from the name."
msgstr "Doit différer du nom."

msgctxt "console"
msgid "Must not contain control characters."
msgstr "Ne peut pas contenir de caractères de contrôle."

msgctxt "console"
msgid "Must not contain invisible characters; found %1."
msgstr "Ne peut pas contenir de caractères invisibles ; trouvé : %1."

msgid "Must be lower-case letters and digits, words joined by single hyphens."
msgstr "Minuscules et chiffres seulement, mots reliés par un trait d’union."

msgid "Must be lower-case letters, digits and underscores."
msgstr "Minuscules, chiffres et tirets bas seulement."

msgid "Must be between %1 and %2."
msgstr "Doit être compris entre %1 et %2."

msgid "Must be an absolute https URL with a host, without user name, blanks or control characters."
msgstr "Doit être une URL https absolue, sans nom d’utilisateur, espace ni caractère de contrôle."

msgctxt "console finished"
msgid "Must be a decimal number such as %1."
msgstr "Doit être un nombre décimal tel que %1."

msgctxt "console"
msgid "Must have at most %1 decimals."
msgstr "Doit avoir au plus %1 décimales."

msgid "Must differ from the name and from the other aliases in more than case and accents."
msgstr "Doit différer du nom et des autres alias par plus que la casse et les accents."

msgid "The item was changed meanwhile; this is its present state."
msgstr "L’élément a été modifié entre-temps ; voici son état actuel."

msgid "Choose an image file first."
msgstr "Choisis d’abord un fichier image."

msgid "Choose a file first."
msgstr "Choisis d’abord un fichier."

msgid "The body must be a PNG, JPEG or WebP image."
msgstr "Ce n’est pas une image PNG, JPEG ou WebP."

msgid "The body begins as %1 and is not a whole image of it."
msgstr "Le début est celui d’une image %1, mais le reste non."

msgid "A logo must have less than %1 bytes."
msgstr "Un logo doit faire moins de %1 octets."

msgid "A logo must have at most %1 pixels a side."
msgstr "Un logo doit avoir au plus %1 pixels de côté."

msgid "The suggestion was approved or rejected before."
msgstr "La suggestion a déjà été approuvée ou rejetée."

msgid "Another item has this slug."
msgstr "Un autre élément porte cet identifiant."

msgid "Another item has, or had, this id."
msgstr "Un autre élément porte ou a porté cet identifiant."

msgid "There is no such item."
msgstr "Cet élément n’existe pas."

msgid "Must not be before from."
msgstr "Ne peut pas précéder le début."

msgctxt "console finished"
msgid "Must not be after %1."
msgstr "Ne peut pas être postérieur à %1."

msgid "Must be later: a series has at most %1 points."
msgstr "Trop tôt : une évolution a au plus %1 points."

msgid "The item was changed since, so it is not deleted. Delete it in the catalogue."
msgstr "L’élément a été modifié depuis ; il n’est donc pas supprimé. Supprime-le dans le catalogue."

msgctxt "console finished"
msgid "The form has the unknown field %1. Open its page again and send it from there."
msgstr "Le formulaire contient le champ inconnu %1. Rouvre sa page et renvoie-le."

msgctxt "console finished"
msgid "The form lacks the field %1. Open its page again and send it from there."
msgstr "Le formulaire n’a pas le champ %1. Rouvre sa page et renvoie-le."

msgctxt "console finished"
msgid "The form has the field %1 more than once. Open its page again and send it from there."
msgstr "Le formulaire contient plusieurs fois le champ %1. Rouvre sa page et renvoie-le."

msgctxt "console finished"
msgid "The form has the field %1 beside another that excludes it. Open its page again and send it from there."
msgstr "Le formulaire contient le champ %1 avec un autre qui l’exclut. Rouvre sa page et renvoie-le."

msgid "A page of another origin sent the request."
msgstr "Une page d’une autre origine a envoyé la requête."

msgid "The first request with this key still runs."
msgstr "La première requête de ce formulaire est en cours."

msgid "The item that it was merged into is deleted or merged itself. Undo that first."
msgstr "L’élément dans lequel il a été fusionné est supprimé ou fusionné à son tour. Annule cela d’abord."

msgid "The item was deleted or merged meanwhile. Nothing was saved: what you typed can be added as a new item."
msgstr "L’élément a été supprimé ou fusionné entre-temps. Rien n’a été enregistré : ta saisie peut devenir un nouvel élément."

msgid "The rule was deleted meanwhile. Nothing was saved: what you typed can be saved as a new rule."
msgstr "La règle a été supprimée entre-temps. Rien n’a été enregistré : ta saisie peut devenir une nouvelle règle."

msgid "This can no longer be undone here. Decide again in the list."
msgstr "Ce n’est plus annulable ici. Décide à nouveau dans la liste."

# Console: Frame

msgid "Console"
msgstr "Console"

msgid "Skip to content"
msgstr "Aller au contenu"

msgid "Menu"
msgstr "Menu"

msgid "Pages"
msgstr "Pages"

msgid "Pages of this list"
msgstr "Pages de cette liste"

msgid "Overview"
msgstr "Vue d’ensemble"

msgid "Catalogue"
msgstr "Catalogue"

msgid "Suggestions"
msgstr "Suggestions"

msgid "Funnel"
msgstr "Entonnoir"

msgid "Cohorts"
msgstr "Cohortes"

msgid "Ranking"
msgstr "Classement"

msgid "Series"
msgstr "Évolution"

msgid "Sign out"
msgstr "Se déconnecter"

msgid "Language"
msgstr "Langue"

msgid "Signed in as %1, role %2"
msgstr "Connecté en tant que %1, rôle %2"

msgid "Search everything"
msgstr "Tout rechercher"

msgid "Items, suggestions, crashes and the audit log, as far as your role may see them."
msgstr "Éléments, suggestions, plantages et journal d’audit, selon ce que ton rôle permet de voir."

msgid "Nothing found"
msgstr "Aucun résultat"

msgid "Audit rows are found by the author’s name, with its case, or by the id of their subject."
msgstr "Les lignes d’audit se trouvent par le nom de l’auteur, casse comprise, ou par l’identifiant de leur objet."

msgid "Continue in: %1"
msgstr "Poursuivre dans : %1"

msgid "Keys"
msgstr "Raccourcis"

msgid "Single keys, while no field has the focus."
msgstr "Touches seules, quand aucun champ n’a le focus."

msgid "Key"
msgstr "Touche"

msgid "Effect"
msgstr "Effet"

msgid "Move to the search of the page, or search everything"
msgstr "Aller à la recherche de la page, ou tout rechercher"

msgid "Move to the next row of the list"
msgstr "Aller à la ligne suivante de la liste"

msgid "Move to the previous row of the list"
msgstr "Aller à la ligne précédente de la liste"

msgid "Select the row, or clear it"
msgstr "Sélectionner la ligne, ou la désélectionner"

msgid "Show this list"
msgstr "Afficher cette liste"

msgid "Keys are on: switch off"
msgstr "Raccourcis actifs : désactiver"

msgid "Keys are off: switch on"
msgstr "Raccourcis inactifs : activer"

msgid "The choice is kept in this browser. Without JavaScript there are no keys."
msgstr "Le choix est conservé dans ce navigateur. Sans JavaScript, il n’y a pas de raccourcis."

msgid "Sign in"
msgstr "Se connecter"

msgid "Paste an access token to open the console. The token is checked once and not kept in the browser."
msgstr "Colle un jeton d’accès pour ouvrir la console. Le jeton est vérifié une fois et n’est pas conservé dans le navigateur."

msgid "Access token"
msgstr "Jeton d’accès"

msgid "It begins with sgt_. On the server, subguardd token create makes one, and subguardd console link prints a link that needs none."
msgstr "Il commence par sgt_. Sur le serveur, subguardd token create en crée un, et subguardd console link affiche un lien qui s’en passe."

msgid "Paste a token."
msgstr "Colle un jeton."

msgid "This token is unknown, expired or revoked."
msgstr "Ce jeton est inconnu, expiré ou révoqué."

msgid "Too many failed attempts from this address. Try again in %1 seconds."
msgstr "Trop de tentatives échouées depuis cette adresse. Réessaie dans %1 secondes."

msgid "You are signed out."
msgstr "Tu es déconnecté."

msgid "Your session has ended. Sign in again to continue."
msgstr "Ta session a pris fin. Reconnecte-toi pour continuer."

msgid "Open the console"
msgstr "Ouvrir la console"

msgid "This one-time link signs you in as %1 with the role %2."
msgstr "Ce lien à usage unique te connecte en tant que %1 avec le rôle %2."

msgid "This link is unknown, used or older than 10 minutes."
msgstr "Ce lien est inconnu, déjà utilisé ou vieux de plus de 10 minutes."

msgid "Run subguardd console link on the server for a new one."
msgstr "Lance subguardd console link sur le serveur pour en obtenir un autre."

msgid "The console needs HTTPS, except on localhost: otherwise others in the network could read your token."
msgstr "La console nécessite HTTPS, sauf sur localhost : sinon, d’autres sur le réseau pourraient lire ton jeton."

msgid "Configure a certificate (tls_certificate), or a reverse proxy that speaks TLS and is listed in trusted_proxies."
msgstr "Configure un certificat (tls_certificate), ou un proxy inverse en TLS déclaré dans trusted_proxies."

msgid "This server belongs to SubGuard: it stores a catalogue of subscriptions and anonymous statistics of the app."
msgstr "Ce serveur appartient à SubGuard : il stocke un catalogue d’abonnements et des statistiques anonymes de l’application."

msgid "Administration in the browser"
msgstr "Administration dans le navigateur"

msgid "API documentation"
msgstr "Documentation de l’API"

msgid "OpenAPI document of every call"
msgstr "Document OpenAPI de tous les appels"

msgid "Privacy report"
msgstr "Rapport de confidentialité"

msgid "What this server stores, and for how long"
msgstr "Ce que ce serveur stocke, et combien de temps"

msgid "Back to the overview"
msgstr "Retour à la vue d’ensemble"

msgid "To the start page"
msgstr "Vers la page d’accueil"

msgid "The request came from another page"
msgstr "La requête vient d’une autre page"

msgid "Nothing was changed. Open the console itself and repeat it there."
msgstr "Rien n’a été modifié. Ouvre la console elle-même et recommence."

msgid "Your first request is still running"
msgstr "Ta première requête est en cours"

msgid "The form was sent twice, and the first one is being carried out. Wait some seconds, then reload this page: it shows the result, and nothing is done twice."
msgstr "Le formulaire a été envoyé deux fois, et le premier envoi est en cours. Attends quelques secondes, puis recharge cette page : elle affichera le résultat, et rien n’est fait deux fois."

msgid "There is no such page"
msgstr "Cette page n’existe pas"

msgid "Your role may not do this"
msgstr "Ton rôle ne le permet pas"

msgid "This address does not accept this method"
msgstr "Cette adresse n’accepte pas cette méthode"

msgid "The server is busy"
msgstr "Le serveur est occupé"

msgid "Too many requests"
msgstr "Trop de requêtes"

msgid "The request was not accepted"
msgstr "La requête n’a pas été acceptée"

msgid "Something went wrong"
msgstr "Une erreur est survenue"

msgid "Request id: %1"
msgstr "Identifiant de la requête : %1"

# Console: faults of lists and files

msgctxt "console"
msgid "The body is larger than the %1 bytes that this resource accepts."
msgstr "L’envoi dépasse les %1 octets acceptés ici."

msgctxt "console"
msgid "A file has more than %1 bytes."
msgstr "Un fichier dépasse %1 octets."

msgctxt "console"
msgid "The form has more than %1 fields."
msgstr "Le formulaire a plus de %1 champs."

msgctxt "console"
msgid "At most %1 characters."
msgstr "Au plus %1 caractères."

msgid "At most %1 aliases."
msgstr "Au plus %1 alias."

msgctxt "console"
msgid "At most %1 combining marks on a letter."
msgstr "Au plus %1 signes diacritiques sur une lettre."

msgid "Must have %1 to %2 bytes."
msgstr "Doit faire de %1 à %2 octets."

msgctxt "console"
msgid "Must have at most %1 characters."
msgstr "Doit avoir au plus %1 caractères."

msgid "Must have 1 to 200 characters."
msgstr "Doit avoir de 1 à 200 caractères."

msgid "Must have 1 to 500 characters."
msgstr "Doit avoir de 1 à 500 caractères."

msgid "Must have 1 to 96 printable ASCII characters."
msgstr "Doit avoir de 1 à 96 caractères ASCII visibles."

msgid "Must hold %1 to %2 %3."
msgstr "Doit contenir de %1 à %2 éléments."

msgid "Must hold at most %1 %2."
msgstr "Doit contenir au plus %1 éléments."

msgid "Must hold at least %1 %2."
msgstr "Doit contenir au moins %1 éléments."

msgid "Must be a string."
msgstr "Doit être un texte."

msgctxt "console"
msgid "Must be true or false."
msgstr "Doit être true ou false."

msgid "Must be from today (UTC) to 100 years ahead."
msgstr "Doit être entre aujourd’hui (UTC) et dans 100 ans."

msgid "Must be from 0 to 31536000."
msgstr "Doit être compris entre 0 et 31 536 000."

msgid "Must stand in the list once."
msgstr "Ne peut figurer qu’une fois dans la liste."

msgid "Must be an item of the catalogue: its name, slug or id."
msgstr "Doit être un élément du catalogue : son nom, son identifiant court ou son id."

msgid "The events could not be counted. Choose fewer days, or try again."
msgstr "Les événements n’ont pas pu être comptés. Choisis moins de jours, ou réessaie."

msgid "Must name a field to change."
msgstr "Doit indiquer un champ à modifier."

msgctxt "console"
msgid "The amount is too large."
msgstr "Le montant est trop grand."

msgctxt "console"
msgid "Must be a decimal number such as \"13.49\"."
msgstr "Doit être un nombre décimal tel que 13.49."

msgid "Must be days from 1d to 90d, such as 7d."
msgstr "Doit être en jours, de 1d à 90d, par exemple 7d."

msgid "Must not be after to, which is today by default."
msgstr "Ne peut pas être après la fin, qui est aujourd’hui par défaut."

msgid "Must be a next_cursor of this list, with the same parameters."
msgstr "La liste a changé ; reprends à la première page."

msgid "There is no such field."
msgstr "Ce champ n’existe pas."

msgid "There is no such backup."
msgstr "Cette sauvegarde n’existe pas."

msgid "There is no such rule."
msgstr "Cette règle n’existe pas."

msgid "There is no such role."
msgstr "Ce rôle n’existe pas."

msgid "There is no such suggestion."
msgstr "Cette suggestion n’existe pas."

msgid "There is no such crash group."
msgstr "Ce groupe de plantages n’existe pas."

msgid "Only permissions that you hold can be granted."
msgstr "Seules les permissions que tu as peuvent être données."

msgid "A token cannot be valid for longer than the token that creates it."
msgstr "Un jeton ne peut pas être valide plus longtemps que celui qui le crée."

msgid "The expiry is not in the future."
msgstr "L’expiration n’est pas dans le futur."

msgid "Must be 1 to 40 lower-case letters, digits and _, the first one a letter."
msgstr "Doit avoir de 1 à 40 minuscules, chiffres et _, en commençant par une lettre."

msgid "This is the last owner token. Use the command line to revoke it."
msgstr "C’est le dernier jeton propriétaire. Utilise la ligne de commande pour le révoquer."

msgid "Tokens of the role %1 are still valid: revoke them first."
msgstr "Des jetons du rôle %1 sont encore valides : révoque-les d’abord."

msgid "The token's role %1 has permissions that you do not hold: %2."
msgstr "Le rôle %1 du jeton a des permissions que tu n’as pas : %2."

msgid "The role %1 has permissions that you do not hold (%2), so it can be neither changed nor removed."
msgstr "Le rôle %1 a des permissions que tu n’as pas (%2) : il ne peut être ni modifié ni supprimé."

msgid "The role %1 lacks the permission %2."
msgstr "Le rôle %1 n’a pas la permission %2."

msgid "The role %1 lacks a permission: only owners may do this."
msgstr "Le rôle %1 n’a pas toutes les permissions : seul un propriétaire peut le faire."

msgid "Passkeys cannot be used at this address."
msgstr "Les clés d’accès sont impossibles à cette adresse."

msgid "The session has ended. Sign in again."
msgstr "La session est terminée. Connecte-toi à nouveau."

msgid "Another request was sent with this key."
msgstr "Ce formulaire a déjà été envoyé avec un autre contenu."

msgid "An earlier row has the same slug."
msgstr "Une ligne précédente a le même identifiant."

msgid "A file has 1 to %1 rows."
msgstr "Un fichier contient de 1 à %1 lignes."

msgid "The form is not one of the console."
msgstr "Ce formulaire n’est pas de la console."

msgid "Not acceptable: %1."
msgstr "Valeurs refusées : %1."

msgid "Not acceptable: %1 and %2 more."
msgstr "Valeurs refusées : %1 et %2 autres."

msgid "There is no such %1."
msgstr "Il n’y a rien à cette adresse."

# Console: OpenID

msgid "Sign in with %1"
msgstr "Se connecter avec %1"

msgid "You are not signed in"
msgstr "Tu n’es pas connecté"

msgid "Try again"
msgstr "Réessayer"

msgid "Sign in with an access token"
msgstr "Se connecter avec un jeton d’accès"

msgid "This sign-in was begun in another browser or window, was used already, or is older than 10 minutes."
msgstr "Cette connexion a été commencée dans un autre navigateur ou une autre fenêtre, a déjà servi, ou date de plus de 10 minutes."

msgid "%1 does not respond as it should. Try again in a moment; the server’s log has the reason."
msgstr "%1 ne répond pas comme prévu. Réessaie dans un moment ; le journal du serveur en donne la raison."

msgid "%1 says: the sign-in was declined."
msgstr "%1 indique que la connexion a été refusée."

msgid "%1 refused the sign-in with the error %2."
msgstr "%1 a refusé la connexion avec l’erreur %2."

msgid "The answer of %1 cannot be trusted, so nobody was signed in. The server’s log has the reason."
msgstr "La réponse de %1 n’est pas fiable : personne n’a été connecté. Le journal du serveur en donne la raison."

msgid "%1 has no role here. An operator of this server decides that with the setting oidc_roles."
msgstr "%1 n’a pas de rôle ici. Un opérateur de ce serveur en décide par le réglage oidc_roles."

msgid "You have no role here: your provider named no verified mail address, and no group with a role. An operator of this server decides that with the setting oidc_roles."
msgstr "Tu n’as pas de rôle ici : ton fournisseur n’a indiqué ni adresse mail vérifiée, ni groupe ayant un rôle. Un opérateur de ce serveur en décide par le réglage oidc_roles."

msgid "An owner has revoked your access to this console."
msgstr "Un propriétaire a révoqué ton accès à cette console."

msgid "The setting oidc_roles gives you the role %1, which does not exist on this server."
msgstr "Le réglage oidc_roles te donne le rôle %1, qui n’existe pas sur ce serveur."

msgid "Confirm with %1"
msgstr "Confirme avec %1"

msgid "Access is about to be changed. Sign in with %1 again, then repeat the change: what you sent is not kept."
msgstr "Les accès vont être modifiés. Reconnecte-toi avec %1, puis recommence : ce que tu as envoyé n’est pas conservé."

msgid "If this page keeps coming back, the provider does not say when you signed in (auth_time). Sign in with an access token instead."
msgstr "Si cette page revient sans cesse, le fournisseur n’indique pas l’heure de ta connexion (auth_time). Connecte-toi alors avec un jeton d’accès."

msgid "You sign in by %1 only, so you have no passkeys here: they would still work when it has removed you."
msgstr "Tu te connectes seulement avec %1 : pas de clés d’accès ici, car elles marcheraient encore après ton retrait."

# Console: Operations

msgid "Operations"
msgstr "Exploitation"

msgid "Health, storage, backups and background jobs of this server."
msgstr "Santé, stockage, sauvegardes et tâches de fond de ce serveur."

msgid "Configuration"
msgstr "Configuration"

msgid "Stored data"
msgstr "Données stockées"

msgid "As of %1"
msgstr "État au %1"

msgid "The server is ready."
msgstr "Le serveur est prêt."

msgid "The server is not ready: load balancers send nothing to it."
msgstr "Le serveur n’est pas prêt : les répartiteurs de charge ne lui envoient rien."

msgid "Version"
msgstr "Version"

msgid "Running since"
msgstr "Démarré le"

msgid "fine"
msgstr "en ordre"

msgid "failing"
msgstr "en échec"

msgid "Schema is current"
msgstr "Schéma à jour"

msgid "Writes reach the disk"
msgstr "Écritures sur le disque"

msgid "Room for data"
msgstr "Place pour les données"

msgid "Not shutting down"
msgstr "Pas d’arrêt en cours"

msgid "Storage"
msgstr "Stockage"

msgid "enough room"
msgstr "assez de place"

msgid "nearly full"
msgstr "presque plein"

msgid "full: data from devices is rejected"
msgstr "plein : les données des appareils sont refusées"

msgid "Database"
msgstr "Base de données"

msgid "Used"
msgstr "Utilisé"

msgid "Ceiling"
msgstr "Plafond"

msgid "Free on the disk"
msgstr "Libre sur le disque"

msgid "Kept free"
msgstr "Réserve"

msgid "no limit"
msgstr "aucune limite"

msgid "Backups"
msgstr "Sauvegardes"

msgid "The database is PostgreSQL: back it up with pg_dump or the tools of its host."
msgstr "La base est PostgreSQL : sauvegarde-la avec pg_dump ou les outils de son hébergeur."

msgid "Schedule"
msgstr "Planification"

msgid "every %1 hours, the newest %2 are kept"
msgstr "toutes les %1 heures, les %2 dernières sont gardées"

msgid "by hand only (backup_interval_hours is 0)"
msgstr "à la main (backup_interval_hours vaut 0)"

msgid "Folder"
msgstr "Dossier"

msgid "Last verified"
msgstr "Dernière vérification"

msgid "Last verification failed"
msgstr "Dernière vérification en échec"

msgid "Back up now"
msgstr "Sauvegarder maintenant"

msgid "Verify the newest backup"
msgstr "Vérifier la dernière sauvegarde"

msgid "Neither interrupts the server. Verifying restores into a temporary folder."
msgstr "Rien n’interrompt le serveur. La vérification restaure dans un dossier temporaire."

msgid "A backup is running since %1."
msgstr "Une sauvegarde est en cours depuis le %1."

msgid "A verification is running since %1."
msgstr "Une vérification est en cours depuis le %1."

msgid "Show the result"
msgstr "Afficher le résultat"

msgid "The backup of %1 is complete."
msgstr "La sauvegarde du %1 est complète."

msgid "The newest backup was restored and verified on %1."
msgstr "La dernière sauvegarde a été restaurée et vérifiée le %1."

msgid "The backup of %1 failed."
msgstr "La sauvegarde du %1 a échoué."

msgid "The verification of %1 failed."
msgstr "La vérification du %1 a échoué."

msgid "No backups yet"
msgstr "Aucune sauvegarde pour l’instant"

msgid "Make one now, or set backup_interval_hours."
msgstr "Fais-en une maintenant, ou règle backup_interval_hours."

msgid "The newest backups. Their sizes show how the database grows."
msgstr "Les dernières sauvegardes. Leurs tailles montrent la croissance de la base."

msgid "Size"
msgstr "Taille"

msgid "Files"
msgstr "Fichiers"

msgid "Download"
msgstr "Télécharger"

msgid "Download %1"
msgstr "Télécharger %1"

msgid "verified"
msgstr "vérifiée"

msgid "Schema"
msgstr "Schéma"

msgid "Applied migrations"
msgstr "Migrations appliquées"

msgid "Pending migrations"
msgstr "Migrations en attente"

msgid "Background jobs"
msgstr "Tâches de fond"

msgid "Jobs that one server runs for all."
msgstr "Tâches qu’un serveur exécute pour tous."

msgid "No job has run yet."
msgstr "Aucune tâche n’a encore été exécutée."

msgid "Job"
msgstr "Tâche"

msgid "Due"
msgstr "Échéance"

msgid "running"
msgstr "en cours"

msgctxt "console"
msgid "due"
msgstr "à exécuter"

msgid "waiting"
msgstr "en attente"

msgid "Every setting with its value and where it comes from, as subguardd config check prints them. Secrets are masked."
msgstr "Chaque réglage avec sa valeur et son origine, comme les affiche subguardd config check. Les secrets sont masqués."

msgid "Flags win over variables, variables over the file. Changes take effect at the next start."
msgstr "Les options priment sur les variables, les variables sur le fichier. Effet au prochain démarrage."

msgid "Set"
msgstr "Définis"

msgid "Every setting has its default"
msgstr "Tous les réglages sont par défaut"

msgid "Set one by a file, a variable or a flag."
msgstr "Définis-en un par fichier, variable ou option."

msgid "Setting"
msgstr "Réglage"

msgid "Origin"
msgstr "Origine"

msgid "default"
msgstr "par défaut"

msgid "flag"
msgstr "option"

msgid "environment"
msgstr "environnement"

msgid "file %1"
msgstr "fichier %1"

msgid "Meaning"
msgstr "Signification"

msgid "empty"
msgstr "vide"

msgid "What the database contains, how much of it, and for how long: the public privacy report."
msgstr "Ce que contient la base, en quelle quantité et combien de temps : le rapport de confidentialité public."

msgid "Public report (JSON)"
msgstr "Rapport public (JSON)"

msgid "Never stored"
msgstr "Jamais stocké"

msgid "Tables"
msgstr "Tables"

msgid "Counts may be ten minutes old."
msgstr "Les nombres peuvent dater de dix minutes."

msgid "Table"
msgstr "Table"

msgid "Records"
msgstr "Enregistrements"

msgid "Purpose"
msgstr "But"

msgid "Kept"
msgstr "Conservation"

msgid "Last purge"
msgstr "Dernière purge"

# Console: Passkeys

msgid "Passkeys"
msgstr "Clés d’accès"

msgid "A passkey signs in to the console without a token, by the lock of a device or by a security key."
msgstr "Une clé d’accès ouvre la console sans jeton, par le verrouillage d’un appareil ou une clé de sécurité."

msgid "No passkeys yet"
msgstr "Aucune clé d’accès"

msgid "Add one below, and the sign-in needs no token any more."
msgstr "Ajoutes-en une ci-dessous, et la connexion se passera de jeton."

msgid "Host"
msgstr "Hôte"

msgid "Added"
msgstr "Ajout"

msgid "Add a passkey"
msgstr "Ajouter une clé d’accès"

msgid "For your own list, such as “Laptop” or “Blue key”."
msgstr "Pour ta liste, par exemple « Portable » ou « Clé bleue »."

msgid "Your browser now asks for the passkey “%1”. It belongs to your token, and is removed when that is revoked."
msgstr "Ton navigateur va demander la clé d’accès « %1 ». Elle appartient à ton jeton et disparaît avec lui."

msgid "Create the passkey"
msgstr "Créer la clé d’accès"

msgid "No passkey was made. Try again, or with another device."
msgstr "Aucune clé d’accès n’a été créée. Réessaie, ou avec un autre appareil."

msgid "Passkeys need JavaScript and a browser that knows them."
msgstr "Les clés d’accès nécessitent JavaScript et un navigateur qui les connaît."

msgid "Passkeys cannot be used at this address: open the console by localhost, or by the HTTPS name in public_url."
msgstr "Les clés d’accès sont impossibles à cette adresse : ouvre la console par localhost, ou par le nom HTTPS de public_url."

msgid "The passkey is added."
msgstr "La clé d’accès est ajoutée."

msgid "The passkey is removed."
msgstr "La clé d’accès est retirée."

msgid "The passkey was not accepted."
msgstr "La clé d’accès n’a pas été acceptée."

msgid "That took longer than 5 minutes, or was sent twice. Start again."
msgstr "Cela a pris plus de 5 minutes, ou a été envoyé deux fois. Recommence."

msgid "This passkey is there already."
msgstr "Cette clé d’accès existe déjà."

msgid "A token has at most 20 passkeys. Remove one first."
msgstr "Un jeton a au plus 20 clés d’accès. Retires-en une d’abord."

msgid "Remove…"
msgstr "Retirer…"

msgid "Remove the passkey %1"
msgstr "Retirer la clé d’accès %1"

msgid "Remove the passkey %1?"
msgstr "Retirer la clé d’accès %1 ?"

msgid "It will no longer sign in as %1. Sessions that it began go on; end them under Sessions. The device keeps its part until you delete it there."
msgstr "Elle n’ouvrira plus de session pour %1. Les sessions ouvertes continuent ; termine-les dans Sessions. L’appareil garde sa part jusqu’à ce que tu l’y supprimes."

msgid "Remove the passkey"
msgstr "Retirer la clé d’accès"

msgid "Sign in with a passkey"
msgstr "Se connecter avec une clé d’accès"

msgid "No passkey was used. Try again, or paste a token."
msgstr "Aucune clé d’accès utilisée. Réessaie, ou colle un jeton."

msgid "This passkey is not accepted: it is unknown or removed, its token is no longer valid, or it took too long."
msgstr "Cette clé d’accès n’est pas acceptée : inconnue ou retirée, jeton invalide, ou délai dépassé."

# Console: Privacy

msgid "As long as the store exists."
msgstr "Tant que la base existe."

msgid "As long as the store exists; a device that asks to be forgotten gets another hash here, too."
msgstr "Tant que la base existe ; un appareil qui demande l’oubli reçoit ici aussi une autre empreinte."

msgid "As long as ClickHouse keeps the events."
msgstr "Tant que ClickHouse conserve les événements."

msgid "As long as the database."
msgstr "Tant que la base existe."

msgid "%1 days, then purged within a day."
msgstr "%1 jours, puis supprimés en un jour."

msgid "%1 days, then purged."
msgstr "%1 jours, puis supprimés."

msgid "%1 days after the newest id of the same run was received."
msgstr "%1 jours après la réception de l’identifiant le plus récent de la même série."

msgid "%1 days after the last report, then purged."
msgstr "%1 jours après le dernier rapport, puis supprimés."

msgid "The newest ones, up to a fixed number."
msgstr "Les plus récents, jusqu’à un nombre fixe."

msgid "Until they can no longer change."
msgstr "Jusqu’à ce qu’elles ne puissent plus changer."

msgid "Until an editor deletes the item."
msgstr "Jusqu’à ce qu’un éditeur supprime l’élément."

msgid "%1 days for deletions, then purged; merges as long as the store exists."
msgstr "%1 jours pour les suppressions ; les fusions tant que la base existe."

msgid "30 days after the last item stopped using the logo."
msgstr "30 jours après que le dernier élément a cessé d’utiliser le logo."

msgid "As long as the store exists: the audit log names them."
msgstr "Tant que la base existe : le journal d’audit les nomme."

msgid "As long as the store exists: the audit log names the tokens."
msgstr "Tant que la base existe : le journal d’audit nomme les jetons."

msgid "As long as the store exists; rows cannot be changed."
msgstr "Tant que la base existe ; les lignes ne peuvent pas être modifiées."

msgid "Until the operator signs out, at most %1 days."
msgstr "Jusqu’à la déconnexion de l’opérateur, au plus %1 jours."

msgid "Until they are used, at most %1 minutes, then purged."
msgstr "Jusqu’à leur utilisation, au plus %1 minutes, puis supprimés."

msgid "Until they come back, at most %1 minutes, then purged."
msgstr "Jusqu’à leur retour, au plus %1 minutes, puis supprimées."

msgid "Until they are removed or their token is revoked."
msgstr "Jusqu’à leur retrait ou à la révocation de leur jeton."

msgid "Until they are answered, at most %1 minutes, then purged."
msgstr "Jusqu’à la réponse, au plus %1 minutes, puis supprimés."

msgid "%1 minutes, then purged; at most until the session ends."
msgstr "%1 minutes, puis supprimées ; au plus tard à la fin de la session."

msgid "Until they are deleted."
msgstr "Jusqu’à leur suppression."

msgid "24 hours, then purged."
msgstr "24 heures, puis supprimées."

msgid "Until it ends."
msgstr "Jusqu’à sa fin."

msgid "Until the account is erased, by its owner or by a notification from Apple."
msgstr "Jusqu’à l’effacement du compte, par son propriétaire ou par une notification d’Apple."

msgid "Until it signs out, or until %1 days without a refresh."
msgstr "Jusqu’à la déconnexion, ou après %1 jours sans renouvellement."

msgid "Until they expire, at the latest with the session."
msgstr "Jusqu’à leur expiration, au plus tard avec la session."

msgid "Until the proof expires; ids of Apple's notifications at least %1 days."
msgstr "Jusqu’à l’expiration de la preuve ; identifiants des notifications d’Apple au moins %1 jours."

msgid "Until %1 days after its last change, but not while an account has it; erasing the account leaves it without one. Something without an end that was taken back: as long as the store, because what was signed before that has no end either."
msgstr "Jusqu’à %1 jours après sa dernière modification, mais pas tant qu’un compte l’a ; effacer le compte la laisse sans compte. Un achat sans fin qui a été annulé : tant que la base existe, car ce qui a été signé avant n’a pas de fin non plus."

msgid "Until it is done, a few minutes."
msgstr "Jusqu’à son exécution, quelques minutes."

msgid "Until a moderator deletes it."
msgstr "Jusqu’à ce qu’un modérateur le supprime."

msgid "Until a moderator deletes the suggestion."
msgstr "Jusqu’à ce qu’un modérateur supprime la suggestion."

msgid "Until the rebuild ends; after a killed one, a minute."
msgstr "Jusqu’à la fin du recalcul ; une minute après un recalcul interrompu."

msgid "Until the rebuild ends."
msgstr "Jusqu’à la fin du recalcul."

msgid "A few seconds."
msgstr "Quelques secondes."

msgid "A day."
msgstr "Un jour."

msgid "A few weeks, then purged."
msgstr "Quelques semaines, puis supprimés."

msgid "Until the next day."
msgstr "Jusqu’au lendemain."

msgid "Not described."
msgstr "Non décrit."

msgid "One row per person who signed in with Apple. No name, no mail address."
msgstr "Une ligne par personne connectée avec Apple. Ni nom, ni adresse e-mail."

msgid "One row per signed-in device."
msgstr "Une ligne par appareil connecté."

msgid "Tokens of sessions, by their hash."
msgstr "Jetons des sessions, par leur empreinte."

msgid "Proofs that may be used only once, to recognise repetitions."
msgstr "Preuves utilisables une seule fois, pour reconnaître les répétitions."

msgid "Premium that the operator gave to an account, one row each."
msgstr "Premium donné par l’exploitant à un compte, une ligne chacun."

msgid "Until it is taken back, or until the account is erased."
msgstr "Jusqu’à son retrait, ou jusqu’à l’effacement du compte."

msgid "Purchases in the App Store, one row each. No price, no means of payment."
msgstr "Achats sur l’App Store, une ligne chacun. Ni prix, ni moyen de paiement."

msgid "Notifications of the App Store, to recognise repetitions."
msgstr "Notifications de l’App Store, pour reconnaître les répétitions."

msgid "Devices that requested the anonymisation of their events."
msgstr "Appareils qui ont demandé l’anonymisation de leurs événements."

msgid "Suggested names of services, one row per name."
msgstr "Noms de services suggérés, une ligne par nom."

msgid "Ids of suggestions, to recognise repetitions."
msgstr "Identifiants des suggestions, pour reconnaître les répétitions."

msgid "Events of the registry, many per row."
msgstr "Événements du registre, plusieurs par ligne."

msgid "Ids of events, to recognise repetitions."
msgstr "Identifiants des événements, pour reconnaître les répétitions."

msgid "Index of these ids."
msgstr "Index de ces identifiants."

msgid "Runs of these ids."
msgstr "Séries de ces identifiants."

msgid "Progress of counting events."
msgstr "Progression du comptage des événements."

msgid "Progress of copying events to ClickHouse."
msgstr "Progression de la copie des événements vers ClickHouse."

msgid "Which events were copied to ClickHouse: their number and sums, by range and week."
msgstr "Quels événements ont été copiés vers ClickHouse : leur nombre et des sommes, par série et par semaine."

msgid "The number by which ClickHouse knows a device."
msgstr "Le numéro sous lequel ClickHouse connaît un appareil."

msgid "Devices that report events, many per row: the hash that each made of a random id, which identifies no person, and the times of its first and latest event, of its milestones and of the ends of its long absences, the days with events among the last 448 up to its latest event, and the platform and app version that its first event names."
msgstr "Appareils qui envoient des événements, plusieurs par ligne : l’empreinte que chacun a faite d’un identifiant aléatoire, qui n’identifie personne, les instants de son premier et de son dernier événement, de ses étapes et des fins de ses longues absences, les jours avec événements parmi les 448 qui précèdent le dernier, ainsi que la plateforme et la version de l’app du premier événement."

msgid "The same while the figures are rebuilt; empty otherwise."
msgstr "La même chose pendant le recalcul des chiffres ; vide sinon."

msgid "Blocks with events dated ahead, noted by a rebuild of the figures until the next count."
msgstr "Blocs d’événements datés d’avance, notés par un recalcul des chiffres jusqu’au prochain comptage."

msgid "Events dated ahead, until they are counted: their device, moment, name, catalogue item, platform and app version."
msgstr "Événements datés d’avance, jusqu’à leur comptage : appareil, instant, nom, élément du catalogue, plateforme et version de l’app."

msgid "End of the stored events, and the secret from which numbers of users in exports are made."
msgstr "Fin des événements stockés, et le secret dont sont tirés les numéros d’utilisateurs des exports."

msgid "Groups of crashes with the same cause."
msgstr "Groupes de plantages de même cause."

msgid "The first and the newest few reports of each group, reduced to a list of allowed fields and masked."
msgstr "Le premier rapport et les plus récents de chaque groupe, réduits à une liste de champs permis et masqués."

msgid "Ids of reports, to recognise repetitions."
msgstr "Identifiants des rapports, pour reconnaître les répétitions."

msgid "Sessions that may still change."
msgstr "Sessions qui peuvent encore changer."

msgid "Names, mail addresses or telephone numbers of device users, including those who signed in with Apple."
msgstr "Noms, adresses e-mail ou numéros de téléphone des utilisateurs d’appareils, même connectés avec Apple."

msgid "Subscriptions of device users: amounts, billing days, notes or reminders."
msgstr "Abonnements des utilisateurs d’appareils : montants, jours de prélèvement, notes ou rappels."

msgid "Network addresses, neither in the store nor in the log, except that of a rejected admin request."
msgstr "Adresses réseau, ni dans la base ni dans le journal, sauf celle d’une requête d’administration refusée."

msgid "Figures that are being counted."
msgstr "Chiffres en cours de comptage."

msgid "Names of the registry, by number."
msgstr "Noms du registre, par numéro."

msgid "Number of events by name and day."
msgstr "Nombre d’événements par nom et par jour."

msgid "Figures by day."
msgstr "Chiffres par jour."

msgid "Changes of the number of active users by day."
msgstr "Variations du nombre d’utilisateurs actifs par jour."

msgid "Number of devices by day of signup, platform or app version, stage and days after the signup."
msgstr "Nombre d’appareils par jour d’inscription, plateforme ou version, étape et jours après l’inscription."

msgid "App versions that events name, by number."
msgstr "Versions de l’app citées par les événements, par numéro."

msgid "Figures by hour."
msgstr "Chiffres par heure."

msgid "Figures by the millisecond, many per row."
msgstr "Chiffres à la milliseconde, plusieurs par ligne."

msgid "Figures of all time."
msgstr "Chiffres depuis le début."

msgid "The time zones in which days of the figures are cut."
msgstr "Les fuseaux horaires dans lesquels les jours des chiffres commencent."

msgid "Number of additions of each catalogue item."
msgstr "Nombre d’ajouts de chaque élément du catalogue."

msgid "The ranking of the day."
msgstr "Le classement du jour."

msgid "When the ranking was made."
msgstr "Date du classement."

msgid "Releases of the app, by number."
msgstr "Versions de l’app, par numéro."

msgid "Releases of each crash group."
msgstr "Versions de chaque groupe de plantages."

msgid "Number of reports of each crash group by day."
msgstr "Nombre de rapports de chaque groupe de plantages par jour."

msgid "Lists of the app's functions, uploaded by operators: image, size, who and when."
msgstr "Listes des fonctions de l’app, envoyées par des opérateurs : image, taille, qui et quand."

msgid "Names of the app's functions."
msgstr "Noms des fonctions de l’app."

msgid "Until an operator removes them."
msgstr "Jusqu’à ce qu’un opérateur les retire."

msgid "Sessions by hour and release."
msgstr "Sessions par heure et par version."

msgid "Number of sessions by day, of purged hours."
msgstr "Nombre de sessions par jour, des heures supprimées."

msgid "The catalogue."
msgstr "Le catalogue."

msgid "Ids of deleted and merged items."
msgstr "Identifiants des éléments supprimés et fusionnés."

msgid "The revision of the catalogue."
msgstr "La révision du catalogue."

msgid "Names of the logos."
msgstr "Noms des logos."

msgid "Contents of the logos, if they are not files in a folder."
msgstr "Contenu des logos, s’ils ne sont pas des fichiers d’un dossier."

msgid "Admin tokens, by the hash of their secret."
msgstr "Jetons d’administration, par l’empreinte de leur secret."

msgid "Sessions of the console, by the hash of their secret, with the name of the browser."
msgstr "Sessions de la console, par l’empreinte de leur secret, avec le nom du navigateur."

msgid "One-time links to the console, by the hash of their code."
msgstr "Liens à usage unique vers la console, par l’empreinte de leur code."

msgid "Sign-ins to the console that have not come back from the identity provider, by hashes."
msgstr "Connexions à la console pas encore revenues du fournisseur d’identité, par empreintes."

msgid "Which admin token belongs to whom at the identity provider, by a hash; the token's name has their mail."
msgstr "À qui appartient chaque jeton chez le fournisseur d’identité, par empreinte ; le nom du jeton contient l’adresse e-mail."

msgid "Passkeys for the console: name, host, public key, last use."
msgstr "Clés d’accès de la console : nom, hôte, clé publique, dernière utilisation."

msgid "Challenges for passkeys, by their hash."
msgstr "Défis pour clés d’accès, par leur empreinte."

msgid "Decisions of forms of the console, to undo them."
msgstr "Décisions des formulaires de la console, pour les annuler."

msgid "Custom roles."
msgstr "Rôles personnalisés."

msgid "The audit log: author, target, old and new state of every change."
msgstr "Le journal d’audit : auteur, objet, ancien et nouvel état de chaque modification."

msgid "End of the hash chain of the audit log."
msgstr "Fin de la chaîne d’empreintes du journal d’audit."

msgid "Responses to requests with an Idempotency-Key, encrypted so that only their sender can read them."
msgstr "Réponses aux requêtes avec Idempotency-Key, chiffrées pour que seul leur auteur puisse les lire."

msgid "Numbers of users that trigger an alert."
msgstr "Nombres d’utilisateurs qui déclenchent une alerte."

msgid "The revision of that list."
msgstr "La révision de cette liste."

msgid "Alert rules and their latest measurement."
msgstr "Règles d’alerte et leur dernière mesure."

msgid "When the last weekly digest was sent."
msgstr "Date d’envoi du dernier bilan hebdomadaire."

msgid "Alerts and the state of their delivery."
msgstr "Alertes et l’état de leur envoi."

msgid "The storage level of the latest alert."
msgstr "Le niveau de stockage de la dernière alerte."

msgid "Discards of forged events: selection, number and operator."
msgstr "Retraits d’événements falsifiés : sélection, nombre et opérateur."

msgid "The rebuild of the figures under way: its progress and operator."
msgstr "Le recalcul des chiffres en cours : progression et opérateur."

msgid "Receivers of alerts that are disabled because they rejected alerts permanently."
msgstr "Destinataires d’alertes désactivés car ils ont refusé les alertes définitivement."

msgid "Disabled channels, as noted by a build that had one receiver of each."
msgstr "Canaux désactivés, tels que notés par une version à un seul destinataire par canal."

msgid "Exchange rates, fetched from a public source."
msgstr "Taux de change, lus auprès d’une source publique."

msgid "Leases and due times of recurring jobs."
msgstr "Réservations et échéances des tâches récurrentes."

msgid "When each table was last purged."
msgstr "Date de la dernière purge de chaque table."

msgid "The identity of this store."
msgstr "L’identité de cette base."

msgid "The row that the readiness check writes."
msgstr "La ligne qu’écrit le contrôle de disponibilité."

msgid "Applied migrations."
msgstr "Migrations appliquées."

# Console: Suggestions

msgid "Names that devices did not find in the catalogue, grouped without case and accents."
msgstr "Noms que les appareils n’ont pas trouvés dans le catalogue, regroupés sans casse ni accents."

msgid "Pending"
msgstr "En attente"

msgid "Approved"
msgstr "Approuvées"

msgid "Rejected"
msgstr "Rejetées"

msgid "Status"
msgstr "Statut"

msgctxt "console"
msgid "Search"
msgstr "Rechercher"

msgctxt "console"
msgid "Order"
msgstr "Ordre"

msgid "Most often"
msgstr "Les plus fréquentes"

msgid "Latest"
msgstr "Les plus récentes"

msgid "Times"
msgstr "Fois"

msgid "Nearest item"
msgstr "Élément le plus proche"

msgid "none similar"
msgstr "aucun semblable"

msgid "Similarity: %1 of 100"
msgstr "Ressemblance : %1 sur 100"

msgid "mixed alphabets: check letters"
msgstr "alphabets mêlés : vérifie les lettres"

msgid "Select %1"
msgstr "Sélectionner %1"

msgid "Select all on this page"
msgstr "Tout sélectionner sur cette page"

msgid "With the selected suggestions"
msgstr "Avec les suggestions sélectionnées"

msgid "Approve as aliases of the nearest items"
msgstr "Approuver comme alias des éléments proches"

msgid "Reject"
msgstr "Rejeter"

msgid "Alias of %1"
msgstr "Alias de %1"

msgid "Reject %1"
msgstr "Rejeter %1"

msgid "Reopen %1"
msgstr "Rouvrir %1"

msgid "Reason for the audit log (optional)"
msgstr "Motif pour le journal d’audit (facultatif)"

msgid "No suggestions here"
msgstr "Aucune suggestion ici"

msgid "Devices send names that they do not find. Choose another status, or clear the search."
msgstr "Les appareils envoient les noms introuvables. Choisis un autre statut, ou efface la recherche."

msgid "Next page"
msgstr "Page suivante"

msgid "First page"
msgstr "Première page"

msgid "Undo: put %1 back into the queue"
msgstr "Annuler : remettre %1 dans la file"

msgid "This also removes the aliases that were added."
msgstr "Cela retire aussi les alias ajoutés."

msgid "This cannot be undone. The names return to the queue when devices suggest them again; reject a name to keep it out."
msgstr "C’est irréversible. Les noms reviennent dans la file si des appareils les suggèrent à nouveau ; rejette un nom pour l’en exclure."

msgid "Back in the queue; what the approval added to the catalogue is removed."
msgstr "De retour dans la file ; ce que l’approbation a ajouté au catalogue est retiré."

msgid "This suggestion is gone"
msgstr "Cette suggestion n’existe plus"

msgid "It was deleted meanwhile, and nothing was saved. This is what you typed:"
msgstr "Elle a été supprimée entre-temps, et rien n’a été enregistré. Voici ta saisie :"

msgid "Nothing was changed: select rows, then press a button below the list."
msgstr "Rien n’a été modifié : sélectionnez des lignes, puis un bouton sous la liste."

msgid "This was not accepted:"
msgstr "Cela n’a pas été accepté :"

msgid "%1, suggested once, on %4 (UTC)."
msgstr "%1, reçue une fois, le %4 (UTC)."

msgid "%1, suggested %2 times from %3 to %4 (UTC)."
msgstr "%1, reçue %2 fois du %3 au %4 (UTC)."

msgid "Approved. Devices receive the change with their next synchronisation."
msgstr "Approuvée. Les appareils reçoivent la modification à leur prochaine synchronisation."

msgid "Rejected. The name does not return to the queue."
msgstr "Rejetée. Le nom ne revient pas dans la file."

msgid "Back in the queue."
msgstr "De retour dans la file."

msgid "A word of this name mixes alphabets whose letters look alike. Check it carefully before you approve it."
msgstr "Un mot de ce nom mêle des alphabets aux lettres semblables. Vérifie-le bien avant d’approuver."

msgid "It became this item, or an alias of it:"
msgstr "Elle est devenue cet élément, ou un alias :"

msgid "Decided %1."
msgstr "Décidée le %1."

msgid "Puts the name back into the queue. An item or alias that it became stays."
msgstr "Remet le nom dans la file. L’élément ou l’alias créé reste."

msgid "Similar items"
msgstr "Éléments semblables"

msgid "No item of the catalogue is similar."
msgstr "Aucun élément du catalogue n’est semblable."

msgid "Search the catalogue for another item"
msgstr "Chercher un autre élément au catalogue"

msgid "Add as alias"
msgstr "Ajouter comme alias"

msgid "Add %1 as an alias of %2"
msgstr "Ajouter %1 comme alias de %2"

msgid "Approve as a new item"
msgstr "Approuver comme nouvel élément"

msgid "Approve and add the item"
msgstr "Approuver et ajouter l’élément"

msgid "approved: %1"
msgstr "approuvées : %1"

msgid "rejected: %1"
msgstr "rejetées : %1"

msgid "put back into the queue: %1"
msgstr "remises dans la file : %1"

msgid "already decided: %1"
msgstr "déjà traitées : %1"

msgid "without a similar item: %1"
msgstr "sans élément semblable : %1"

msgid "not added, the item has too many aliases: %1"
msgstr "non ajoutées, l’élément a trop d’alias : %1"

msgid "not undone, the item was changed since: %1"
msgstr "non annulées, l’élément a été modifié depuis : %1"

# Console: Symbols

msgid "Symbols"
msgstr "Symboles"

msgid "The images whose functions have names. Crashes of other images show image and offset."
msgstr "Les images dont les fonctions ont un nom. Les plantages des autres images montrent l’image et le décalage."

msgid "No symbols yet"
msgstr "Aucun symbole pour l’instant"

msgid "Crashes show image and offset until the symbols of the image are added."
msgstr "Les plantages montrent l’image et le décalage tant que les symboles de l’image ne sont pas ajoutés."

msgid "Add symbols"
msgstr "Ajouter des symboles"

msgid "On the Mac that built the app, then on the server. The API takes them too: PUT /api/v1/admin/crashes/symbols/{debug_id}."
msgstr "Sur le Mac qui a compilé l’app, puis sur le serveur. L’API les accepte aussi : PUT /api/v1/admin/crashes/symbols/{debug_id}."

msgid "Image"
msgstr "Image"

msgid "Debug id"
msgstr "Identifiant de débogage"

msgid "Functions"
msgstr "Fonctions"

msgid "Remove the symbols of %1"
msgstr "Retirer les symboles de %1"

msgid "The symbols of %1 are removed."
msgstr "Les symboles de %1 sont retirés."

msgid "Remove these symbols?"
msgstr "Retirer ces symboles ?"

msgid "Crashes of this image show offsets again, and groups that only these names made one are parted. Adding the same file again restores both."
msgstr "Les plantages de cette image montrent de nouveau des décalages, et les groupes que seuls ces noms réunissaient sont séparés. Ajouter de nouveau le même fichier rétablit les deux."

msgid "Remove"
msgstr "Retirer"

msgid "One function, several places"
msgstr "Une fonction, plusieurs endroits"

msgid "By their symbols these groups are one. Parting them gives each its own reports and status back; the same symbols do not make them one again."
msgstr "Leurs symboles font de ces groupes un seul. Les séparer rend à chacun ses rapports et son statut ; les mêmes symboles ne les réunissent plus."

msgid "Place"
msgstr "Endroit"

msgid "Part them"
msgstr "Les séparer"

msgid "The groups are parted. The others are in the list."
msgstr "Les groupes sont séparés. Les autres sont dans la liste."

# Console: counts

msgid "Not counted yet: %1 user who still has time left."
msgid_plural "Not counted yet: %1 users who still have time left."
msgstr[0] "Pas encore compté : %1 utilisateur à qui il reste du temps."
msgstr[1] "Pas encore comptés : %1 utilisateurs à qui il reste du temps."

msgid "%1 user"
msgid_plural "%1 users"
msgstr[0] "%1 utilisateur"
msgstr[1] "%1 utilisateurs"

msgid "%1 day"
msgid_plural "%1 days"
msgstr[0] "%1 jour"
msgstr[1] "%1 jours"

msgid "%1 event"
msgid_plural "%1 events"
msgstr[0] "%1 événement"
msgstr[1] "%1 événements"

msgid "%1 pending suggestion"
msgid_plural "%1 pending suggestions"
msgstr[0] "%1 suggestion en attente"
msgstr[1] "%1 suggestions en attente"

msgid "%1 alert could not be delivered"
msgid_plural "%1 alerts could not be delivered"
msgstr[0] "%1 alerte non livrée"
msgstr[1] "%1 alertes non livrées"

msgid "%1 open crash group"
msgid_plural "%1 open crash groups"
msgstr[0] "%1 groupe de plantages ouvert"
msgstr[1] "%1 groupes de plantages ouverts"

msgid "%1 session"
msgid_plural "%1 sessions"
msgstr[0] "%1 session"
msgstr[1] "%1 sessions"

msgid "%1 session of the console ends."
msgid_plural "%1 sessions of the console end."
msgstr[0] "%1 session de la console prend fin."
msgstr[1] "%1 sessions de la console prennent fin."

msgid "1 passkey"
msgid_plural "%1 passkeys"
msgstr[0] "1 clé d’accès"
msgstr[1] "%1 clés d’accès"

msgid "Delete %1 crash group?"
msgid_plural "Delete %1 crash groups?"
msgstr[0] "Supprimer %1 groupe de plantages ?"
msgstr[1] "Supprimer %1 groupes de plantages ?"

msgid "Delete %1 release?"
msgid_plural "Delete %1 releases?"
msgstr[0] "Supprimer %1 version ?"
msgstr[1] "Supprimer %1 versions ?"

msgid "Undo for %1 group"
msgid_plural "Undo for %1 groups"
msgstr[0] "Annuler pour %1 groupe"
msgstr[1] "Annuler pour %1 groupes"

msgid "%1 report"
msgid_plural "%1 reports"
msgstr[0] "%1 rapport"
msgstr[1] "%1 rapports"

msgid "Delete %1 suggestion?"
msgid_plural "Delete %1 suggestions?"
msgstr[0] "Supprimer %1 suggestion ?"
msgstr[1] "Supprimer %1 suggestions ?"

msgid "%1 match, also with a typo"
msgid_plural "The %1 best matches, also those with a typo"
msgstr[0] "%1 correspondance, faute de frappe comprise"
msgstr[1] "Les %1 meilleures correspondances, fautes de frappe comprises"

msgid "%1 item without a logo"
msgid_plural "%1 items without a logo"
msgstr[0] "%1 élément sans logo"
msgstr[1] "%1 éléments sans logo"

# Console: forms for certain things

msgctxt "of one"
msgid "Open"
msgstr "Ouvert"

msgctxt "of one"
msgid "Resolved"
msgstr "Résolu"

msgctxt "of one"
msgid "Ignored"
msgstr "Ignoré"

msgctxt "of one"
msgid "Approved"
msgstr "Approuvée"

msgctxt "of one"
msgid "Rejected"
msgstr "Rejetée"

msgctxt "of suggestions"
msgid "All"
msgstr "Toutes"

msgctxt "of actions"
msgid "All"
msgstr "Toutes"

msgctxt "of change"
msgid "Undo"
msgstr "Annulation"

msgctxt "of change"
msgid "Import"
msgstr "Import"

msgctxt "of tokens"
msgid "Revoked"
msgstr "Révoqués"

msgctxt "of migrations"
msgid "Newest"
msgstr "Dernière"

msgctxt "of one"
msgid "%1 selected"
msgstr "%1 sélectionné"

msgctxt "of one of releases"
msgid "%1 selected"
msgstr "%1 sélectionnée"

msgctxt "of releases"
msgid "%1 selected"
msgstr "%1 sélectionnées"

msgctxt "of one of suggestions"
msgid "%1 selected"
msgstr "%1 sélectionnée"

msgctxt "of suggestions"
msgid "%1 selected"
msgstr "%1 sélectionnées"

msgctxt "of migrations"
msgid "none"
msgstr "aucune"

# Console: Settings

msgctxt "console finished"
msgid "Address to listen on, an IPv4 or IPv6 literal; 0.0.0.0 stands for every IPv4 address of this machine. unix:/run/subguard/http.sock is a socket for a proxy on this machine, without port. A socket that systemd passes replaces both."
msgstr "Adresse d’écoute, IPv4 ou IPv6 littérale ; 0.0.0.0 désigne toutes les adresses IPv4 de cette machine. unix:/run/subguard/http.sock est une socket pour un proxy de cette machine, sans port. Une socket transmise par systemd remplace les deux."

msgctxt "console finished"
msgid "Permissions of the Unix socket in host; who may write to it may connect."
msgstr "Permissions de la socket Unix de host ; qui peut y écrire peut s’y connecter."

msgctxt "console finished"
msgid "Group of the Unix socket in host; empty leaves that of the process."
msgstr "Groupe de la socket Unix de host ; vide, celui du processus."

msgctxt "console finished"
msgid "Port to listen on; 0 lets the system choose."
msgstr "Port d’écoute ; 0 laisse le système choisir."

msgctxt "console finished"
msgid "PEM file with the certificate followed by its chain. With tls_key, the port speaks TLS. SIGHUP reloads both files without closing a connection."
msgstr "Fichier PEM du certificat, suivi de sa chaîne. Avec tls_key, le port parle TLS. SIGHUP relit les deux fichiers sans fermer de connexion."

msgctxt "console finished"
msgid "PEM file with the certificate's key, without a passphrase."
msgstr "Fichier PEM de la clé du certificat, sans phrase secrète."

msgctxt "console finished"
msgid "Deadline for the TLS handshake, counted from the connection."
msgstr "Délai de la négociation TLS, compté depuis la connexion."

msgctxt "console finished"
msgid "With TLS: a second port, without TLS, that redirects every request to the first; 0 disables it."
msgstr "Avec TLS : un second port, sans TLS, qui redirige chaque requête vers le premier ; 0 le désactive."

msgctxt "console finished"
msgid "With TLS: how long browsers must use TLS only (Strict-Transport-Security); 0 omits the field, which does not revoke what browsers already remember."
msgstr "Avec TLS : durée pendant laquelle les navigateurs n’utilisent que TLS (Strict-Transport-Security) ; 0 omet le champ, ce qui n’annule pas ce que les navigateurs ont déjà retenu."

msgctxt "console finished"
msgid "Database URL: sqlite:PATH, relative to the working directory or absolute, or postgres://USER:PASSWORD@HOST/NAME as libpq reads it."
msgstr "URL de la base : sqlite:PATH, relatif au dossier de travail ou absolu, ou postgres://USER:PASSWORD@HOST/NAME, lue par libpq."

msgctxt "console finished"
msgid "With PostgreSQL: maximum number of connections."
msgstr "Avec PostgreSQL : nombre maximal de connexions."

msgctxt "console finished"
msgid "With PostgreSQL: timeout for one statement."
msgstr "Avec PostgreSQL : durée maximale d’une instruction."

msgctxt "console finished"
msgid "With PostgreSQL: how long a call retries an unreachable server before it fails."
msgstr "Avec PostgreSQL : durée pendant laquelle un appel réessaie de joindre le serveur avant d’échouer."

msgctxt "console finished"
msgid "With PostgreSQL: URL of a standby for figures, lists, search and exports. A read goes there only once the standby has everything that was committed before; else it goes to the primary."
msgstr "Avec PostgreSQL : URL d’un réplica pour les chiffres, les listes, la recherche et les exports. Une lecture n’y va qu’une fois qu’il a tout ce qui était validé avant elle ; sinon elle va au serveur principal."

msgctxt "console finished"
msgid "With PostgreSQL: number of standbys that must have a commit on disk before it is acknowledged. The server does not start, and /readyz is 503, while the database's settings promise less."
msgstr "Avec PostgreSQL : nombre de réplicas qui doivent avoir une transaction sur leur disque avant qu’elle soit confirmée. Le serveur ne démarre pas, et /readyz répond 503, tant que la base promet moins."

msgctxt "console finished"
msgid "Minimum log level. Each request is one line at info, so notice disables request logging."
msgstr "Niveau minimal du journal. Chaque requête est une ligne au niveau info ; notice supprime donc le journal des requêtes."

msgctxt "console finished"
msgid "Format of a log line: text for people, json for log collectors. The log goes to standard error."
msgstr "Format d’une ligne du journal : text pour les personnes, json pour les collecteurs. Le journal va sur la sortie d’erreur."

msgctxt "console finished"
msgid "Number of event loops; 0 means one per core."
msgstr "Nombre de boucles d’événements ; 0 en utilise une par cœur."

msgctxt "console finished"
msgid "Threads for requests that need the database. SQLite has one writer, so many threads only wait for each other."
msgstr "Fils d’exécution des requêtes qui ont besoin de la base. SQLite n’a qu’un écrivain : au-delà, ils ne font que s’attendre."

msgctxt "console finished"
msgid "Maximum number of open connections; beyond it the connection that has been idle longest is closed."
msgstr "Nombre maximal de connexions ouvertes ; au-delà, celle qui est inactive depuis le plus longtemps est fermée."

msgctxt "console finished"
msgid "Maximum number of open connections of one client (an IPv4 address or an IPv6 /64). Trusted proxies are not counted. 0 means 1024, with no limit for connections from this machine."
msgstr "Nombre maximal de connexions ouvertes d’un client (une adresse IPv4 ou un /64 IPv6). Les mandataires de confiance ne sont pas comptés. 0 signifie 1024, sans limite pour les connexions de cette machine."

msgctxt "console finished"
msgid "Memory for the bodies of all requests together; beyond it the server responds 503. One client gets at most a quarter, except for large administrative bodies, which are read only after the token was checked."
msgstr "Mémoire pour les corps de toutes les requêtes ensemble ; au-delà, le serveur répond 503. Un client en obtient au plus un quart, sauf pour les grands envois d’administration, lus seulement après le contrôle du jeton."

msgctxt "console finished"
msgid "Memory for responses that clients have not read yet; beyond it a response becomes 503, or is truncated if it has begun. One client gets at most a quarter."
msgstr "Mémoire pour les réponses que les clients n’ont pas encore lues ; au-delà, une réponse devient 503, ou est tronquée si elle a commencé. Un client en obtient au plus un quart."

msgctxt "console finished"
msgid "How long a request may wait for a worker thread before further requests get 503."
msgstr "Durée pendant laquelle une requête peut attendre un fil d’exécution avant que les suivantes reçoivent 503."

msgctxt "console finished"
msgid "Deadline for the head of a request, counted from its first byte."
msgstr "Délai pour l’en-tête d’une requête, compté depuis son premier octet."

msgctxt "console finished"
msgid "Longest pause within a request body."
msgstr "Plus longue pause dans le corps d’une requête."

msgctxt "console finished"
msgid "How long a connection may stay idle between requests. Longer than your proxy keeps its connections (usually 60 seconds), so that it never sends a request on one that is being closed."
msgstr "Durée pendant laquelle une connexion peut rester inactive entre deux requêtes. Plus longue que celle de ton mandataire (d’ordinaire 60 secondes), pour qu’il n’envoie jamais de requête sur une connexion qui se ferme."

msgctxt "console finished"
msgid "Deadline for the response, counted from the end of the request."
msgstr "Délai de la réponse, compté depuis la fin de la requête."

msgctxt "console finished"
msgid "How long running requests may take to finish after SIGTERM."
msgstr "Durée laissée aux requêtes en cours après SIGTERM."

msgctxt "console finished"
msgid "Whether requests are rate-limited per client. Disable it for load tests only."
msgstr "Si les requêtes de chaque client sont limitées. À désactiver pour les essais de charge seulement."

msgctxt "console finished"
msgid "Events that one client may send per minute, in units of 128 bytes on disk; most events are one or two units."
msgstr "Événements qu’un client peut envoyer par minute, en unités de 128 octets sur le disque ; la plupart des événements en comptent une ou deux."

msgctxt "console finished"
msgid "Events that all clients together may send per minute, in units of 128 bytes on disk; a fifth is reserved for clients that send little."
msgstr "Événements que tous les clients ensemble peuvent envoyer par minute, en unités de 128 octets sur le disque ; un cinquième est réservé à ceux qui envoient peu."

msgctxt "console finished"
msgid "Users that one client may report for the first time per hour; signed batches may report ten times as many."
msgstr "Utilisateurs qu’un client peut signaler pour la première fois par heure ; les lots signés peuvent en signaler dix fois plus."

msgctxt "console finished"
msgid "Users that all clients together may report for the first time per hour; a fifth is reserved for clients that report few."
msgstr "Utilisateurs que tous les clients ensemble peuvent signaler pour la première fois par heure ; un cinquième est réservé à ceux qui en signalent peu."

msgctxt "console finished"
msgid "Decompressed size of the compressed bodies that one client may send per minute."
msgstr "Taille décompressée des corps compressés qu’un client peut envoyer par minute."

msgctxt "console finished"
msgid "Decompressed size of the compressed bodies that all clients together may send per minute."
msgstr "Taille décompressée des corps compressés que tous les clients ensemble peuvent envoyer par minute."

msgctxt "console finished"
msgid "Catalogue responses that one client may have rendered per minute; responses already in memory are not counted."
msgstr "Réponses du catalogue qu’un client peut faire composer par minute ; celles déjà en mémoire ne comptent pas."

msgctxt "console finished"
msgid "Catalogue responses that all clients together may have rendered per minute."
msgstr "Réponses du catalogue que tous les clients ensemble peuvent faire composer par minute."

msgctxt "console finished"
msgid "Size of the database at which devices get 503 storage_full; 0 disables the limit. From 80 % on, the log, /readyz, /metrics and an alert warn."
msgstr "Taille de la base à partir de laquelle les appareils reçoivent 503 storage_full ; 0 désactive la limite. Dès 80 %, le journal, /readyz, /metrics et une alerte avertissent."

msgctxt "console finished"
msgid "With SQLite: free disk space below which devices get 503 storage_full; 0 disables the check."
msgstr "Avec SQLite : espace disque libre au-dessous duquel les appareils reçoivent 503 storage_full ; 0 désactive le contrôle."

msgctxt "console finished"
msgid "Addresses and ranges (10.0.0.0/8) of your reverse proxies, comma-separated. The client's address is read from the field that they set (client_address_header). Without this setting, all clients behind a proxy share one rate limit."
msgstr "Adresses et plages (10.0.0.0/8) de tes mandataires inverses, séparées par des virgules. L’adresse du client est lue dans le champ qu’ils posent (client_address_header). Sans ce réglage, tous les clients derrière un mandataire partagent une seule limite."

msgctxt "console finished"
msgid "Origins of web pages that may call the routes for devices and SDKs (CORS), comma-separated; * means all. Empty: none for devices, all for Sentry and PostHog SDKs, whose keys are public. Never administration."
msgstr "Origines des pages web qui peuvent appeler les routes des appareils et des SDK (CORS), séparées par des virgules ; * signifie toutes. Vide : aucune pour les appareils, toutes pour les SDK de Sentry et de PostHog, dont les clés sont publiques. Jamais l’administration."

msgctxt "console finished"
msgid "The field in which the trusted proxies name the client; auto means X-Forwarded-For or Forwarded. Name only a field that your proxy sets itself in every request, because a client can send it too."
msgstr "Le champ où les mandataires de confiance nomment le client ; auto signifie X-Forwarded-For ou Forwarded. Ne nomme qu’un champ que ton mandataire pose lui-même dans chaque requête, car un client peut aussi l’envoyer."

msgctxt "console finished"
msgid "Address under which browsers reach this server, such as https://subguard.example.com, or https://example.com/subguard behind a proxy, whether or not that removes the path. The console accepts requests for it and prints links to it; without this setting, a server that listens on this machine only accepts localhost."
msgstr "Adresse à laquelle les navigateurs joignent ce serveur, comme https://subguard.example.com, ou https://example.com/subguard derrière un proxy, qu’il retire ce chemin ou non. La console accepte les requêtes pour elle et imprime des liens vers elle ; sans ce réglage, un serveur qui n’écoute que sur cette machine n’accepte que localhost."

msgctxt "console finished"
msgid "Whether the server has the console, /console."
msgstr "Si le serveur offre la console, /console."

msgctxt "console finished"
msgid "Issuer of an OpenID Connect provider whose people may sign in to the console, exactly as the provider spells it; http:// is allowed only on this machine. Needs oidc_client_id, oidc_roles and public_url."
msgstr "Émetteur d’un fournisseur OpenID Connect dont les membres peuvent ouvrir la console, exactement comme le fournisseur l’écrit ; http:// n’est permis que sur cette machine. Nécessite oidc_client_id, oidc_roles et public_url."

msgctxt "console finished"
msgid "Id of this server at the provider; the redirect URI there is public_url with /console/oidc/callback."
msgstr "Identifiant de ce serveur chez le fournisseur ; l’URI de redirection y est public_url suivi de /console/oidc/callback."

msgctxt "console finished"
msgid "Secret of oidc_client_id; empty for a public client, which PKCE alone protects."
msgstr "Secret de oidc_client_id ; vide pour un client public, que seul PKCE protège."

msgctxt "console finished"
msgid "Name of the provider on the button of the sign-in page."
msgstr "Nom du fournisseur sur le bouton de la page de connexion."

msgctxt "console finished"
msgid "Roles by group or verified mail address, comma-separated; the first that matches counts, and without a match the sign-in is refused: group:admins=owner, mail:ann@example.com=analyst."
msgstr "Rôles par groupe ou adresse électronique vérifiée, séparés par des virgules ; la première correspondance compte, et sans elle la connexion est refusée : group:admins=owner, mail:ann@example.com=analyst."

msgctxt "console finished"
msgid "Scopes to ask the provider for, comma-separated, openid among them; some need groups for groups."
msgstr "Portées demandées au fournisseur, séparées par des virgules, dont openid ; certains exigent groups pour les groupes."

msgctxt "console finished"
msgid "Bearer token that GET /metrics requires; empty means that no token is required."
msgstr "Jeton que GET /metrics exige dans le champ Authorization ; vide, aucun jeton n’est exigé."

msgctxt "console finished"
msgid "Port of a second listener, without TLS, that serves only /metrics, /healthz and /readyz; the main port then responds 404 to /metrics. 0 disables it."
msgstr "Port d’un second serveur, sans TLS, qui n’offre que /metrics, /healthz et /readyz ; le port principal répond alors 404 à /metrics. 0 le désactive."

msgctxt "console finished"
msgid "IPv4 or IPv6 address on which metrics_port listens."
msgstr "Adresse IPv4 ou IPv6 sur laquelle metrics_port écoute."

msgctxt "console finished"
msgid "Analytics events that may wait to be written; beyond it the server responds 503 with Retry-After."
msgstr "Événements d’analyse qui peuvent attendre d’être écrits ; au-delà, le serveur répond 503 avec Retry-After."

msgctxt "console finished"
msgid "Maximum number of analytics events in one transaction."
msgstr "Nombre maximal d’événements d’analyse dans une transaction."

msgctxt "console finished"
msgid "How long a batch of events waits for others to share its commit. 0 commits at once; batches that arrive during a commit share the next one."
msgstr "Durée pendant laquelle un lot d’événements en attend d’autres pour partager sa validation. 0 valide aussitôt ; les lots arrivés pendant une validation partagent la suivante."

msgctxt "console finished"
msgid "Time zone in which days, weeks and months of the figures begin at midnight, such as Europe/Paris. A change counts all days again whose raw events are still there."
msgstr "Fuseau horaire dans lequel les jours, semaines et mois des indicateurs commencent à minuit, comme Europe/Paris. Un changement recompte tous les jours dont les événements bruts sont encore là."

msgctxt "console finished"
msgid "How long raw events are kept; the figures made from them remain."
msgstr "Durée de conservation des événements bruts ; les indicateurs qui en sont tirés restent."

msgctxt "console finished"
msgid "How long the ids of events are remembered, so that an event sent again is not counted again. Fewer days need less disk space and memory, but an event that a device sends again after that time counts twice; after 401 days it would be rejected as too old. Ids are remembered at least two days longer than events are kept."
msgstr "Durée pendant laquelle les identifiants des événements sont retenus, pour qu’un événement renvoyé ne compte pas deux fois. Moins de jours prennent moins de disque et de mémoire, mais un événement renvoyé plus tard compte deux fois ; après 401 jours, il serait refusé comme trop ancien. Les identifiants sont retenus au moins deux jours de plus que les événements."

msgctxt "console finished"
msgid "Memory for the filters that recognise new event ids, 2 bytes an id. Filters beyond it are in a file without a name, beside an SQLite file or in the folder for temporary files."
msgstr "Mémoire des filtres qui reconnaissent les nouveaux identifiants d’événements, 2 octets par identifiant. Les filtres en plus sont dans un fichier sans nom, à côté d’un fichier SQLite ou dans le dossier des fichiers temporaires."

msgctxt "console finished"
msgid "How long deleted catalogue items are reported to syncing devices. A device that last synced earlier gets 410 and downloads the whole catalogue again."
msgstr "Durée pendant laquelle les éléments supprimés du catalogue sont signalés aux appareils. Un appareil synchronisé plus tôt reçoit 410 et télécharge de nouveau tout le catalogue."

msgctxt "console finished"
msgid "Folder of the logos. Empty means the folder logos beside an SQLite file, or the PostgreSQL database itself."
msgstr "Dossier des logos. Vide : le dossier logos à côté d’un fichier SQLite, ou la base PostgreSQL elle-même."

msgctxt "console finished"
msgid "Folder of the backups. Empty means the folder backups beside the database."
msgstr "Dossier des sauvegardes. Vide : le dossier backups à côté de la base."

msgctxt "console finished"
msgid "How often the server makes a backup; 0 disables automatic backups."
msgstr "Intervalle entre deux sauvegardes automatiques ; 0 les désactive."

msgctxt "console finished"
msgid "Number of backups to keep; older ones are deleted."
msgstr "Nombre de sauvegardes à garder ; les plus anciennes sont supprimées."

msgctxt "console finished"
msgid "Whether the server verifies each of its backups by restoring it into a temporary folder."
msgstr "Si le serveur vérifie chacune de ses sauvegardes en la restaurant dans un dossier temporaire."

msgctxt "console finished"
msgid "Public key of the DSN for Sentry SDKs, http://KEY@HOST:PORT/ingest/PROJECT; empty disables their crash reports."
msgstr "Clé publique du DSN pour les SDK de Sentry, http://KEY@HOST:PORT/ingest/PROJECT ; vide, leurs rapports de plantage sont désactivés."

msgctxt "console finished"
msgid "Project ID in the DSN of ingest_sentry_key: the last part of its path."
msgstr "Identifiant du projet dans le DSN de ingest_sentry_key : la dernière partie de son chemin."

msgctxt "console finished"
msgid "Project API key of PostHog SDKs; empty disables POST /batch/, to which they send events."
msgstr "Clé d’API du projet pour les SDK de PostHog ; vide, POST /batch/, où ils envoient leurs événements, est désactivé."

msgctxt "console finished"
msgid "Keys that apps sign event batches with, written name:base64 (16 to 64 bytes each), comma-separated; several at once allow rotation."
msgstr "Clés avec lesquelles les apps signent les lots d’événements, écrites name:base64 (16 à 64 octets chacune), séparées par des virgules ; plusieurs à la fois permettent une rotation."

msgctxt "console finished"
msgid "Signatures of event batches: not checked (off), checked and marked if present (accept), or required (require)."
msgstr "Signatures des lots d’événements : non contrôlées (off), contrôlées et notées si présentes (accept), ou exigées (require)."

msgctxt "console finished"
msgid "How long hourly session counts, and crash groups without new reports, are kept."
msgstr "Durée de conservation des nombres de sessions par heure, et des groupes de plantages sans nouveau rapport."

msgctxt "console finished"
msgid "Releases of your app, comma-separated, such as 1.4.0,app@2.*; a * at the end matches anything. Other releases count as (other). Empty counts every release under its own name."
msgstr "Versions de ton app, séparées par des virgules, comme 1.4.0,app@2.* ; un * final accepte tout. Les autres versions comptent comme (other). Vide, chaque version compte sous son nom."

msgctxt "console finished"
msgid "Slack incoming webhooks for alerts, up to ten, comma-separated."
msgstr "Webhooks entrants de Slack pour les alertes, au plus dix, séparés par des virgules."

msgctxt "console finished"
msgid "Mail server for alerts: smtp://user:password@host:587 (STARTTLS) or smtps://host (TLS from the start), user and password percent-encoded. Needs alerts_email_from and alerts_email_to."
msgstr "Serveur de messagerie des alertes : smtp://user:password@host:587 (STARTTLS) ou smtps://host (TLS dès le début), nom et mot de passe encodés en pourcents. Nécessite alerts_email_from et alerts_email_to."

msgctxt "console finished"
msgid "Whether smtp:// may continue without STARTTLS; the loopback address always may."
msgstr "Si smtp:// peut continuer sans STARTTLS ; l’adresse de bouclage le peut toujours."

msgctxt "console finished"
msgid "The name with which the server greets the mail server (EHLO); empty means the host of public_url, else the name of this machine. Some mail servers refuse a name that is not fully qualified."
msgstr "Le nom sous lequel le serveur se présente au serveur de courriel (EHLO) ; vide, l’hôte de public_url, sinon le nom de cette machine. Certains serveurs de courriel refusent un nom incomplet."

msgctxt "console finished"
msgid "Sender of alert mails: alerts@example.org or SubGuard <alerts@example.org>."
msgstr "Expéditeur des courriels d’alerte : alerts@example.org ou SubGuard <alerts@example.org>."

msgctxt "console finished"
msgid "Recipients of alert mails, at most 50, comma-separated."
msgstr "Destinataires des courriels d’alerte, au plus 50, séparés par des virgules."

msgctxt "console finished"
msgid "Your own addresses for alerts, up to ten, comma-separated. Alerts are sent as signed POST requests. Needs alerts_webhook_secret."
msgstr "Tes propres adresses pour les alertes, au plus dix, séparées par des virgules. Les alertes sont envoyées par des requêtes POST signées. Nécessite alerts_webhook_secret."

msgctxt "console finished"
msgid "Key that signs the requests to alerts_webhook_url; for several addresses, one for all or, comma-separated, one for each."
msgstr "Clé qui signe les requêtes vers alerts_webhook_url ; pour plusieurs adresses, une pour toutes ou une pour chacune, séparées par des virgules."

msgctxt "console finished"
msgid "Whether alerts, and requests to oidc_issuer, may be sent to private or loopback addresses."
msgstr "Si les alertes, et les requêtes vers oidc_issuer, peuvent aller à des adresses privées ou de bouclage."

msgctxt "console finished"
msgid "Hosts, comma-separated, that may receive alerts, or be the provider of oidc_issuer, even if their addresses are private or loopback addresses."
msgstr "Hôtes, séparés par des virgules, qui peuvent recevoir les alertes ou être le fournisseur de oidc_issuer, même à des adresses privées ou de bouclage."

msgctxt "console finished"
msgid "PEM file of certificate authorities to trust for alert targets, oidc_issuer, rates_url and event_sink_url, in addition to the system's."
msgstr "Fichier PEM d’autorités de certification à accepter pour les cibles des alertes, oidc_issuer, rates_url et event_sink_url, en plus de celles du système."

msgctxt "console finished"
msgid "Attempts to deliver an alert before it is marked as failed; it can still be retried by request."
msgstr "Nombre d’essais d’envoi d’une alerte avant qu’elle soit notée en échec ; elle peut encore être renvoyée sur demande."

msgctxt "console finished"
msgid "Whether to send the figures of the week through the alert channels, on Mondays at 08:00 in reports_time_zone."
msgstr "Si les indicateurs de la semaine sont envoyés par les canaux d’alerte, le lundi à 08:00 dans reports_time_zone."

msgctxt "console finished"
msgid "ClickHouse that gets a copy of every event, as clickhouse://USER@HOST1,HOST2/DATABASE?cluster=NAME. Connections use TLS at port 8443; with tls=off, plain HTTP at port 8123, on this machine and private networks only. Empty: no copies."
msgstr "ClickHouse qui reçoit une copie de chaque événement, sous la forme clickhouse://USER@HOST1,HOST2/DATABASE?cluster=NAME. Les connexions utilisent TLS sur le port 8443 ; avec tls=off, HTTP sans chiffrement sur le port 8123, seulement sur cette machine et les réseaux privés. Vide : aucune copie."

msgctxt "console finished"
msgid "Password of the user in event_sink_url."
msgstr "Mot de passe de l’utilisateur de event_sink_url."

msgctxt "console finished"
msgid "How long events stay in ClickHouse, in whole weeks; 0 means for ever."
msgstr "Durée de conservation des événements dans ClickHouse, en semaines entières ; 0 : sans limite."

msgctxt "console finished"
msgid "Address of reference rates in a form of the European Central Bank (CSV, XML, zip), fetched once a day for devices; http:// is allowed only on this machine. Empty: no rates are fetched."
msgstr "Adresse de taux de référence sous une forme de la Banque centrale européenne (CSV, XML, zip), lus une fois par jour pour les appareils ; http:// n’est permis que sur cette machine. Vide : aucun taux n’est lu."

msgctxt "console finished"
msgid "Bundle and services ids of the apps whose users may sign in with Apple, comma-separated; empty disables sign-in."
msgstr "Identifiants de bundle et de services des apps dont les utilisateurs peuvent se connecter avec Apple, séparés par des virgules ; vide, cette connexion est désactivée."

msgctxt "console finished"
msgid "Address of Apple's public keys; http:// is allowed only on this machine."
msgstr "Adresse des clés publiques d’Apple ; http:// n’est permis que sur cette machine."

msgctxt "console finished"
msgid "Bundle id of the app whose purchases give premium; empty disables purchases."
msgstr "Identifiant de bundle de l’app dont les achats donnent premium ; vide, les achats sont désactivés."

msgctxt "console finished"
msgid "Environments of the App Store whose purchases give premium, comma-separated: Production for customers, Sandbox for testers. App Review and TestFlight buy in the Sandbox with the app that customers have."
msgstr "Environnements de l’App Store dont les achats donnent premium, séparés par des virgules : Production pour les clients, Sandbox pour les testeurs. App Review et TestFlight achètent dans Sandbox avec l’app des clients."

msgctxt "console finished"
msgid "Apple's number of the app, required in notifications from Production; 0 accepts any."
msgstr "Numéro de l’app chez Apple, exigé dans les notifications de Production ; 0 les accepte toutes."

msgctxt "console finished"
msgid "Gives premium to every client of this server, with or without an account, for 30 days from each time it asks. For those who host it for themselves or their family."
msgstr "Donne premium à tous les clients de ce serveur, avec ou sans compte, pour 30 jours à chaque demande. Pour qui l’héberge pour soi ou sa famille."

msgctxt "console finished"
msgid "Products that give premium, comma-separated; empty means every lasting product of the app."
msgstr "Produits qui donnent premium, séparés par des virgules ; vide, tous les produits durables de l’app."

msgctxt "console finished"
msgid "PEM files of the accepted root certificates, comma-separated, for tests; empty means Apple Root CA - G3."
msgstr "Fichiers PEM des certificats racines acceptés, séparés par des virgules, pour les essais ; vide, Apple Root CA - G3."

# App

msgid "Subscriptions"
msgstr "Abonnements"

msgid "To confirm"
msgstr "Acquitter"

msgid "Settings"
msgstr "Paramètres"

msgid "Skip to the content"
msgstr "Aller au contenu"

msgid "Not found"
msgstr "Introuvable"

msgid "That did not work"
msgstr "Cela n’a pas marché"

msgid "There is no such page."
msgstr "Cette page n’existe pas."

msgid "All subscriptions"
msgstr "Tous les abonnements"

msgid "Undone: %1"
msgstr "Annulé : %1"

msgid "Redo"
msgstr "Rétablir"

msgid "Nothing was changed."
msgstr "Rien n’a été modifié."

msgid "today"
msgstr "aujourd’hui"

msgid "tomorrow"
msgstr "demain"

msgid "yesterday"
msgstr "hier"

msgid "in %1 days"
msgstr "dans %1 jours"

msgid "%1 days ago"
msgstr "il y a %1 jours"

msgid "Open the app"
msgstr "Ouvrir l’app"

msgid "This code is unknown, used or expired. Each one lets in once, within a minute."
msgstr "Ce code est inconnu, utilisé ou expiré. Chacun sert une fois, pendant une minute."

msgid "This page is for you alone. In a terminal, run"
msgstr "Cette page n’est que pour toi. Dans un terminal, lance"

msgid "and paste the address that it prints."
msgstr "et colle l’adresse qui s’affiche."

msgid "Address or code"
msgstr "Adresse ou code"

msgid "Nothing was saved, because the session of this browser has ended."
msgstr "Rien n’a été enregistré, car la session de ce navigateur est terminée."

msgid "What you typed is kept: once the app is open, check it and send it again."
msgstr "Ta saisie est conservée : une fois l’app ouverte, vérifie-la et envoie-la à nouveau."

msgid "It is already open in another tab"
msgstr "Elle est déjà ouverte dans un autre onglet"

msgid "Remember this browser for 30 days"
msgstr "Se souvenir de ce navigateur 30 jours"

msgctxt "device"
msgid "Open"
msgstr "Ouvrir"

msgid "Your subscriptions under control"
msgstr "Tes abonnements sous contrôle"

msgid "It all stays here"
msgstr "Tout reste ici"

msgid "The first subscription"
msgstr "Le premier abonnement"

msgid "Next"
msgstr "Suivant"

msgid "Skip"
msgstr "Passer"

msgid "See what all your subscriptions cost in a year."
msgstr "Vois ce que coûtent tous tes abonnements par an."

msgid "Confirm each charge, so that none slips by."
msgstr "Confirme chaque échéance, pour n’en laisser passer aucune."

msgid "Know the last day to cancel, and where."
msgstr "Connais la date limite de résiliation, et où résilier."

msgid "No account. Everything is in one file on this device, which you can back up."
msgstr "Pas de compte. Tout est dans un fichier de cet appareil, que tu peux sauvegarder."

msgid "Nothing is sent unless you set a server and allow it."
msgstr "Rien n’est envoyé, sauf si tu choisis un serveur et l’autorises."

msgid "Such as Netflix."
msgstr "Par exemple Netflix."

msgid "What do you subscribe to?"
msgstr "À quoi es-tu abonné ?"

msgid "Add the first one: its name is often enough. Everything stays on this device."
msgstr "Ajoute le premier : son nom suffit souvent. Tout reste sur cet appareil."

msgid "Add a subscription"
msgstr "Ajouter un abonnement"

msgid "Cost per year"
msgstr "Coût annuel"

msgid "%1 per month"
msgstr "%1 par mois"

msgid "%1 per year"
msgstr "%1 par an"

msgid "without a rate, so not included: %1"
msgstr "sans taux, donc pas compté : %1"

msgid "Mon Tue Wed Thu Fri Sat Sun"
msgstr "lun. mar. mer. jeu. ven. sam. dim."

msgid "Without a rate of their day, some charges are not included: %1"
msgstr "Faute de taux de leur jour, certains prélèvements ne sont pas comptés : %1"

msgid "All in hand"
msgstr "Tout est en main"

msgid "Nearly all in hand"
msgstr "Presque tout est en main"

msgid "About half in hand"
msgstr "À peu près la moitié en main"

msgid "Little in hand"
msgstr "Peu de choses en main"

msgid "No sum in %1: exchange rates are missing."
msgstr "Pas de somme en %1 : les taux de change manquent."

msgid "All currencies together: past charges at the rate of their day, others at the latest."
msgstr "Toutes les devises ensemble : les prélèvements passés au taux de leur jour, les autres au dernier."

msgctxt "device"
msgid "Search"
msgstr "Chercher"

msgctxt "device"
msgid "Order"
msgstr "Tri"

msgid "Next charge"
msgstr "Prochaine échéance"

msgid "Amount"
msgstr "Montant"

msgid "Scope"
msgstr "Usage"

msgid "%1 more; search to find them."
msgstr "%1 de plus ; cherche pour les trouver."

msgid "Trial"
msgstr "Essai"

msgid "Cancel by %1"
msgstr "À résilier au plus tard le %1"

msgid "Actions"
msgstr "Actions"

msgid "Resume"
msgstr "Reprendre"

msgid "Pause"
msgstr "Mettre en pause"

msgctxt "device"
msgid "Cancel"
msgstr "Résilier"

msgid "Keep it"
msgstr "Le garder"

msgid "until"
msgstr "jusqu’au"

msgid "Prices"
msgstr "Prix"

msgid "Coming charges"
msgstr "Échéances à venir"

msgid "Not saved. Please correct:"
msgstr "Pas enregistré. À corriger :"

msgid "Trial, contract, notes"
msgstr "Essai, contrat, notes"

msgid "Cycle"
msgstr "Fréquence"

msgid "from %1 to %2"
msgstr "du %1 au %2"

msgid "First day"
msgstr "Premier jour"

msgid "Such as your pay day: 25, or 04-06 for a year."
msgstr "Par exemple ton jour de paie : 25, ou 06/04 pour une année."

msgid "Trial starts on"
msgstr "Début de l’essai"

msgid "Trial ends on"
msgstr "Fin de l’essai"

msgid "Since"
msgstr "Depuis"

msgid "Contract term ends on"
msgstr "Fin du contrat"

msgid "Minimum months"
msgstr "Mois minimum"

msgid "Months of extension"
msgstr "Mois de reconduction"

msgid "Days of notice"
msgstr "Jours de préavis"

msgid "Payment method"
msgstr "Moyen de paiement"

msgctxt "device"
msgid "Website"
msgstr "Site"

msgid "Notes"
msgstr "Notes"

msgid "Price by month"
msgstr "Prix par mois"

msgid "Between %1 and %2."
msgstr "Entre %1 et %2."

msgid "cancelling today saves, until %1"
msgstr "résilier aujourd’hui économise, jusqu’au %1"

msgid "and still costs"
msgstr "et coûte encore"

msgid "Name of the service"
msgstr "Nom du service"

msgid "enter everything by hand"
msgstr "tout saisir à la main"

msgid "Another service"
msgstr "Un autre service"

msgid "Add"
msgstr "Ajouter"

msgid "Back"
msgstr "Retour"

msgid "Typed and not sent, kept in this browser:"
msgstr "Saisi et pas envoyé, conservé dans ce navigateur :"

msgid "Not sent yet. Check what you typed, and send it again."
msgstr "Pas encore envoyé. Vérifie ta saisie, et envoie-la à nouveau."

msgid "SubGuard is not running. In a terminal, run:"
msgstr "SubGuard n’est pas lancé. Dans un terminal, lance :"

msgid "The session of this browser has ended. In a terminal, run:"
msgstr "La session de ce navigateur est terminée. Dans un terminal, lance :"

msgid "What you typed stays here, and can be sent afterwards."
msgstr "Ta saisie reste ici, et pourra être envoyée ensuite."

msgid "Discard"
msgstr "Abandonner"

msgid "By month"
msgstr "Par mois"

msgid "Control Score by month"
msgstr "Score de contrôle par mois"

msgid "The share of each month's charges that you confirmed; late ones count half."
msgstr "La part des échéances de chaque mois que tu as confirmées ; en retard, elles comptent pour moitié."

msgid "Nothing was due in the last 12 months."
msgstr "Aucune échéance depuis 12 mois."

msgid "Missed"
msgstr "Oubliées"

msgid "Due in the next 7 days"
msgstr "À venir dans les 7 jours"

msgid "Charges stand here from seven days before they are due."
msgstr "Les échéances apparaissent ici sept jours avant leur date."

msgid "Confirm all %1"
msgstr "Tout acquitter (%1)"

msgid "%1 more"
msgstr "%1 de plus"

msgid "%1 and %2 more"
msgstr "%1 et %2 de plus"

msgid "Confirm"
msgstr "Acquitter"

msgid "Not charged"
msgstr "Non prélevé"

msgid "Paid differently"
msgstr "Autre montant"

msgid "Amount in %1"
msgstr "Montant en %1"

msgid "Widget"
msgstr "Widget"

msgid "Widgets"
msgstr "Widgets"

msgid "small"
msgstr "petit"

msgid "medium"
msgstr "moyen"

msgid "large"
msgstr "grand"

msgid "Small windows for a sidebar or a second screen:"
msgstr "Petites fenêtres pour une barre latérale ou un second écran :"

msgid "Together"
msgstr "À plusieurs"

msgid "Share a subscription from its page: each charge is then owed by those who share it."
msgstr "Partage un abonnement depuis sa page : chaque échéance est alors due par ceux qui le partagent."

msgid "owes you since %1"
msgstr "te doit depuis le %1"

msgid "you owe them since %1"
msgstr "tu lui dois depuis le %1"

msgid "Paid back"
msgstr "Remboursé"

msgid "What it is made of"
msgstr "Le détail"

msgid "People"
msgstr "Personnes"

msgid "Add a person"
msgstr "Ajouter une personne"

msgid "Shared with"
msgstr "Partagé avec"

msgid "Share"
msgstr "Partager"

msgid "The others"
msgstr "Les autres"

msgid "You pay the rest. In equal parts and by shares, you have one part. To stop sharing, choose nobody."
msgstr "Tu paies le reste. À parts égales et par parts, tu en as une. Pour arrêter, ne choisis personne."

msgid "How it is split"
msgstr "Comment c’est partagé"

msgid "in equal parts"
msgstr "à parts égales"

msgid "by percentages"
msgstr "par pourcentages"

msgid "by amounts"
msgstr "par montants"

msgid "by shares, such as 2 and 1"
msgstr "par parts, comme 2 et 1"

msgid "Part of %1"
msgstr "Part de %1"

msgid "A percentage, an amount or a number for each; empty for nothing."
msgstr "Un pourcentage, un montant ou un nombre pour chacun ; vide pour rien."

msgid "Shared by"
msgstr "Partagé entre"

msgid "Who comes or goes"
msgstr "Qui arrive ou part"

msgid "Members from that day on"
msgstr "Membres à partir de ce jour"

msgid "Expenses of earlier days keep their people."
msgstr "Les dépenses des jours précédents gardent leurs personnes."

msgid "Beside the name"
msgstr "À côté du nom"

msgid "Initials"
msgstr "Initiales"

msgid "Photo"
msgstr "Photo"

msgid "Colour"
msgstr "Couleur"

msgid "Empty for those of the name."
msgstr "Vide pour celles du nom."

msgid "Such as #2b59c3; empty for one of its own."
msgstr "Comme #2b59c3 ; vide pour une couleur propre."

msgid "PNG, JPEG or WebP. Made smaller here if need be; stored without times and places."
msgstr "PNG, JPEG ou WebP. Réduite ici si besoin ; enregistrée sans dates ni lieux."

msgid "Add a photo"
msgstr "Ajouter une photo"

msgid "Replace the photo"
msgstr "Remplacer la photo"

msgid "Remove the photo"
msgstr "Retirer la photo"

msgid "Spent together"
msgstr "Dépensé ensemble"

msgid "Tags"
msgstr "Étiquettes"

msgid "With commas between them."
msgstr "Séparées par des virgules."

msgid "Recurring payment"
msgstr "Paiement récurrent"

msgid "Notes on the share"
msgstr "Notes sur le partage"

msgid "The others agreed"
msgstr "Les autres ont accepté"

msgid "%1 regular payment that is not proposed"
msgid_plural "%1 regular payments that are not proposed"
msgstr[0] "%1 paiement régulier qui n’est pas proposé"
msgstr[1] "%1 paiements réguliers qui ne sont pas proposés"

msgid "Cash, transfers, rent, loans, taxes and payments to persons are no subscriptions. Add one by hand if it is."
msgstr "Espèces, virements, loyers, prêts, impôts et paiements à des personnes ne sont pas des abonnements. Ajoute à la main ce qui en est un."

msgid "%1 belongs to it from %2 on"
msgstr "%1 en fait partie à partir du %2"

msgid "%1 no longer belongs to it from %2 on"
msgstr "%1 n’en fait plus partie à partir du %2"

msgid "Receipts"
msgstr "Justificatifs"

msgid "Add a receipt"
msgstr "Ajouter un justificatif"

msgid "%1 KiB"
msgstr "%1 Kio"

msgid "JPEG, PNG, WebP or PDF, at most %1 MB."
msgstr "JPEG, PNG, WebP ou PDF, %1 Mo au plus."

msgid "Single payments"
msgstr "Paiements isolés"

msgid "Add a payment"
msgstr "Ajouter un paiement"

msgid "Direction"
msgstr "Sens"

msgid "I paid"
msgstr "J’ai payé"

msgid "I received"
msgstr "J’ai reçu"

msgid "Groups"
msgstr "Groupes"

msgid "New group"
msgstr "Nouveau groupe"

msgid "Name of the group"
msgstr "Nom du groupe"

msgid "Members"
msgstr "Membres"

msgid "Me"
msgstr "Moi"

msgid "Add the group"
msgstr "Ajouter le groupe"

msgid "Delete the group"
msgstr "Supprimer le groupe"

msgid "To settle"
msgstr "À régler"

msgid "Paid"
msgstr "Payé"

msgid "Add an expense"
msgstr "Ajouter une dépense"

msgid "What for"
msgstr "Pour quoi"

msgid "Date"
msgstr "Date"

msgid "Who paid"
msgstr "Qui a payé"

msgid "Expenses"
msgstr "Dépenses"

msgid "E-mail address"
msgstr "Adresse e-mail"

msgid "Phone"
msgstr "Téléphone"

msgid "Not settled"
msgstr "Pas réglé"

msgid "Emoji"
msgstr "Emoji"

msgid "Description"
msgstr "Description"

msgid "With"
msgstr "Avec"

msgid "Edit the group"
msgstr "Modifier le groupe"

msgid "Edit the expense"
msgstr "Modifier la dépense"

msgid "Edit the payment"
msgstr "Modifier le paiement"

msgid "Delete this person"
msgstr "Supprimer cette personne"

msgid "Delete the expense"
msgstr "Supprimer la dépense"

msgid "Delete the payment"
msgstr "Supprimer le paiement"

msgid "Deleting a person leaves the parts of others. Expenses keep their part and their name."
msgstr "Les parts des autres restent. Les dépenses gardent sa part et son nom."

msgid "From today on, you pay their part of:"
msgstr "À partir d’aujourd’hui, tu paies sa part de :"

msgid "Delete, although not everything is settled"
msgstr "Supprimer, même si tout n’est pas réglé"

msgid "Something is open with this person. Settle it, or tick the box."
msgstr "Tout n’est pas réglé avec cette personne. Règle-le, ou coche la case."

msgid "People stay; what they owe each other from this group goes with it."
msgstr "Les personnes restent ; ce qu’elles se doivent dans ce groupe disparaît avec lui."

msgid "%1 expense is deleted with its receipts."
msgid_plural "%1 expenses are deleted with their receipts."
msgstr[0] "%1 dépense est supprimée avec ses justificatifs."
msgstr[1] "%1 dépenses sont supprimées avec leurs justificatifs."

msgid "%1 repayment is deleted."
msgid_plural "%1 repayments are deleted."
msgstr[0] "%1 remboursement est supprimé."
msgstr[1] "%1 remboursements sont supprimés."

msgid "Nobody owes anything for it then. Its receipts are deleted with it."
msgstr "Personne ne doit plus rien pour elle. Ses justificatifs sont supprimés avec elle."

msgid "Its receipts are deleted with it."
msgstr "Ses justificatifs sont supprimés avec lui."

msgid "Category, notes"
msgstr "Catégorie, notes"

msgid "Settled elsewhere; it makes no debts"
msgstr "Réglée ailleurs ; elle ne crée pas de dette"

msgid "settled elsewhere"
msgstr "réglée ailleurs"

msgid "Several people paid"
msgstr "Plusieurs personnes ont payé"

msgid "An amount for each who paid, in place of the one above. Together they make the whole."
msgstr "Un montant pour chaque personne qui a payé, à la place de celle du dessus. Ensemble, ils font le tout."

msgid "Import a bank statement"
msgstr "Importer un relevé bancaire"

msgid "Nothing is stored before you have looked at it. The file stays on this device."
msgstr "Rien n’est enregistré avant que tu l’aies vu. Le fichier reste sur cet appareil."

msgid "What it is"
msgstr "De quoi il s’agit"

msgid "Currency, if the file names none"
msgstr "Devise, si le fichier n’en nomme pas"

msgid "Look at it"
msgstr "Voir"

msgid "bank statement (CSV, XLSX, OFX, QIF, CAMT.053, MT940)"
msgstr "relevé bancaire (CSV, XLSX, OFX, QIF, CAMT.053, MT940)"

msgid "table of subscriptions (CSV)"
msgstr "tableau d’abonnements (CSV)"

msgid "export of SubGuard (JSON)"
msgstr "export de SubGuard (JSON)"

msgid "Another file"
msgstr "Un autre fichier"

msgid "%1 entry"
msgid_plural "%1 entries"
msgstr[0] "%1 écriture"
msgstr[1] "%1 écritures"

msgid "Columns: %1"
msgstr "Colonnes : %1"

msgid "Recurring charges"
msgstr "Prélèvements récurrents"

msgid "dates: %1"
msgstr "dates : %1"

msgid "detected"
msgstr "détecté"

msgid "detected: %1"
msgstr "détecté : %1"

msgid "Column %1"
msgstr "Colonne %1"

msgid "The first rows"
msgstr "Les premières lignes"

msgid "New prices"
msgstr "Nouveaux prix"

msgid "Charges to confirm"
msgstr "Échéances à confirmer"

msgid "Charged after cancelling"
msgstr "Prélevé après résiliation"

msgid "Charged twice"
msgstr "Prélevé deux fois"

msgid "new price from %1, instead of %2"
msgstr "nouveau prix à partir du %1, au lieu de %2"

msgid "charged on %1"
msgstr "prélevé le %1"

msgid "%1, paid back: counts as not charged"
msgstr "%1, remboursé : compte comme non prélevé"

msgid "%1 more charge"
msgid_plural "%1 more charges"
msgstr[0] "%1 autre échéance"
msgstr[1] "%1 autres échéances"

msgid "No row of the file proves the order of the dates. If it is wrong, change it under “Read it differently”."
msgstr "Aucune ligne du fichier ne prouve l’ordre des dates. S’il est faux, change-le sous « Lire autrement »."

msgid "Row %1: %2"
msgstr "Ligne %1 : %2"

msgid "Row %1, column “%2”, empty: %3"
msgstr "Ligne %1, colonne « %2 », vide : %3"

msgid "Row %1, column “%2”, “%3”: %4"
msgstr "Ligne %1, colonne « %2 », « %3 » : %4"

msgid "No column was recognised as the payee. Say which one names who was paid."
msgstr "Aucune colonne n’a été reconnue comme le bénéficiaire. Indique celle qui dit qui a été payé."

msgid "The file names no currency: enter it."
msgstr "Le fichier n’indique aucune devise : saisis-la."

msgid "The text is not in this encoding: choose another one."
msgstr "Le texte n’est pas dans cet encodage : choisis-en un autre."

msgid "The columns were not recognised. Say which one holds the date, and which one or two hold the amount."
msgstr "Les colonnes n’ont pas été reconnues. Indique celle de la date, et celle ou celles du montant."

msgid "The columns were not recognised. Say which one holds the name, and which one the amount."
msgstr "Les colonnes n’ont pas été reconnues. Indique celle du nom et celle du montant."

msgid "Two columns hold the same. Change one of them."
msgstr "Deux colonnes ont le même sens. Change l’une d’elles."

msgid "No new recurring charges were found."
msgstr "Aucun nouveau prélèvement récurrent."

msgid "Rows that cannot be read, and are left out"
msgstr "Lignes illisibles, laissées de côté"

msgid "%1 subscription would be added"
msgid_plural "%1 subscriptions would be added"
msgstr[0] "%1 abonnement serait ajouté"
msgstr[1] "%1 abonnements seraient ajoutés"

msgid "Would be added"
msgstr "Serait ajouté"

msgid "Would be changed"
msgstr "Serait modifié"

msgid "This file has nothing that is not here already."
msgstr "Ce fichier n’a rien qui ne soit déjà là."

msgid "The last backup is %1 days old."
msgstr "La dernière sauvegarde a %1 jours."

msgid "There is no backup yet."
msgstr "Il n’y a pas encore de sauvegarde."

msgid "Optional: the file can then be read with it only."
msgstr "Facultative : le fichier ne se lit alors qu’avec elle."

msgid "Still working"
msgstr "Traitement en cours"

msgid "Download a backup"
msgstr "Télécharger une sauvegarde"

msgid "On this device"
msgstr "Sur cet appareil"

msgid "Restore a backup file"
msgstr "Restaurer un fichier de sauvegarde"

msgid "You see what would change before anything does."
msgstr "Tu vois d’abord ce qui changerait ; rien ne change avant."

msgid "Backup of %1"
msgstr "Sauvegarde du %1"

msgid "This backup has exactly what is here now."
msgstr "Cette sauvegarde contient exactement ce qui est là."

msgid "Would disappear"
msgstr "Disparaîtrait"

msgid "Would come back"
msgstr "Reviendrait"

msgid "Would change back"
msgstr "Redeviendrait comme avant"

msgid "%1 charge, with what was confirmed"
msgid_plural "%1 charges, with what was confirmed"
msgstr[0] "%1 échéance, avec ce qui a été acquitté"
msgstr[1] "%1 échéances, avec ce qui a été acquitté"

msgid "Something was changed since you looked. Nothing was restored; look again."
msgstr "Quelque chose a changé depuis l’aperçu. Rien n’a été restauré ; regarde à nouveau."

msgid "%1 more difference that no page shows"
msgid_plural "%1 more differences that no page shows"
msgstr[0] "%1 autre différence, visible sur aucune page"
msgstr[1] "%1 autres différences, visibles sur aucune page"

msgid "Settings stay as they are."
msgstr "Les paramètres ne changent pas."

msgid "subscription"
msgstr "abonnement"

msgid "expense"
msgstr "dépense"

msgid "single payment"
msgstr "paiement isolé"

msgid "exchange rate"
msgstr "taux de change"

msgid "%1: %2 → %3"
msgstr "%1 : %2 → %3"

msgid "%1 from %2"
msgstr "%1 à partir du %2"

msgid "Restore"
msgstr "Restaurer"

msgid "Restore this backup?"
msgstr "Restaurer cette sauvegarde ?"

msgctxt "device"
msgid "Now"
msgstr "Maintenant"

msgid "What is there now is kept as a backup; the restore can be undone."
msgstr "L’état actuel est conservé comme sauvegarde, et la restauration peut être annulée."

msgid "Passphrase"
msgstr "Phrase secrète"

msgid "Passphrase, if it has one"
msgstr "Phrase secrète, s’il y en a une"

msgid "Merge another device"
msgstr "Fusionner un autre appareil"

msgid "Choose a backup of it. Of two edits, the newer one stays."
msgstr "Choisis une sauvegarde de celui-ci. De deux modifications, la plus récente reste."

msgid "This backup has nothing that is not here already."
msgstr "Cette sauvegarde n’apporte rien de nouveau."

msgid "What was undone there"
msgstr "Ce qui y a été annulé"

msgid "What would come in"
msgstr "Ce qui arriverait"

msgid "What is left out"
msgstr "Ce qui est laissé de côté"

msgid "What a newer edit would replace"
msgstr "Ce qu’une modification plus récente remplacerait"

msgid "What is there now is kept as a backup; the merge can be undone."
msgstr "L’état actuel est conservé comme sauvegarde, et la fusion peut être annulée."

msgid "%1 subscription"
msgid_plural "%1 subscriptions"
msgstr[0] "%1 abonnement"
msgstr[1] "%1 abonnements"

msgid "Read it differently"
msgstr "Lire autrement"

msgid "Encoding"
msgstr "Encodage"

msgid "Dates"
msgstr "Dates"

msgid "Column “%1”"
msgstr "Colonne « %1 »"

msgid "Look at it again"
msgstr "Revoir"

msgid "payee"
msgstr "bénéficiaire"

msgid "wording"
msgstr "libellé"

msgid "payment type"
msgstr "type de paiement"

msgid "fee"
msgstr "frais"

msgid "debit"
msgstr "débit"

msgid "credit"
msgstr "crédit"

msgid "direction"
msgstr "sens"

msgid "ignored"
msgstr "ignorée"

msgid "balance"
msgstr "solde"

msgid "booked or pending"
msgstr "état de l’écriture"

msgid "day, month, year"
msgstr "jour, mois, année"

msgid "month, day, year"
msgstr "mois, jour, année"

msgid "year, month, day"
msgstr "année, mois, jour"

msgid "Calendar"
msgstr "Calendrier"

msgid "Month before"
msgstr "Mois précédent"

msgid "Month after"
msgstr "Mois suivant"

msgid "cancel %1 today at the latest"
msgstr "résilier %1 au plus tard"

msgid "The next 12 months"
msgstr "Les 12 prochains mois"

msgid "Budgets"
msgstr "Budgets"

msgid "Everything"
msgstr "Tout"

msgid "Price rises"
msgstr "Hausses de prix"

msgid "No price rises since %1."
msgstr "Aucune hausse de prix depuis le %1."

msgid "Only the newest %1 are shown."
msgstr "Seules les %1 plus récentes sont affichées."

msgid "Saved by cancelling"
msgstr "Économisé en résiliant"

msgid "Possibly twice"
msgstr "Peut-être en double"

msgid "Set a budget"
msgstr "Fixer un budget"

msgid "Limit"
msgstr "Limite"

msgid "For"
msgstr "Pour"

msgid "Per"
msgstr "Par"

msgid "year"
msgstr "année"

msgid "The next 12 months by category"
msgstr "Les 12 prochains mois par catégorie"

msgid "The year %1"
msgstr "L’année %1"

msgid "By category"
msgstr "Par catégorie"

msgid "Print"
msgstr "Imprimer"

msgid "Total"
msgstr "Total"

msgid "As of %1: what was charged, and what is to come."
msgstr "Au %1 : ce qui a été prélevé et ce qui est à venir."

msgid "Export"
msgstr "Exporter"

msgid "Files for other programs. To keep everything, or to move, make a backup instead."
msgstr "Des fichiers pour d’autres programmes. Pour tout garder ou déménager, fais plutôt une sauvegarde."

msgid "Subscriptions as a table (CSV)"
msgstr "Les abonnements en tableau (CSV)"

msgid "Everything (JSON)"
msgstr "Tout (JSON)"

msgid "Charges and last days to cancel for a calendar (iCalendar)"
msgstr "Échéances et dates de résiliation pour un agenda (iCalendar)"

msgid "Past charges for ledger and hledger"
msgstr "Échéances passées pour ledger et hledger"

msgid "Past charges for Beancount"
msgstr "Échéances passées pour Beancount"

msgid "A rate of your own"
msgstr "Un taux à toi"

msgid "Units for one euro"
msgstr "Unités pour un euro"

msgid "Such as 1.0823 US dollars."
msgstr "Par exemple 1,0823 dollar."

msgctxt "device"
msgid "From"
msgstr "À partir du"

msgid "Rates of the European Central Bank"
msgstr "Taux de la Banque centrale européenne"

msgid "eurofxref-hist.zip or eurofxref.csv from its website, as it is."
msgstr "eurofxref-hist.zip ou eurofxref.csv de son site, tel quel."

msgid "Reference rates"
msgstr "Taux de référence"

msgid "up to %1"
msgstr "jusqu’au %1"

msgid "Your own"
msgstr "À toi"

msgid "from %1"
msgstr "à partir du %1"

msgid "No rate for"
msgstr "Aucun taux pour"

msgid "Reminders"
msgstr "Rappels"

msgid "Remind me of"
msgstr "Me rappeler"

msgid "The next reminders"
msgstr "Les prochains rappels"

msgid "A timer of this machine shows them, also while the app is closed:"
msgstr "Une minuterie de cette machine les affiche, même quand l’app est fermée :"

msgid "Time of day"
msgstr "Heure"

msgid "Quiet hours"
msgstr "Heures calmes"

msgid "Such as 22:00-08:00, or none."
msgstr "Par exemple 22:00-08:00, ou none pour aucune."

msgid "Days before a charge"
msgstr "Jours avant une échéance"

msgid "Such as 7,1; for the ends of trials and new prices too."
msgstr "Par exemple 7,1 ; aussi pour les fins d’essai et les nouveaux prix."

msgid "Days before the last day to cancel"
msgstr "Jours avant la date limite de résiliation"

msgid "Such as 14,3."
msgstr "Par exemple 14,3."

msgid "coming charges"
msgstr "les échéances"

msgid "ends of trials"
msgstr "les fins d’essai"

msgid "last days to cancel"
msgstr "les dates limites de résiliation"

msgid "new prices"
msgstr "les nouveaux prix"

msgid "budgets"
msgstr "les budgets"

msgid "Show notifications from this page"
msgstr "Afficher des notifications depuis cette page"

msgid "Stop notifications from this page"
msgstr "Arrêter les notifications de cette page"

msgid "The browser blocks notifications of this address. Allow them in its settings."
msgstr "Le navigateur bloque les notifications de cette adresse. Autorise-les dans ses paramètres."

msgid "Shown while a page of the app is open. Each reminder is shown once, here or by subguard remind."
msgstr "Affichées tant qu’une page de l’app est ouverte. Chaque rappel paraît une fois, ici ou par subguard remind."

msgid "Privacy"
msgstr "Confidentialité"

msgid "Consent to anonymous events, sessions and crash reports for the server:"
msgstr "Accord pour l’envoi au serveur d’événements, de sessions et de rapports de plantage anonymes :"

msgid "Crash reports"
msgstr "Rapports de plantage"

msgid "%1 of them crashed"
msgid_plural "%1 of them crashed"
msgstr[0] "dont %1 plantée"
msgstr[1] "dont %1 plantées"

msgid "Exactly as it would be sent (JSON)"
msgstr "Exactement ce qui serait envoyé (JSON)"

msgid "Random numbers that are missing here are made when it is sent."
msgstr "Les numéros aléatoires qui manquent ici sont créés lors de l’envoi."

msgid "They never have names, amounts or dates of yours."
msgstr "Ils n’ont jamais tes noms, tes montants ni tes dates."

msgid "Nothing is sent without your consent, nor without a server that you have set."
msgstr "Rien n’est envoyé sans ton accord, ni sans un serveur que tu as choisi."

msgid "The server still has to erase the events already sent."
msgstr "Le serveur doit encore effacer les événements déjà envoyés."

msgid "Allow"
msgstr "Autoriser"

msgid "Refuse and erase"
msgstr "Refuser et effacer"

msgid "What would be sent now"
msgstr "Ce qui serait envoyé maintenant"

msgid "Nothing waits."
msgstr "Rien n’attend."

msgid "Events have a random number of this device, the version of SubGuard and the system. Sessions and crash reports name no device."
msgstr "Les événements portent un numéro aléatoire de cet appareil, la version de SubGuard et le système. Les sessions et les rapports de plantage ne désignent aucun appareil."

msgid "All events that there are"
msgstr "Tous les événements possibles"

msgid "From the catalogue built in, of %1. Prices may have changed."
msgstr "Du catalogue intégré, du %1. Les prix ont pu changer."

msgid "Calendar by address"
msgstr "Agenda par adresse"

msgid "There is no such calendar."
msgstr "Cet agenda n’existe pas."

msgid "The calendar cannot be read at the moment."
msgstr "L’agenda ne peut pas être lu pour l’instant."

msgid "Calendars on this device read the charges from an address, and refresh by themselves while the app runs."
msgstr "Les agendas de cet appareil lisent les échéances à une adresse, et se mettent à jour tant que l’app tourne."

msgid "On a machine that others use, renew it after the app was closed: whoever takes the port meanwhile is sent the address."
msgstr "Sur une machine partagée, renouvelle-la après une fermeture de l’app : qui prend le port entre-temps reçoit l’adresse."

msgid "Add it to your calendar as a calendar on the network. Keep it to yourself: it needs no password."
msgstr "Ajoute-la à ton agenda comme agenda du réseau. Garde-la pour toi : elle ne demande aucun mot de passe."

msgid "New address"
msgstr "Nouvelle adresse"

msgid "Turn off"
msgstr "Désactiver"

msgid "Turn on"
msgstr "Activer"

msgid "Either way, the address above stops working."
msgstr "Dans les deux cas, l’adresse ci-dessus cesse de fonctionner."

msgid "The address is off."
msgstr "L’adresse est désactivée."

msgid "The form is not one of the app's."
msgstr "Ce formulaire n’est pas de l’app."

msgid "off; to turn it on: subguard calendar --on"
msgstr "désactivée ; pour l’activer : subguard calendar --on"

msgid "the address answers while subguard open runs"
msgstr "l’adresse répond tant que subguard open tourne"

msgid "Server"
msgstr "Serveur"

msgid "Address"
msgstr "Adresse"

msgid "Last sync"
msgstr "Dernière synchronisation"

msgid "never completed"
msgstr "jamais terminée"

msgid "Anonymous events"
msgstr "Événements anonymes"

msgid "Sessions and crashes"
msgstr "Sessions et plantages"

msgid "Consent"
msgstr "Accord"

msgid "Last errors"
msgstr "Dernières erreurs"

msgid "Sync now"
msgstr "Synchroniser maintenant"

msgid "No server is set, so nothing is sent or fetched. To use one, start the app so:"
msgstr "Aucun serveur n’est choisi : rien n’est envoyé ni téléchargé. Pour en utiliser un, lance l’app ainsi :"

msgid "A sync is running. This page shows its end."
msgstr "Une synchronisation est en cours. Cette page en affichera la fin."

msgid "Not everything was synced."
msgstr "Tout n’a pas été synchronisé."

msgid "Everything is synced."
msgstr "Tout est synchronisé."

msgid "You are signed out on this device; the server could not be notified."
msgstr "Tu es déconnecté de cet appareil ; le serveur n’a pas pu être prévenu."

msgid "Account"
msgstr "Compte"

msgid "Signed in to %1."
msgstr "Connecté à %1."

msgid "Not signed in. Only premium needs an account."
msgstr "Non connecté. Seul Premium nécessite un compte."

msgid "To erase the account:"
msgstr "Pour effacer le compte :"

msgid "To sign in:"
msgstr "Pour se connecter :"

msgid "To sign out:"
msgstr "Pour se déconnecter :"

msgid "Premium then ends on this device."
msgstr "Premium s’arrête alors sur cet appareil."

msgid "Premium is on."
msgstr "Premium est actif."

msgid "Premium is off; you use the free version."
msgstr "Premium n’est pas actif : tu utilises la version gratuite."

msgid "Without an answer of the server it holds until %1."
msgstr "Sans réponse du serveur, il reste actif jusqu’au %1."

msgid "Free"
msgstr "Gratuit"

msgid "%1 subscriptions; you have %2"
msgstr "%1 abonnements ; tu en as %2"

msgid "The categories that are there, Pro and Personal"
msgstr "Les catégories existantes, Pro et Personnel"

msgid "Reminders, budgets, forecasts and the last days to cancel"
msgstr "Rappels, budgets, prévisions et dates limites de résiliation"

msgid "Sharing, groups and receipts"
msgstr "Partage, groupes et justificatifs"

msgid "Bank statements and other imports"
msgstr "Relevés bancaires et autres imports"

msgid "Backups, merges and the export of everything (JSON)"
msgstr "Sauvegardes, fusions et export complet (JSON)"

msgid "Premium adds"
msgstr "Premium ajoute"

msgid "More subscriptions"
msgstr "Plus d’abonnements"

msgid "Categories of your own"
msgstr "Des catégories à toi"

msgid "Exports for spreadsheets (CSV), calendars (iCalendar) and accounting"
msgstr "Exports pour tableurs (CSV), agendas (iCalendar) et comptabilité"

msgid "It is checked only when you add something. When it ends, nothing is hidden or deleted."
msgstr "Il n’est vérifié qu’à l’ajout. Quand il s’arrête, rien n’est masqué ni supprimé."

msgid "The operator of your server can give it to you, and finds your account by its id:"
msgstr "L’exploitant de ton serveur peut te le donner, et trouve ton compte par son identifiant :"

msgid "It is bought and managed in the App Store:"
msgstr "Il s’achète et se gère dans l’App Store :"

msgid "Categories"
msgstr "Catégories"

msgid "All categories"
msgstr "Toutes les catégories"

msgid "your own"
msgstr "à toi"

msgid "No subscriptions yet."
msgstr "Aucun abonnement pour l’instant."

msgid "A category of your own is entered with a subscription; that needs premium."
msgstr "Une catégorie à toi se saisit avec un abonnement ; il faut Premium."

msgid "Premium is off. The ones that are there can be kept."
msgstr "Premium n’est pas actif. Celles qui existent peuvent être gardées."

msgid "A category of your own"
msgstr "Une catégorie à toi"

msgid "In place of the one above; needs premium."
msgstr "À la place de celle du dessus ; il faut Premium."

msgid "Appearance"
msgstr "Apparence"

msgid "as the system"
msgstr "comme le système"

msgid "light"
msgstr "clair"

msgid "dark"
msgstr "sombre"

msgid "For this browser only."
msgstr "Pour ce navigateur seulement."

msgid "Hide amounts"
msgstr "Masquer les montants"

msgid "Show amounts"
msgstr "Afficher les montants"

msgid "More settings"
msgstr "Autres paramètres"

msgid "Home currency"
msgstr "Devise de référence"

msgid "Sums over several currencies are shown in it, such as EUR."
msgstr "Les sommes de plusieurs devises s’affichent dans celle-ci, par exemple EUR."

msgid "Browsers that are let in"
msgstr "Navigateurs admis"

msgid "this one"
msgstr "celui-ci"

msgid "last used %1"
msgstr "dernière utilisation : %1"

msgid "Changes"
msgstr "Modifications"

msgid "List of changes"
msgstr "Liste des modifications"

msgid "Your data"
msgstr "Tes données"

msgid "Everything stays in this file on your device:"
msgstr "Tout reste dans ce fichier, sur ton appareil :"

# App: errors

msgctxt "device finished"
msgid "Something else was changed since."
msgstr "Autre chose a changé depuis."

msgctxt "device finished"
msgid "Must be a date such as 2027-01-15."
msgstr "doit être une date telle que 15/01/2027"

msgctxt "device finished"
msgid "The form has more than %1 fields."
msgstr "le formulaire a plus de %1 champs"

msgctxt "device finished"
msgid "A field of the form has no value."
msgstr "un champ du formulaire n’a pas de valeur"

msgctxt "device finished"
msgid "A field of the form has no name."
msgstr "un champ du formulaire n’a pas de nom"

msgctxt "device finished"
msgid "The form is not percent-encoded UTF-8."
msgstr "le formulaire est illisible"

msgctxt "device finished"
msgid "The name of a field has more than %1 bytes."
msgstr "le nom d’un champ dépasse %1 octets"

msgctxt "device finished"
msgid "The field %1 has more than %2 bytes."
msgstr "le champ %1 dépasse %2 octets"

msgctxt "device finished"
msgid "The boundary of the form is invalid."
msgstr "la limite du formulaire n’est pas valable"

msgctxt "device finished"
msgid "A file has more than %1 bytes."
msgstr "un fichier dépasse %1 octets"

msgctxt "device finished"
msgid "The field %1 is not UTF-8."
msgstr "le champ %1 n’est pas en UTF-8"

msgctxt "device finished"
msgid "The form does not begin with its boundary."
msgstr "le formulaire ne commence pas par sa limite"

msgctxt "device finished"
msgid "There is data after the form."
msgstr "des données suivent le formulaire"

msgctxt "device finished"
msgid "A boundary of the form does not end its line."
msgstr "une limite du formulaire ne finit pas sa ligne"

msgctxt "device finished"
msgid "A part of the form has no end."
msgstr "une partie du formulaire n’a pas de fin"

msgctxt "device finished"
msgid "The head of a part has more than %1 bytes."
msgstr "l’en-tête d’une partie dépasse %1 octets"

msgctxt "device finished"
msgid "A field line of a part is unreadable."
msgstr "un en-tête d’une partie est illisible"

msgctxt "device finished"
msgid "A part has a field line that forms do not have."
msgstr "une partie a un en-tête que les formulaires n’ont pas"

msgctxt "device finished"
msgid "A part has no name."
msgstr "une partie du formulaire n’a pas de nom"

msgctxt "device finished"
msgid "The name of a part is unreadable."
msgstr "le nom d’une partie est illisible"

msgctxt "device finished"
msgid "The file name of a part is unreadable."
msgstr "le nom de fichier d’une partie est illisible"

msgctxt "device finished"
msgid "The Content-Type must be multipart/form-data with a boundary."
msgstr "le Content-Type doit être multipart/form-data avec une limite"

msgctxt "device finished"
msgid "The Content-Type must be application/x-www-form-urlencoded."
msgstr "le Content-Type doit être application/x-www-form-urlencoded"

msgctxt "device finished"
msgid "A form must not be compressed."
msgstr "un formulaire ne doit pas être compressé"

msgctxt "device finished"
msgid "The file is no longer here. Choose it again."
msgstr "Le fichier n’est plus là. Choisis-le à nouveau."

msgctxt "device finished"
msgid "The file is larger than %1 MB."
msgstr "le fichier dépasse %1 Mo"

msgctxt "device finished"
msgid "This is an archive, a PDF or a spreadsheet. Choose a text file, such as CSV."
msgstr "c’est une archive, un PDF ou un tableur ; choisis un fichier texte, par exemple CSV"

msgctxt "device finished"
msgid "This is no text file: a line has more than %1 bytes."
msgstr "ce n’est pas un fichier texte : une ligne dépasse %1 octets"

msgctxt "device finished"
msgid "The body is larger than the %1 bytes that this resource accepts."
msgstr "l’envoi dépasse les %1 octets acceptés ici"

msgctxt "device finished"
msgid "No file was chosen."
msgstr "aucun fichier n’est choisi"

msgctxt "device finished"
msgid "Must be a currency code such as EUR."
msgstr "doit être un code de devise comme EUR"

msgctxt "device finished"
msgid "No server is set."
msgstr "aucun serveur n’est choisi"

msgctxt "device finished"
msgid "No appearance was chosen."
msgstr "aucune apparence n’est choisie"

msgctxt "device finished"
msgid "No budget was chosen."
msgstr "aucun budget n’est choisi"

msgctxt "device finished"
msgid "No answer was chosen."
msgstr "aucune réponse n’est choisie"

msgctxt "device finished"
msgid "No expense was chosen."
msgstr "aucune dépense n’est choisie"

msgctxt "device finished"
msgid "This payment is no longer open."
msgstr "Ce paiement n’est plus à faire."

msgctxt "device finished"
msgid "Must be a percentage such as 33.33."
msgstr "doit être un pourcentage comme 33,33"

msgctxt "device finished"
msgid "Must be a whole number such as 2."
msgstr "doit être un nombre entier comme 2"

msgctxt "device finished"
msgid "Must name who paid."
msgstr "doit dire qui a payé"

msgctxt "device finished"
msgid "Must name who shares it."
msgstr "doit dire qui partage"

msgctxt "device finished"
msgid "No person was chosen."
msgstr "aucune personne n’est choisie"

msgctxt "device finished"
msgid "No charge was chosen."
msgstr "aucune échéance n’est choisie"

msgctxt "device finished"
msgid "One charge is expected."
msgstr "une seule échéance est attendue"

msgctxt "device finished"
msgid "No browser was chosen."
msgstr "aucun navigateur n’est choisi"

# Device: entry

msgid "Without --passphrase-file it is read as it is."
msgstr "Sans --passphrase-file, elle est lue telle quelle."

msgid "Set SUBGUARD_PASSPHRASE or use --passphrase-file."
msgstr "Définis SUBGUARD_PASSPHRASE ou utilise --passphrase-file."

msgid "To see what there is: subguard %1"
msgstr "Pour voir ce qui existe : subguard %1"

msgid "currency"
msgstr "devise"

msgid "without a newer proof: until %1"
msgstr "sans preuve plus récente : jusqu’au %1"

msgid "free: %1 subscriptions (you have %2), built-in categories, reminders, budgets, sharing"
msgstr "gratuit : %1 abonnements (tu en as %2), catégories intégrées, rappels, budgets, partage"

msgid "free too: bank statements, JSON export, backups and merges"
msgstr "gratuit aussi : relevés bancaires, export JSON, sauvegardes et fusions"

msgid "premium adds: more subscriptions, categories of your own"
msgstr "premium ajoute : plus d’abonnements, tes propres catégories"

msgid "premium adds too: export as CSV, iCalendar and accounting text"
msgstr "premium ajoute aussi : export en CSV, iCalendar et texte comptable"

msgid "bought and managed in the App Store: %1"
msgstr "s’achète et se gère dans l’App Store : %1"

msgid "given by the operator of your server"
msgstr "donné par l’exploitant de ton serveur"

msgid "account %1: by this id the operator of your server finds it"
msgstr "compte %1 : l’exploitant de ton serveur le trouve par cet identifiant"

msgid "would have been added: %1, %2 %3"
msgstr "aurait été ajouté : %1, %2 %3"

msgid "bundled"
msgstr "inclus"

msgid "ends %1"
msgstr "fin %1"

msgid "next"
msgstr "prochaine"

msgid "status from"
msgstr "statut à partir du"

msgid "until %1"
msgstr "jusqu’au %1"

msgid "note: %1"
msgstr "note : %1"

msgid "similar in the catalogue: %1; to add one: subguard add --from-catalogue SLUG"
msgstr "semblables dans le catalogue : %1 ; pour en ajouter un : subguard add --from-catalogue SLUG"

msgid "the catalogue is %1"
msgstr "le catalogue est %1"

msgid "built in, of %1"
msgstr "intégré, du %1"

msgid "from the catalogue: %1, %2, %3"
msgstr "du catalogue : %1, %2, %3"

msgid "similar in the catalogue: %1; to link one: subguard edit %2 --catalogue-item SLUG"
msgstr "semblables dans le catalogue : %1 ; pour en lier un : subguard edit %2 --catalogue-item SLUG"

msgid "next charge taken to be on %1; to correct it: subguard edit %2 --next DAY"
msgstr "prochaine échéance supposée le %1 ; pour la corriger : subguard edit %2 --next JOUR"

msgid "not in the catalogue; to suggest it: subguard suggest %1"
msgstr "absent du catalogue ; pour le proposer : subguard suggest %1"

msgid "%1 is not in the catalogue. Suggest it? Only the name is sent, at the next sync. [y/n] "
msgstr "%1 n’est pas dans le catalogue. Le proposer ? Seul le nom est envoyé, à la prochaine synchronisation. [o/n] "

msgid "Which one is %1? Its number, or Enter for none: "
msgstr "Lequel est %1 ? Son numéro, ou Entrée pour aucun : "

# Device: entry: errors

msgctxt "device finished"
msgid "missing: %1. For example: subguard add \"%2 13.49 €/month\""
msgstr "il manque : %1. Par exemple : subguard add \"%2 13,49 €/mois\""

msgctxt "device finished"
msgid "A date looks like 2027-01-15, 15 January or tomorrow."
msgstr "Une date s’écrit par exemple 15/01/2027, 15 janvier ou demain."

msgctxt "device finished"
msgid "A month looks like 2027-01."
msgstr "Un mois s’écrit par exemple 2027-01."

msgctxt "device finished"
msgid "A year looks like 2027."
msgstr "Une année s’écrit par exemple 2027."

msgctxt "device finished"
msgid "A whole number is expected."
msgstr "Un nombre entier est attendu."

msgctxt "device finished"
msgid "%1 is ambiguous: use a longer name or one of these ids"
msgstr "%1 est ambigu : donne un nom plus long ou l’un de ces identifiants"

msgctxt "device finished"
msgid "No such file or directory"
msgstr "fichier ou dossier inexistant"

msgctxt "device finished"
msgid "Permission denied"
msgstr "permission refusée"

msgctxt "device finished"
msgid "Is a directory"
msgstr "c’est un dossier"

msgctxt "device finished"
msgid "Not a directory"
msgstr "ce n’est pas un dossier"

msgctxt "device finished"
msgid "No space left on device"
msgstr "plus de place sur le disque"

msgctxt "device finished"
msgid "Read-only file system"
msgstr "disque en lecture seule"

msgctxt "device finished"
msgid "Operation not permitted"
msgstr "opération non permise"

msgctxt "device finished"
msgid "Input/output error"
msgstr "erreur d’entrée-sortie"

msgctxt "device finished"
msgid "Exec format error"
msgstr "ce n’est pas un programme"

msgctxt "device finished"
msgid "the file is damaged or no SubGuard database; restore a backup or choose another file"
msgstr "le fichier est endommagé ou n’est pas une base SubGuard ; restaure une sauvegarde ou choisis un autre fichier"

msgctxt "device finished"
msgid "another program keeps it locked; try again"
msgstr "un autre programme la verrouille ; réessaie"

msgctxt "device finished"
msgid "the disk is full"
msgstr "le disque est plein"

msgctxt "device finished"
msgid "it cannot be opened; check the path and its permissions"
msgstr "ouverture impossible ; vérifie le chemin et ses permissions"

msgctxt "device finished"
msgid "Several services of the catalogue are similar. Choose one with --from-catalogue: %1."
msgstr "Plusieurs services du catalogue sont semblables. Choisis-en un avec --from-catalogue : %1."

msgctxt "device finished"
msgid "It is cancelled on that day. Resume it first."
msgstr "résilié ce jour-là ; lance d’abord `subguard resume`"

msgctxt "device finished"
msgid "Nothing to confirm. Name a charge with its day, as `upcoming` shows it."
msgstr "rien à confirmer ; nomme une échéance avec son jour, comme l’affiche `upcoming`"

msgctxt "device finished"
msgid "the name of the file is missing"
msgstr "le nom du fichier manque"

msgctxt "device finished"
msgid "No price begins on that day."
msgstr "aucun prix ne commence ce jour-là"

msgctxt "device finished"
msgid "The first price can be corrected, not removed."
msgstr "le premier prix peut être corrigé, pas retiré"

msgctxt "device finished"
msgid "No pause begins on that day."
msgstr "aucune pause ne commence ce jour-là"

msgctxt "device finished"
msgid "Must not be before the first day of the pause."
msgstr "ne doit pas précéder le premier jour de la pause"

msgctxt "device finished"
msgid "--remove cannot be combined with --amount or --from"
msgstr "--remove ne se combine pas avec --amount ni --from"

msgctxt "device finished"
msgid "--remove cannot be combined with --from or --until"
msgstr "--remove ne se combine pas avec --from ni --until"

msgctxt "device finished"
msgid "--renewing must be from 0 to 3660 days"
msgstr "--renewing doit aller de 0 à 3660 jours"

# Device: rates

msgid "%1 rates from %2 to %3, of which new: %4"
msgstr "%1 taux du %2 au %3, dont nouveaux : %4"

msgid "1 EUR = %1 %2 from %3"
msgstr "1 EUR = %1 %2 à partir du %3"

msgid "home currency"
msgstr "devise de référence"

msgid "reference rates"
msgstr "taux de référence"

msgid "own rate"
msgstr "taux personnel"

msgid "no rate for"
msgstr "pas de taux pour"

msgid "%1 day old, up to %2"
msgid_plural "%1 days old, up to %2"
msgstr[0] "d’il y a %1 jour, jusqu’au %2"
msgstr[1] "d’il y a %1 jours, jusqu’au %2"

msgid "together %1 per year, %2 per month"
msgstr "total %1 par an, %2 par mois"

msgid "rates"
msgstr "taux"

msgid "not offered by the server"
msgstr "non proposés par le serveur"

msgid "; 1 EUR = %1"
msgstr " ; 1 EUR = %1"

msgid "not converted, for want of a rate: %1; see `subguard rates --help`"
msgstr "pas converti, faute de taux : %1 ; voir `subguard rates --help`"

# Device: rates: errors

msgctxt "device finished"
msgid "The zip archive must be undamaged and hold one file of reference rates."
msgstr "L’archive zip doit être intacte et contenir un seul fichier de taux de référence."

msgctxt "device finished"
msgid "The file is empty."
msgstr "Le fichier est vide."

msgctxt "device finished"
msgid "The file has no rates."
msgstr "Le fichier ne contient aucun taux."

msgctxt "device finished"
msgid "The file has rates of %1, in the future."
msgstr "Le fichier contient des taux du %1, dans le futur."

msgctxt "device finished"
msgid "Must have at most %1 MB."
msgstr "Doit faire au plus %1 Mo."

msgctxt "device finished"
msgid "Must have at most %1 rows."
msgstr "Doit avoir au plus %1 lignes."

msgctxt "device finished"
msgid "Not a file of reference rates: the first column must be Date."
msgstr "Pas un fichier de taux de référence : la première colonne doit être Date."

msgctxt "device finished"
msgid "Not valid CSV."
msgstr "Ce n’est pas du CSV valide."

msgctxt "device finished"
msgid "Must have as many fields as the header: %1."
msgstr "Doit avoir autant de champs que l’en-tête : %1."

msgctxt "device finished"
msgid "Must begin with a day such as 2026-11-20."
msgstr "Doit commencer par un jour comme 2026-11-20."

msgctxt "device finished"
msgid "The day occurs twice."
msgstr "Ce jour figure deux fois."

msgctxt "device finished"
msgid "The rate of %1 must be a number greater than 0."
msgstr "Le taux de %1 doit être un nombre supérieur à 0."

msgctxt "device finished"
msgid "The rate of %1 on %2 must be a number greater than 0."
msgstr "Le taux de %1 du %2 doit être un nombre supérieur à 0."

msgctxt "device finished"
msgid "%1 has two rates on %2."
msgstr "%1 a deux taux le %2."

msgctxt "device finished"
msgid "A rate has no day."
msgstr "Un taux n’a pas de jour."

msgctxt "device finished"
msgid "Must be a day such as 2026-11-20."
msgstr "Doit être un jour comme 2026-11-20."

msgctxt "device finished"
msgid "Must be a number greater than 0, such as 1.0823."
msgstr "Doit être un nombre supérieur à 0, comme 1,0823."

msgctxt "device finished"
msgid "Rates are against the euro itself."
msgstr "Les taux sont exprimés par rapport à l’euro lui-même."

# Device: sharing

msgid "bytes of the photo"
msgstr "octets de la photo"

msgid "%1 photo added"
msgid_plural "%1 photos added"
msgstr[0] "%1 photo ajoutée"
msgstr[1] "%1 photos ajoutées"

msgid "avatar"
msgstr "image"

msgid "photo, %1, %2 KiB"
msgstr "photo, %1, %2 Kio"

msgid "No photo was chosen."
msgstr "Aucune photo n’a été choisie."

msgid "total"
msgstr "total"

msgid "expenses"
msgstr "dépenses"

msgid "notes on the share"
msgstr "notes sur le partage"

msgid "%1 owes you %2 since %3"
msgstr "%1 te doit %2 depuis le %3"

msgid "you owe %1 %2 since %3"
msgstr "tu dois à %1 %2 depuis le %3"

msgid "you owe me %1 since %2"
msgstr "tu me dois %1 depuis le %2"

msgid "I owe you %1 since %2"
msgstr "je te dois %1 depuis le %2"

msgid "%1 owes %2 %3 since %4"
msgstr "%1 doit à %2 %3 depuis le %4"

msgid "%1 row without effect skipped"
msgid_plural "%1 rows without effect skipped"
msgstr[0] "%1 ligne sans effet ignorée"
msgstr[1] "%1 lignes sans effet ignorées"

msgid "Hi %1, everything is settled between us."
msgstr "Bonjour %1, nous sommes quittes."

msgid "%1:"
msgstr "%1 :"

msgid "Hi %1, %2"
msgstr "Bonjour %1, %2"

msgid "your part of what is shared"
msgstr "ta part de ce qui est partagé"

msgid "in full; --net counts only your part"
msgstr "en entier ; --net ne compte que ta part"

msgid "repayment"
msgstr "remboursement"

msgid "%1 already known"
msgid_plural "%1 already known"
msgstr[0] "%1 déjà connu"
msgstr[1] "%1 déjà connus"

msgid "%1 membership added"
msgid_plural "%1 memberships added"
msgstr[0] "%1 appartenance ajoutée"
msgstr[1] "%1 appartenances ajoutées"

msgid "%1 part of a subscription added"
msgid_plural "%1 parts of subscriptions added"
msgstr[0] "%1 part d’abonnement ajoutée"
msgstr[1] "%1 parts d’abonnements ajoutées"

msgid "%1 repayment added"
msgid_plural "%1 repayments added"
msgstr[0] "%1 remboursement ajouté"
msgstr[1] "%1 remboursements ajoutés"

msgid "%1 exchange rate added"
msgid_plural "%1 exchange rates added"
msgstr[0] "%1 taux de change ajouté"
msgstr[1] "%1 taux de change ajoutés"

msgid "%1 former person added"
msgid_plural "%1 former people added"
msgstr[0] "%1 ancienne personne ajoutée"
msgstr[1] "%1 anciennes personnes ajoutées"

# Device: sharing: errors

msgctxt "device finished"
msgid "Nobody shares it yet; name the others first."
msgstr "Personne ne le partage encore ; nomme d’abord les autres."

msgctxt "device finished"
msgid "--split and --from require --with or --parts"
msgstr "--split et --from demandent --with ou --parts"

msgctxt "device finished"
msgid "Must be a PNG, JPEG or WebP file."
msgstr "Doit être un fichier PNG, JPEG ou WebP."

msgctxt "device finished"
msgid "Is damaged: not a whole image."
msgstr "Est endommagé : l’image n’est pas entière."

msgctxt "device finished"
msgid "Must have less than %1 KB; make it smaller first."
msgstr "Doit faire moins de %1 Ko ; réduis-la d’abord."

msgctxt "device finished"
msgid "Must have at most %1 pixels a side; make it smaller first."
msgstr "Doit avoir au plus %1 pixels de côté ; réduis-la d’abord."

msgctxt "device finished"
msgid "All photos together may have %1 MiB."
msgstr "Toutes les photos ensemble peuvent faire %1 Mio."

msgctxt "device finished"
msgid "No photo is stored."
msgstr "Aucune photo n’est enregistrée."

msgctxt "device finished"
msgid "--emoji, --initials and --photo cannot be combined"
msgstr "--emoji, --initials et --photo ne vont pas ensemble"

msgctxt "device finished"
msgid "Must be one emoji."
msgstr "Doit être un seul emoji."

msgctxt "device finished"
msgid "Must be 1 to 3 characters with a letter among them."
msgstr "Doit avoir 1 à 3 caractères, dont une lettre."

msgctxt "device finished"
msgid "You always bear a part yourself."
msgstr "Tu portes toujours une part toi-même."

msgctxt "device finished"
msgid "You cannot be deleted."
msgstr "Tu ne peux pas être supprimé."

msgctxt "device finished"
msgid "Something is open with this person; see `balance`. To delete anyway: --force."
msgstr "Un compte est ouvert avec cette personne ; voir `balance`. Pour supprimer quand même : --force."

msgctxt "device finished"
msgid "Must be another person."
msgstr "Doit être une autre personne."

msgctxt "device finished"
msgid "--message requires a person"
msgstr "--message demande une personne"

msgctxt "device finished"
msgid "--from requires --add or --remove"
msgstr "--from demande --add ou --remove"

msgctxt "device finished"
msgid "Somebody must remain in the group; to end it, delete it."
msgstr "Quelqu’un doit rester dans le groupe ; pour y mettre fin, supprime-le."

msgctxt "device finished"
msgid "Not a sheet of Spliit, Splitwise, Cospend or IHateMoney: the columns are unknown."
msgstr "Pas une feuille de Spliit, Splitwise, Cospend ou IHateMoney : colonnes inconnues."

msgctxt "device finished"
msgid "One person must have received an income."
msgstr "Une seule personne doit avoir reçu un revenu."

msgctxt "device finished"
msgid "Must be a whole number other than 0."
msgstr "Doit être un nombre entier autre que 0."

msgctxt "device finished"
msgid "Must not be 0."
msgstr "Ne doit pas être 0."

msgctxt "device finished"
msgid "Two people have the same name."
msgstr "Deux personnes ont le même nom."

msgctxt "device finished"
msgid "The rows do not add up to this balance."
msgstr "La somme des lignes ne donne pas ce solde."

msgctxt "device finished"
msgid "The cells must add up to 0."
msgstr "La somme des cellules doit être 0."

msgctxt "device finished"
msgid "The cells exceed the cost."
msgstr "Les cellules dépassent le montant."

msgctxt "device finished"
msgid "Not a sheet of Spliit: it has no expenses or participants."
msgstr "Pas une feuille de Spliit : sans expenses ni participants."

msgctxt "device finished"
msgid "Each must have its own id and name."
msgstr "Chacun doit avoir son id et son nom."

msgctxt "device finished"
msgid "Must be a currency code, such as EUR; or give --currency."
msgstr "Doit être un code de devise, comme EUR ; sinon donne --currency."

msgctxt "device finished"
msgid "Somebody must bear the cost."
msgstr "Quelqu’un doit porter la dépense."

msgctxt "device finished"
msgid "The file does not say who paid; a JSON export of Spliit does."
msgstr "Le fichier ne dit pas qui a payé ; un export JSON de Spliit le dit."

msgctxt "device finished"
msgid "Must be the id of a participant."
msgstr "Doit être l’id d’un participant."

msgctxt "device finished"
msgid "Must be one of EVENLY, BY_SHARES, BY_PERCENTAGE, BY_AMOUNT."
msgstr "Doit être EVENLY, BY_SHARES, BY_PERCENTAGE ou BY_AMOUNT."

msgctxt "device finished"
msgid "Several people have the name %1."
msgstr "Plusieurs personnes s’appellent %1."

msgctxt "device finished"
msgid "Must be a person of the sheet."
msgstr "Doit être une personne de la feuille."

msgctxt "device finished"
msgid "Must be an array of objects."
msgstr "Doit être un tableau d’objets."

msgctxt "device finished"
msgid "Must name person, from and member."
msgstr "Doit nommer person, from et member."

# Device: statements

msgid "%1 entry in %2 (%3)"
msgid_plural "%1 entries in %2 (%3)"
msgstr[0] "%1 écriture dans %2 (%3)"
msgstr[1] "%1 écritures dans %2 (%3)"

msgid "columns %1; dates %2; decimal mark %3"
msgstr "colonnes %1 ; dates %2 ; séparateur décimal %3"

msgid "dates %1"
msgstr "dates %1"

msgid "no row proves the order of the dates; if it is wrong, give --date-order dmy, mdy or ymd"
msgstr "aucune ligne ne prouve l’ordre des dates ; s’il est faux, donne --date-order dmy, mdy ou ymd"

msgctxt "device finished"
msgid "row %1: %2"
msgstr "ligne %1 : %2"

msgid "row %1, %2 “%3”: %4"
msgstr "ligne %1, %2 « %3 » : %4"

msgid "%1 charge confirmed"
msgid_plural "%1 charges confirmed"
msgstr[0] "%1 échéance confirmée"
msgstr[1] "%1 échéances confirmées"

msgid "%1: price %2 instead of %3 from %4"
msgstr "%1 : prix %2 au lieu de %3 à partir du %4"

msgid "%1: still charged after cancelling, %2 on %3"
msgstr "%1 : encore prélevé après la résiliation, %2 le %3"

msgid "%1: charged twice, %2 again on %3"
msgstr "%1 : prélevé deux fois, encore %2 le %3"

msgid "%1: charged twice, %2 again on %3, which came back"
msgstr "%1 : prélevé deux fois, encore %2 le %3, qui a été remboursé"

msgid "No regular payments were left out."
msgstr "Aucun paiement régulier n’a été écarté."

msgid "Regular payments that are not proposed:"
msgstr "Paiements réguliers qui ne sont pas proposés :"

msgid "%1 payment, last %2 on %3: %4 (%5)"
msgid_plural "%1 payments, last %2 on %3: %4 (%5)"
msgstr[0] "%1 paiement, le dernier de %2 le %3 : %4 (%5)"
msgstr[1] "%1 paiements, le dernier de %2 le %3 : %4 (%5)"

msgid "cash"
msgstr "espèces"

msgid "transfer"
msgstr "virement"

msgid "loan, rent or tax"
msgstr "prêt, loyer ou impôt"

msgid "name of a person"
msgstr "nom d’une personne"

msgid "Recurring charges; add them with --accept all, sure or their ids:"
msgstr "Prélèvements récurrents ; ajoute-les avec --accept all, sure ou leurs identifiants :"

msgid "Add it? [y]es, [n]o, [a]ll the rest, [q]uit: "
msgstr "L’ajouter ? [o]ui, [n]on, [t]out le reste, [q]uitter : "

msgid "Which column is it? Name or number, empty to stop: "
msgstr "De quelle colonne s’agit-il ? Nom ou numéro, vide pour arrêter : "

msgid "positive amounts are charges"
msgstr "les montants positifs sont des débits"

msgid "%1  %2: %3, %4, %5"
msgstr "%1  %2 : %3, %4, %5"

msgid "sure"
msgstr "sûr"

msgid "likely"
msgstr "probable"

msgid "unsure"
msgstr "incertain"

# Device: statements: errors

msgctxt "device finished"
msgid "Must have at most %1 entries."
msgstr "%1 écritures au maximum"

msgctxt "device finished"
msgid "Not valid UTF-8. Use --encoding windows-1252 or utf-16."
msgstr "le texte n’est pas de l’UTF-8 valide : utilise --encoding windows-1252 ou utf-16"

msgctxt "device finished"
msgid "The file names no currency. Use --currency EUR."
msgstr "le fichier n’indique aucune devise : utilise --currency EUR"

msgctxt "device finished"
msgid "Must be a date, such as 2027-01-15."
msgstr "doit être une date, comme 15/01/2027"

msgctxt "device finished"
msgid "Document types are not supported."
msgstr "les types de document ne sont pas pris en charge"

msgctxt "device finished"
msgid "The markup is damaged."
msgstr "le balisage est endommagé"

msgctxt "device finished"
msgid "The markup is nested too deeply."
msgstr "le balisage est trop imbriqué"

msgctxt "device finished"
msgid "Not a bank statement: must be CSV, XLSX, OFX, QIF, CAMT.053 or MT940."
msgstr "ce n’est pas un relevé bancaire : CSV, XLSX, OFX, QIF, CAMT.053 ou MT940"

msgctxt "device finished"
msgid "The file is not in %1. Use --encoding %2, or leave it out."
msgstr "le fichier n’est pas en %1 : utilise --encoding %2, ou rien"

msgctxt "device finished"
msgid "The file says that it is in %1, which is not supported. Save it in UTF-8."
msgstr "le fichier se dit en %1, qui n’est pas pris en charge : enregistre-le en UTF-8"

msgctxt "device finished"
msgid "The file names no currency; %1 is assumed."
msgstr "Le fichier n’indique aucune devise ; %1 est supposé."

msgctxt "device finished"
msgid "No entry was found in the file."
msgstr "aucune écriture trouvée dans le fichier"

msgctxt "device finished"
msgid "No entry was found in the file; columns: %1. Use --map COLUMN=field to correct them."
msgstr "aucune écriture trouvée dans le fichier ; colonnes : %1. Corrige-les avec --map COLONNE=champ"

msgctxt "device finished"
msgid "No entry was found in the file: it has other lists only, %1."
msgstr "aucune écriture trouvée dans le fichier, qui n’a que d’autres listes : %1"

msgctxt "device finished"
msgid "Not a list of entries: must be Bank, CCard, Cash, Oth A or Oth L."
msgstr "n’est pas une liste d’écritures : Bank, CCard, Cash, Oth A ou Oth L"

msgctxt "device finished"
msgid "The file ends within this entry."
msgstr "le fichier est tronqué dans cette écriture"

msgctxt "device finished"
msgid "Not a valid entry of MT940."
msgstr "n’est pas une écriture MT940 valide"

msgctxt "device finished"
msgid "A line is too long."
msgstr "une ligne est trop longue"

msgctxt "device finished"
msgid "This is an old Excel workbook. Save it as XLSX or CSV."
msgstr "c’est un ancien classeur Excel : enregistre-le en XLSX ou en CSV"

msgctxt "device finished"
msgid "This is a PDF. Get the statement as CSV, XLSX, OFX, QIF, CAMT.053 or MT940 from the bank."
msgstr "c’est un PDF : demande le relevé à la banque en CSV, XLSX, OFX, QIF, CAMT.053 ou MT940"

msgctxt "device finished"
msgid "The archive is damaged or encrypted."
msgstr "l’archive est endommagée ou chiffrée"

msgctxt "device finished"
msgid "The archive has no statement: no workbook, and no file in XML or CSV."
msgstr "l’archive n’a pas de relevé : ni classeur, ni fichier XML ou CSV"

msgctxt "device finished"
msgid "The archive has another archive. Unpack it first."
msgstr "l’archive en contient une autre : décompresse-la d’abord"

msgctxt "device finished"
msgid "Another program has changed this database: %1."
msgstr "un autre programme a modifié cette base de données : %1"

msgctxt "device finished"
msgid "The archive has several files. Unpack it and give them one by one."
msgstr "l’archive a plusieurs fichiers : décompresse-la et donne-les un par un"

msgctxt "device finished"
msgid "Not booked, and left out: %1 with “%2” in column %3."
msgstr "Non comptabilisé, donc ignoré : %1 avec « %2 » dans la colonne %3."

msgctxt "device finished"
msgid "Left out: %1 with “%2” in column %3, which may not be booked. Use --map %4=ignore to count them."
msgstr "Ignoré : %1 avec « %2 » dans la colonne %3, peut-être pas comptabilisé. Pour les compter : --map %4=ignore."

msgctxt "device finished"
msgid "No word of column %1 says what was booked: %2. All entries count."
msgstr "Aucun mot de la colonne %1 ne dit ce qui est comptabilisé : %2. Toutes les écritures comptent."

msgctxt "device finished"
msgid "The balances show that positive amounts are charges."
msgstr "Les soldes montrent que les montants positifs sont des débits."

msgctxt "device finished"
msgid "The balances show that negative amounts are charges."
msgstr "Les soldes montrent que les montants négatifs sont des débits."

msgctxt "device finished"
msgid "Row %1 does not add up: the balance does not follow from the amount."
msgstr "La ligne %1 ne tombe pas juste : le solde ne découle pas du montant."

msgctxt "device finished"
msgid "Must have at most %1 columns."
msgstr "%1 colonnes au maximum"

msgctxt "device finished"
msgid "Without an amount, and left out: %1."
msgstr "Sans montant, donc ignorées : %1."

msgctxt "device finished"
msgid "Further rows that do not add up: %1."
msgstr "Autres lignes qui ne tombent pas juste : %1."

msgctxt "device finished"
msgid "The entries do not add up to the difference of the balances: the file may be incomplete."
msgstr "Les écritures ne font pas la différence des soldes : le fichier est peut-être incomplet."

msgctxt "device finished"
msgid "The file ends too early."
msgstr "le fichier est tronqué"

msgctxt "device finished"
msgid "The file has no columns."
msgstr "le fichier n’a pas de colonnes"

msgctxt "device finished"
msgid "No proposal has the id %1."
msgstr "aucune proposition n’a l’identifiant %1"

msgctxt "device finished"
msgid "%1 charges from %2 to %3."
msgstr "%1 prélèvements du %2 au %3."

msgctxt "device finished"
msgid "One charge is missing."
msgstr "Il manque un prélèvement."

msgctxt "device finished"
msgid "%1 charges are missing."
msgstr "Il manque %1 prélèvements."

msgctxt "device finished"
msgid "The amount varies from %1 to %2."
msgstr "Le montant varie de %1 à %2."

msgctxt "device finished"
msgid "The amount is %1."
msgstr "Le montant est de %1."

msgctxt "device finished"
msgid "The amount changed from %1 to %2 on %3."
msgstr "Le montant est passé de %1 à %2 le %3."

msgctxt "device finished"
msgid "The catalogue has %1."
msgstr "Le catalogue connaît %1."

msgctxt "device finished"
msgid "It was charged twice: %1 again on %2."
msgstr "Il a été prélevé deux fois : encore %1 le %2."

msgctxt "device finished"
msgid "It was charged twice on %1, and %2 came back."
msgstr "Il a été prélevé deux fois le %1, et %2 ont été remboursés."

msgctxt "device finished"
msgid "Another charge of %1 on %2 is set aside."
msgstr "Un autre prélèvement de %1 le %2 est mis de côté."

msgctxt "device finished"
msgid "The charge of %1 came back."
msgstr "Le prélèvement du %1 a été remboursé."

msgctxt "device finished"
msgid "The statement does not name the merchant."
msgstr "Le relevé ne nomme pas le commerçant."

msgctxt "device finished"
msgid "It is a direct debit."
msgstr "C’est un prélèvement automatique."

msgctxt "device finished"
msgid "It is a transfer, not a charge."
msgstr "C’est un virement et non un prélèvement."

msgctxt "device finished"
msgid "It looks like a loan, rent or tax."
msgstr "Cela ressemble à un prêt, à un loyer ou à un impôt."

msgctxt "device finished"
msgid "%1 other payments went to the same payee."
msgstr "%1 autres paiements sont allés au même bénéficiaire."

msgctxt "device finished"
msgid "It was seen only twice."
msgstr "Il n’a été vu que deux fois."

msgctxt "device finished"
msgid "One charge on %1."
msgstr "Un prélèvement le %1."

msgctxt "device finished"
msgid "The usual price there is %1."
msgstr "Le prix habituel y est de %1."

msgctxt "device finished"
msgid "No charge since %1, though one was due on %2."
msgstr "Aucun prélèvement depuis le %1, alors qu’un était dû le %2."

# Device

msgid "  row %1: %2"
msgstr "  ligne %1 : %2"

msgid "account"
msgstr "compte"

msgid "all"
msgstr "toutes"

msgid "amount"
msgstr "montant"

msgid "amount avoided"
msgstr "montant évité"

msgid "cancel by"
msgstr "à résilier au plus tard le"

msgid "catalogue"
msgstr "catalogue"

msgid "category"
msgstr "catégorie"

msgid "charge avoided"
msgstr "échéance évitée"

msgid "charges"
msgstr "échéances"

msgid "consent"
msgstr "accord"

msgid "Control Score"
msgstr "Score de contrôle"

msgid "count"
msgstr "nombre"

msgid "cycle"
msgstr "fréquence"

msgid "database"
msgstr "base de données"

msgid "date"
msgstr "date"

msgid "details"
msgstr "description"

msgctxt "device"
msgid "due"
msgstr "échéance"

msgid "email"
msgstr "e-mail"

msgid "erasure"
msgstr "effacement"

msgid "events"
msgstr "événements"

msgid "charged"
msgstr "prélevé"

msgid "together"
msgstr "total"

msgid "confirmed"
msgstr "confirmé"

msgid "assumed"
msgstr "supposé"

msgid "from"
msgstr "de"

msgid "kind"
msgstr "type"

msgid "last sync"
msgstr "dernière synchronisation"

msgid "limit"
msgstr "limite"

msgid "members"
msgstr "membres"

msgid "month"
msgstr "mois"

msgid "name"
msgstr "nom"

msgid "next charge"
msgstr "prochaine échéance"

msgid "notes"
msgstr "notes"

msgid "occurrence"
msgstr "identifiant"

msgid "paid by"
msgstr "payé par"

msgid "payment method"
msgstr "moyen de paiement"

msgid "per month"
msgstr "par mois"

msgid "per year"
msgstr "par an"

msgid "premium"
msgstr "premium"

msgid "price from"
msgstr "prix à partir du"

msgid "reason"
msgstr "motif"

msgid "reminder"
msgstr "rappel"

msgid "reminders"
msgstr "rappels"

msgid "saved"
msgstr "économisé"

msgid "share"
msgstr "part"

msgid "since"
msgstr "depuis"

msgid "scope"
msgstr "usage"

msgid "limit for"
msgstr "limite pour"

msgid "slug"
msgstr "code"

msgid "spent"
msgstr "dépensé"

msgid "spent so far"
msgstr "dépensé jusqu’ici"

msgid "status"
msgstr "statut"

msgid "subscriptions"
msgstr "abonnements"

msgid "suggestions"
msgstr "suggestions"

msgid "title"
msgstr "titre"

msgid "to"
msgstr "à"

msgid "to come"
msgstr "à venir"

msgid "trial ends"
msgstr "fin de l’essai"

msgid "trial starts"
msgstr "début de l’essai"

msgid "begins on"
msgstr "commence le"

msgid "website"
msgstr "site"

msgid "you"
msgstr "toi"

msgid "No reminders due."
msgstr "Aucun rappel à faire."

msgid "%1 reminder delivered"
msgid_plural "%1 reminders delivered"
msgstr[0] "%1 rappel transmis"
msgstr[1] "%1 rappels transmis"

msgid "%1 reminder from SubGuard"
msgid_plural "%1 reminders from SubGuard"
msgstr[0] "%1 rappel de SubGuard"
msgstr[1] "%1 rappels de SubGuard"

msgid "started"
msgstr "commencé"

msgid "price rise"
msgstr "hausse de prix"

msgid "price drop"
msgstr "baisse de prix"

msgid "end of trial"
msgstr "fin de l’essai"

msgid "ended"
msgstr "terminé"

msgctxt "device"
msgid "came back"
msgstr "repris"

msgid "other currency"
msgstr "autre devise"

msgid "together %1"
msgstr "total %1"

msgid "%1 still costs %2 until %3"
msgstr "%1 coûte encore %2 jusqu’au %3"

msgid "where"
msgstr "où"

msgid "where to cancel"
msgstr "où résilier"

msgid "where to cancel: %1"
msgstr "où résilier : %1"

msgid "still costs %1 until %2"
msgstr "coûte encore %1 jusqu’au %2"

msgid "these charges stay in the forecast"
msgstr "ces échéances restent dans les prévisions"

msgid "of which %1 stays in the forecast"
msgstr "dont %1 reste dans les prévisions"

msgid "not in the forecast any more; to keep it: subguard cancel without --on"
msgstr "n’est plus dans les prévisions ; pour l’y garder : subguard cancel sans --on"

msgid "Nothing is saved."
msgstr "Rien n’est économisé."

msgid "No changes."
msgstr "Aucun changement."

msgid "change"
msgstr "changement"

msgid "file"
msgstr "fichier"

msgid "last backup"
msgstr "dernière sauvegarde"

msgid "size"
msgstr "taille"

msgid "undone"
msgstr "annulé"

msgid "value"
msgstr "valeur"

msgid "automatic"
msgstr "automatique"

msgid "manual"
msgstr "manuelle"

msgid "before a restore"
msgstr "avant une restauration"

msgid "before a merge"
msgstr "avant une fusion"

msgid "%1 kB"
msgstr "%1 ko"

msgid "%1 MB"
msgstr "%1 Mo"

msgid "what was there before is kept in %1"
msgstr "l’état précédent est conservé dans %1"

msgid "no backup yet; run `subguard backup FILE`"
msgstr "aucune sauvegarde pour l’instant ; lance `subguard backup FICHIER`"

msgid "the last backup is %1 day old; run `subguard backup FILE`"
msgid_plural "the last backup is %1 days old; run `subguard backup FILE`"
msgstr[0] "la dernière sauvegarde date de %1 jour ; lance `subguard backup FICHIER`"
msgstr[1] "la dernière sauvegarde date de %1 jours ; lance `subguard backup FICHIER`"

msgid "undone: %1"
msgstr "annulé : %1"

msgid "redone: %1"
msgstr "rétabli : %1"

msgctxt "device finished"
msgid "nothing to undo"
msgstr "rien à annuler"

msgid "changed since, and left as it is: %1"
msgstr "modifié depuis, et laissé tel quel : %1"

msgid "No backups yet."
msgstr "Aucune sauvegarde pour l’instant."

msgid "All confirmed ✓"
msgstr "Tout est confirmé ✓"

msgid "Everything is settled."
msgstr "Tout est réglé."

msgid "No budgets yet."
msgstr "Aucun budget pour l’instant."

msgid "No cancelled subscriptions."
msgstr "Aucun abonnement résilié."

msgid "No charges yet."
msgstr "Aucun prélèvement pour l’instant."

msgid "No charges."
msgstr "Aucune échéance."

msgid "No active subscriptions."
msgstr "Aucun abonnement actif."

msgid "No expenses yet."
msgstr "Aucune dépense pour l’instant."

msgid "No groups yet."
msgstr "Aucun groupe pour l’instant."

msgid "No missed charges."
msgstr "Aucune échéance oubliée."

msgid "No people yet."
msgstr "Aucune personne pour l’instant."

msgid "No redundant subscriptions found."
msgstr "Aucun abonnement en double."

msgid "No results. To suggest a service: subguard suggest NAME"
msgstr "Aucun résultat. Pour suggérer un service : subguard suggest NOM"

msgid "No matching subscriptions."
msgstr "Aucun abonnement ne correspond."

msgid "No receipts yet."
msgstr "Aucun justificatif pour l’instant."

msgid "%1 receipt added"
msgid_plural "%1 receipts added"
msgstr[0] "%1 justificatif ajouté"
msgstr[1] "%1 justificatifs ajoutés"

msgid "No matching transactions."
msgstr "Aucune transaction ne correspond."

msgid "No subscriptions yet. Add one: subguard add \"Netflix 13.49 €/month\""
msgstr "Aucun abonnement pour l’instant. Pour en ajouter un : subguard add \"Netflix 13,49 €/mois\""

msgid "No transactions yet."
msgstr "Aucune transaction pour l’instant."

msgid "No upcoming reminders."
msgstr "Aucun rappel à venir."

msgid "Nothing to cancel."
msgstr "Rien à résilier."

msgid "Well done! Nothing to confirm."
msgstr "Bravo ! 🎉 Rien à confirmer."

msgid "%1, cancelled from %2"
msgstr "%1, résilié à partir du %2"

msgid "not confirmed"
msgstr "non confirmé"

msgid "agreed with the others"
msgstr "accepté par les autres"

msgid "not agreed with the others yet"
msgstr "pas encore accepté par les autres"

msgid "estimate, the amount varies"
msgstr "estimation, le montant varie"

msgid "%1 a year"
msgstr "%1 par an"

msgid "(deleted)"
msgstr "(supprimé)"

msgid "free"
msgstr "gratuit"

msgid "granted"
msgstr "donné"

msgid "no purchase"
msgstr "aucun achat"

msgid "not given yet"
msgstr "pas encore donné"

msgid "payment pending"
msgstr "paiement en attente"

msgctxt "device"
msgid "revoked"
msgstr "retiré"

msgid "revoked by the App Store"
msgstr "révoqué par l’App Store"

msgid "upgraded"
msgstr "remplacé par une offre supérieure"

msgid "%1: %2 (%3)"
msgstr "%1 : %2 (%3)"

msgid "agreed"
msgstr "accepté"

msgid "amount paid"
msgstr "montant payé"

msgid "budget"
msgstr "budget"

msgid "catalogue item"
msgstr "service du catalogue"

msgid "charged after the trial"
msgstr "payant après l’essai"

msgid "colour"
msgstr "couleur"

msgid "contract term ends"
msgstr "fin de la période du contrat"

msgid "days of notice"
msgstr "jours de préavis"

msgid "emoji"
msgstr "emoji"

msgid "estimate"
msgstr "estimation"

msgid "first charge"
msgstr "première échéance"

msgid "fixed term ends"
msgstr "fin prévue"

msgid "group"
msgstr "groupe"

msgid "icon"
msgstr "icône"

msgid "included in"
msgstr "inclus dans"

msgid "member"
msgstr "membre"

msgid "minimum months"
msgstr "mois minimum"

msgid "months of extension"
msgstr "mois de reconduction"

msgid "parts"
msgstr "parts"

msgid "period"
msgstr "période"

msgid "person"
msgstr "personne"

msgid "phone"
msgstr "téléphone"

msgid "picture"
msgstr "image"

msgid "price"
msgstr "prix"

msgid "receipt"
msgstr "justificatif"

msgid "recurring"
msgstr "récurrent"

msgid "replaced by"
msgstr "remplacé par"

msgid "settled"
msgstr "réglé"

msgid "split"
msgstr "partage"

msgid "subtitle"
msgstr "sous-titre"

msgid "tags"
msgstr "étiquettes"

msgid "%1: %2 was theirs, you pay it now"
msgstr "%1 : sa part était de %2, elle te revient"

msgid "%1: the group still owes them %2"
msgstr "%1 : le groupe lui doit encore %2"

msgid "%1: they still owe the group %2"
msgstr "%1 : doit encore %2 au groupe"

msgid "account erased"
msgstr "compte effacé"

msgid "backed up to %1"
msgstr "sauvegardé dans %1"

msgid "backing up"
msgstr "sauvegarde"

msgid "deleted %1"
msgstr "supprimé : %1"

msgid "dry run: "
msgstr "simulation : "

msgid "error: %1"
msgstr "erreur : %1"

msgid "importing"
msgstr "import"

msgid "merging"
msgstr "fusion"

msgid "no account erased: not signed in"
msgstr "aucun compte effacé : non connecté"

msgid "no changes"
msgstr "aucun changement"

msgid "Passphrase: "
msgstr "Phrase secrète : "

msgid "Repeat the passphrase: "
msgstr "Répète la phrase secrète : "

msgid "another program has changed the database: %1"
msgstr "un autre programme a modifié la base de données : %1"

msgid "%1: removed, because its addition was undone"
msgstr "%1 : retiré, car son ajout a été annulé"

msgid "left out: %1 row with a time of the future. On the device that made the backup, set the clock, run `subguard repair clock`, and make another backup"
msgid_plural "left out: %1 rows with times of the future. On the device that made the backup, set the clock, run `subguard repair clock`, and make another backup"
msgstr[0] "laissé de côté : %1 ligne datée du futur. Sur l’appareil qui a fait la sauvegarde, réglez l’horloge, lancez `subguard repair clock`, puis faites une autre sauvegarde"
msgstr[1] "laissé de côté : %1 lignes datées du futur. Sur l’appareil qui a fait la sauvegarde, réglez l’horloge, lancez `subguard repair clock`, puis faites une autre sauvegarde"

msgid "nothing lies ahead of the clock"
msgstr "rien n’est en avance sur l’horloge"

msgid "%1 row with times up to %2 has the present one now"
msgid_plural "%1 rows with times up to %2 have the present one now"
msgstr[0] "%1 ligne datée jusqu’au %2 porte maintenant l’heure présente"
msgstr[1] "%1 lignes datées jusqu’au %2 portent maintenant l’heure présente"

msgid "some edits bear times up to %1; other devices refuse them. Run `subguard repair clock`"
msgstr "des modifications sont datées jusqu’au %1 ; les autres appareils les refusent. Lancez `subguard repair clock`"

msgid "restored %1 subscription"
msgid_plural "restored %1 subscriptions"
msgstr[0] "%1 abonnement restauré"
msgstr[1] "%1 abonnements restaurés"

msgid "restoring"
msgstr "restauration"

msgid "signed in to %1"
msgstr "connecté à %1"

msgid "signed out"
msgstr "déconnecté"

msgid "premium: not asked yet; run subguard sync"
msgstr "premium : pas encore demandé ; lance subguard sync"

msgid "premium is active"
msgstr "Premium est actif"

msgid "this account has no premium"
msgstr "ce compte n’a pas Premium"

msgid "signed out on this device; the server could not be notified"
msgstr "déconnecté de cet appareil ; le serveur n’a pas pu être prévenu"

msgid "the events already sent will be erased at the next sync"
msgstr "les événements déjà envoyés seront effacés à la prochaine synchronisation"

msgid "; the server still has to erase the events already sent"
msgstr " ; le serveur doit encore effacer les événements déjà envoyés"

msgid "the session has expired; if the account still exists, sign in again and erase it"
msgstr "la session a expiré ; si le compte existe encore, reconnecte-toi et efface-le"

msgid "the shares add up to %1, more than the price of %2; run `subguard share`"
msgstr "les parts totalisent %1, plus que le prix de %2 ; lance `subguard share`"

msgid "the subscriptions on this device are kept"
msgstr "les abonnements de cet appareil sont conservés"

msgid "the weekly backup failed: %1"
msgstr "échec de la sauvegarde hebdomadaire : %1"

msgid "warning: %1"
msgstr "attention : %1"

msgid "%1 budget added"
msgid_plural "%1 budgets added"
msgstr[0] "%1 budget ajouté"
msgstr[1] "%1 budgets ajoutés"

msgid "%1 confirmation added"
msgid_plural "%1 confirmations added"
msgstr[0] "%1 confirmation ajoutée"
msgstr[1] "%1 confirmations ajoutées"

msgid "%1 expense added"
msgid_plural "%1 expenses added"
msgstr[0] "%1 dépense ajoutée"
msgstr[1] "%1 dépenses ajoutées"

msgid "%1 group added"
msgid_plural "%1 groups added"
msgstr[0] "%1 groupe ajouté"
msgstr[1] "%1 groupes ajoutés"

msgid "%1 group member added"
msgid_plural "%1 group members added"
msgstr[0] "%1 membre de groupe ajouté"
msgstr[1] "%1 membres de groupe ajoutés"

msgid "%1 pause or cancellation added"
msgid_plural "%1 pauses or cancellations added"
msgstr[0] "%1 pause ou résiliation ajoutée"
msgstr[1] "%1 pauses ou résiliations ajoutées"

msgid "%1 person added"
msgid_plural "%1 people added"
msgstr[0] "%1 personne ajoutée"
msgstr[1] "%1 personnes ajoutées"

msgid "%1 price added"
msgid_plural "%1 prices added"
msgstr[0] "%1 prix ajouté"
msgstr[1] "%1 prix ajoutés"

msgid "%1 share added"
msgid_plural "%1 shares added"
msgstr[0] "%1 partage ajouté"
msgstr[1] "%1 partages ajoutés"

msgid "%1 skipped"
msgid_plural "%1 skipped"
msgstr[0] "%1 ignoré"
msgstr[1] "%1 ignorés"

msgid "%1 subscription added"
msgid_plural "%1 subscriptions added"
msgstr[0] "%1 abonnement ajouté"
msgstr[1] "%1 abonnements ajoutés"

msgid "%1 transaction added"
msgid_plural "%1 transactions added"
msgstr[0] "%1 transaction ajoutée"
msgstr[1] "%1 transactions ajoutées"

msgid "%1 updated"
msgid_plural "%1 updated"
msgstr[0] "%1 mis à jour"
msgstr[1] "%1 mis à jour"

msgid "%1 duplicate"
msgid_plural "%1 duplicates"
msgstr[0] "%1 doublon"
msgstr[1] "%1 doublons"

msgid "%1 changed"
msgid_plural "%1 changed"
msgstr[0] "%1 modifié"
msgstr[1] "%1 modifiés"

msgid "%1 deleted"
msgid_plural "%1 deleted"
msgstr[0] "%1 supprimé"
msgstr[1] "%1 supprimés"

msgid "%1 dropped"
msgid_plural "%1 dropped"
msgstr[0] "%1 abandonné"
msgstr[1] "%1 abandonnés"

msgid "%1 erasure pending"
msgid_plural "%1 erasures pending"
msgstr[0] "%1 effacement en attente"
msgstr[1] "%1 effacements en attente"

msgid "%1 event accepted"
msgid_plural "%1 events accepted"
msgstr[0] "%1 événement accepté"
msgstr[1] "%1 événements acceptés"

msgid "%1 session reported"
msgid_plural "%1 sessions reported"
msgstr[0] "%1 session signalée"
msgstr[1] "%1 sessions signalées"

msgid "%1 crash reported"
msgid_plural "%1 crashes reported"
msgstr[0] "%1 plantage signalé"
msgstr[1] "%1 plantages signalés"

msgid "%1 crash waiting"
msgid_plural "%1 crashes waiting"
msgstr[0] "%1 plantage en attente"
msgstr[1] "%1 plantages en attente"

msgid "sessions"
msgstr "sessions"

msgid "%1 id erased"
msgid_plural "%1 ids erased"
msgstr[0] "%1 identifiant effacé"
msgstr[1] "%1 identifiants effacés"

msgid "%1 item"
msgid_plural "%1 items"
msgstr[0] "%1 service"
msgstr[1] "%1 services"

msgid "%1 refused"
msgid_plural "%1 refused"
msgstr[0] "%1 refusée"
msgstr[1] "%1 refusées"

msgid "%1 rejected"
msgid_plural "%1 rejected"
msgstr[0] "%1 rejeté"
msgstr[1] "%1 rejetés"

msgid "%1 suggestion accepted"
msgid_plural "%1 suggestions accepted"
msgstr[0] "%1 suggestion acceptée"
msgstr[1] "%1 suggestions acceptées"

msgid "%1 waiting"
msgstr "%1 en attente"

msgid "checked %1"
msgstr "vérifié le %1"

msgid "downloaded"
msgstr "téléchargé"

msgid "failed"
msgstr "échec"

msgid "failed: %1"
msgstr "échec : %1"

msgid "not sent: consent revoked"
msgstr "pas d’envoi : accord retiré"

msgid "not sent: no consent yet"
msgstr "pas d’envoi : accord pas encore donné"

msgid "not signed in"
msgstr "non connecté"

msgid "nothing to erase"
msgstr "rien à effacer"

msgid "nothing to send"
msgstr "rien à envoyer"

msgid "done"
msgstr "fait"

msgid "stale"
msgstr "périmé"

msgid "up to date"
msgstr "à jour"

msgid "updated"
msgstr "mis à jour"

msgid "just now"
msgstr "à l’instant"

msgid "%1 minute ago"
msgid_plural "%1 minutes ago"
msgstr[0] "il y a %1 minute"
msgstr[1] "il y a %1 minutes"

msgid "%1 hour ago"
msgid_plural "%1 hours ago"
msgstr[0] "il y a %1 heure"
msgstr[1] "il y a %1 heures"

msgid "%1 day ago"
msgid_plural "%1 days ago"
msgstr[0] "il y a %1 jour"
msgstr[1] "il y a %1 jours"

msgid "note: the local catalogue is from another server, %1, last checked %2"
msgstr "note : le catalogue local vient d’un autre serveur, %1, vérifié %2"

msgid "note: the local catalogue was last checked %1"
msgstr "note : catalogue local vérifié %1"

msgid ""
msgstr ""

msgid "Send anonymous usage events to the server: that the program is used, that it crashed and in which command, when subscriptions are added or deleted, and which catalogue service they are for? Names you typed, amounts, notes and billing dates are never sent. See docs/privacy.md. [y/n] "
msgstr "Envoyer au serveur des événements d’utilisation anonymes : que le programme est utilisé, qu’il a planté et dans quelle commande, quand des abonnements sont ajoutés ou supprimés, et pour quel service du catalogue ? Les noms que tu as saisis, les montants, les notes et les échéances ne sont jamais envoyés. Voir docs/privacy.md. [o/n] "

msgid "%1 charge refunded"
msgid_plural "%1 charges refunded"
msgstr[0] "%1 échéance remboursée"
msgstr[1] "%1 échéances remboursées"

msgid "%1 row skipped"
msgid_plural "%1 rows skipped"
msgstr[0] "%1 ligne ignorée"
msgstr[1] "%1 lignes ignorées"

msgid "No recurring charge was found."
msgstr "Aucun prélèvement récurrent n’a été trouvé."

msgid "All recurring charges are there already; nothing was changed."
msgstr "Tous les prélèvements récurrents sont déjà là ; rien n’a été modifié."

msgid "%1 entry is of no subscription"
msgid_plural "%1 entries are of no subscription"
msgstr[0] "%1 écriture n’est d’aucun abonnement"
msgstr[1] "%1 écritures ne sont d’aucun abonnement"

msgid "to correct it: %1"
msgstr "pour la corriger : %1"

msgid "if it is the new price: %1"
msgstr "si c’est le nouveau prix : %1"

msgid "%1: %2 credited on %3, for no charge that was found"
msgstr "%1 : %2 crédités le %3, sans prélèvement correspondant"

msgid "There was already %1, with the same price and charges."
msgstr "Il y avait déjà %1, avec le même prix et les mêmes échéances."

msgid "%1: %2 charged on %3 came back on %4; it counts as not charged"
msgstr "%1 : %2 prélevés le %3, remboursés le %4 ; l’échéance compte comme non prélevée"

msgid "%1: %2 of %3 charged on %4 came back on %5; %6 count"
msgstr "%1 : %2 sur les %3 prélevés le %4 ont été remboursés le %5 ; %6 comptent"

msgid "%1: %2 charged on %3 came back on %4; the charge stays as you confirmed it"
msgstr "%1 : %2 prélevés le %3, remboursés le %4 ; l’échéance reste comme tu l’as confirmée"

msgid "%1: %2 of %3 charged on %4 came back on %5; the charge stays as you confirmed it"
msgstr "%1 : %2 sur les %3 prélevés le %4 ont été remboursés le %5 ; l’échéance reste comme tu l’as confirmée"

msgid "%1: %2 on %3 instead of %4; one charge changes no price"
msgstr "%1 : %2 le %3 au lieu de %4 ; un seul prélèvement ne change pas le prix"

msgid "Added:"
msgstr "Ajoutés :"

msgid "Would be added:"
msgstr "Seraient ajoutés :"

msgid "Refunds"
msgstr "Remboursements"

msgid "Other amounts"
msgstr "Autres montants"

msgid "  %1, row %2: %3"
msgstr "  %1, ligne %2 : %3"

msgid "row %1: %2 is there already; skipped"
msgstr "ligne %1 : %2 est déjà là ; ignorée"

msgid "%1 other element was there already"
msgid_plural "%1 other elements were there already"
msgstr[0] "%1 autre élément était déjà là"
msgstr[1] "%1 autres éléments étaient déjà là"

msgid "not recognised, and not imported: %1"
msgstr "non reconnu, donc non importé : %1"

msgid "The file holds nothing to import."
msgstr "Le fichier ne contient rien à importer."

msgid "the one built into the program, dated %1"
msgstr "celui intégré au programme, daté du %1"

msgid "from the catalogue: %1, %2; its price there: %3"
msgstr "du catalogue : %1, %2 ; son prix y est : %3"

msgid "there is already %1, %2, with the same charges; to remove it: subguard delete %3"
msgstr "il y a déjà %1, %2, avec les mêmes échéances ; pour le supprimer : subguard delete %3"

msgid "share from"
msgstr "part à partir du"

msgid "you pay everything"
msgstr "tu paies tout"

msgid "from %1 on"
msgstr "à partir du %1"

msgid "from %1: %2"
msgstr "à partir du %1 : %2"

msgid "from %1 on, as before: %2"
msgstr "à partir du %1, comme avant : %2"

msgid "to take one back: subguard share %1 --remove %2"
msgstr "pour en retirer un : subguard share %1 --remove %2"

msgid "%1 older charge since %2: --json"
msgid_plural "%1 older charges since %2: --json"
msgstr[0] "%1 échéance plus ancienne depuis le %2 : --json"
msgstr[1] "%1 échéances plus anciennes depuis le %2 : --json"

msgid "%1 confirmed charge keeps its amount: %2; `paid` changes it"
msgid_plural "%1 confirmed charges keep their amounts: %2; `paid` changes one"
msgstr[0] "%1 échéance confirmée garde son montant : %2 ; `paid` le change"
msgstr[1] "%1 échéances confirmées gardent leur montant : %2 ; `paid` en change un"

msgid "nothing to change: name a field, such as --amount"
msgstr "rien à modifier : nomme un champ, comme --amount"

msgid "paused from %1"
msgstr "en pause à partir du %1"

msgid "paused from %1 through %2"
msgstr "en pause du %1 au %2"

msgid "active from %1"
msgstr "actif à partir du %1"

msgid "recorded for the group %1"
msgstr "enregistré pour le groupe %1"

msgid "open in the group %1: %2; `subguard settle %3`"
msgstr "ouvert dans le groupe %1 : %2 ; `subguard settle %3`"

msgid "outside of this group: %1; both together: %2"
msgstr "hors de ce groupe : %1 ; les deux ensemble : %2"

msgctxt "device"
msgid "nothing"
msgstr "rien"

msgid "of it outside of groups: %1"
msgstr "dont hors des groupes : %1"

msgid "of it in the group %1: %2; `subguard settle %3` has it too"
msgstr "dont dans le groupe %1 : %2 ; `subguard settle %3` le compte aussi"

msgid "minus %1"
msgstr "moins %1"

msgid "cancelling saves %1 until %2"
msgstr "résilier économise %1 jusqu’au %2"

msgid "limits together %1"
msgstr "total des limites %1"

msgid "all subscriptions"
msgstr "tous les abonnements"

msgid "%1; you owe them %2 of the group"
msgstr "%1 ; tu lui dois %2 dans le groupe"

msgid "%1; they owe you %2 of the group"
msgstr "%1 ; te doit %2 dans le groupe"

msgid "the expense is dated %1, and counts in balances from now on"
msgstr "la dépense est datée du %1, et compte dans les soldes dès maintenant"

msgid "%1 owes you %2, dated %3"
msgstr "%1 te doit %2, en date du %3"

msgid "you owe %1 %2, dated %3"
msgstr "tu dois à %1 %2, en date du %3"

msgid "owes you, dated %1"
msgstr "te doit, en date du %1"

msgid "you owe them, dated %1"
msgstr "tu lui dois, en date du %1"

msgid "open with others in the group"
msgstr "ouvert avec d’autres dans le groupe"

msgid "settings are not in backups: no home currency here; `subguard settings set home_currency EUR` sets one"
msgstr "les réglages ne sont pas dans les sauvegardes : pas de devise principale ici ; `subguard settings set home_currency EUR` en choisit une"

# Device: errors

msgctxt "device finished"
msgid "  row %1: %2: %3"
msgstr "  ligne %1 : %2 : %3"

msgctxt "device finished"
msgid "Amounts must add up to the total."
msgstr "la somme des montants doit être égale au total"

msgctxt "device finished"
msgid "An even or free split has no parts."
msgstr "un partage égal ou gratuit n’a pas de parts"

msgctxt "device finished"
msgid "At least one share must be greater than 0."
msgstr "au moins une part doit être supérieure à 0"

msgctxt "device finished"
msgid "At most %1 characters."
msgstr "%1 caractères au maximum"

msgctxt "device finished"
msgid "At most %1 combining marks on a letter."
msgstr "%1 signes diacritiques au maximum par lettre"

msgctxt "device finished"
msgid "At most %1 reminders."
msgstr "%1 rappels au maximum"

msgctxt "device finished"
msgid "Cannot change to a currency with other decimals: fixed shares use the current one."
msgstr "la nouvelle devise n’a pas le même nombre de décimales, et des parts fixes utilisent l’actuelle"

msgctxt "device finished"
msgid "Custom categories require premium."
msgstr "les catégories personnalisées nécessitent Premium"

msgctxt "device finished"
msgid "Has an unknown status."
msgstr "contient un statut inconnu"

msgctxt "device finished"
msgid "Has more fields than the header."
msgstr "a plus de champs que l’en-tête"

msgctxt "device finished"
msgid "Is required."
msgstr "obligatoire"

msgctxt "device finished"
msgid "Is required, or set SUBGUARD_SERVER."
msgstr "obligatoire, ou définis SUBGUARD_SERVER"

msgctxt "device finished"
msgid "More than one column recognised as this field. Use --map COLUMN=%1."
msgstr "plusieurs colonnes reconnues pour ce champ. Utilise --map COLONNE=%1"

msgctxt "device finished"
msgid "Must be %1 to %2."
msgstr "doit être compris entre %1 et %2"

msgctxt "device finished"
msgid "Must be from %1 to %2."
msgstr "doit être compris entre %1 et %2"

msgctxt "device finished"
msgid "Must be a JSON array, or an object with the member \"subscriptions\"."
msgstr "doit être un tableau JSON, ou un objet avec le membre « subscriptions »"

msgctxt "device finished"
msgid "Must be a UUID."
msgstr "doit être un UUID"

msgctxt "device finished"
msgid "Must be a language tag such as fr-CH."
msgstr "doit être un code de langue tel que fr-CH"

msgctxt "device finished"
msgid "Must be a whole number from %1 to %2."
msgstr "doit être un nombre entier de %1 à %2"

msgctxt "device finished"
msgid "Must have 1 to %1 printable ASCII characters."
msgstr "doit compter de 1 à %1 caractères ASCII imprimables"

msgctxt "device finished"
msgid "Must be a colour such as #9FE870."
msgstr "doit être une couleur, telle que #9FE870"

msgctxt "device finished"
msgid "Must be a currency code, such as EUR."
msgstr "doit être un code de devise, tel que EUR"

msgctxt "device finished"
msgid "Must be a decimal number such as \"13.49\"."
msgstr "doit être un nombre décimal, tel que 13,49"

msgctxt "device finished"
msgid "Must be a link that begins with https:// or http://."
msgstr "doit être un lien qui commence par https:// ou http://"

msgctxt "device finished"
msgid "Must be a string or a number."
msgstr "doit être un texte ou un nombre"

msgctxt "device finished"
msgid "Must be a timestamp such as 2026-11-20T10:00:00Z."
msgstr "doit être un horodatage tel que 2026-11-20T10:00:00Z"

msgctxt "device finished"
msgid "Must be a whole number."
msgstr "doit être un nombre entier"

msgctxt "device finished"
msgid "Must be active, paused or cancelled."
msgstr "doit être active, paused ou cancelled"

msgctxt "device finished"
msgid "Needs the last day of the trial."
msgstr "indique le dernier jour de l’essai"

msgctxt "device finished"
msgid "Must not be after the last day of the trial."
msgstr "ne doit pas être après le dernier jour de l’essai"

msgctxt "device finished"
msgid "Must not be before the first day of the trial."
msgstr "ne doit pas être avant le premier jour de l’essai"

msgctxt "device finished"
msgid "Must be a day of the month, 1 to 31."
msgstr "doit être un jour du mois, de 1 à 31"

msgctxt "device finished"
msgid "Must be a month and a day, such as 04-06."
msgstr "doit être un jour et un mois, comme 06/04"

msgctxt "device finished"
msgid "The charges of this subscription are not counted from payments."
msgstr "les échéances de cet abonnement ne sont pas comptées à partir des paiements"

msgctxt "device finished"
msgid "Must be active, trial, paused, cancelled or ended."
msgstr "doit être active, trial, paused, cancelled ou ended"

msgctxt "device finished"
msgid "Must be an amount such as 13.49."
msgstr "doit être un montant, tel que 13,49"

msgctxt "device finished"
msgid "Must be an array of strings."
msgstr "doit être un tableau de textes"

msgctxt "device finished"
msgid "Must be an array."
msgstr "doit être un tableau"

msgctxt "device finished"
msgid "Must be an e-mail address."
msgstr "doit être une adresse e-mail"

msgctxt "device finished"
msgid "Must be an existing date, such as 2027-01-15."
msgstr "doit être une date qui existe, telle que 2027-01-15"

msgctxt "device finished"
msgid "Must be an object."
msgstr "doit être un objet"

msgctxt "device finished"
msgid "Must be another subscription."
msgstr "doit être un autre abonnement"

msgctxt "device finished"
msgid "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or every:18m."
msgstr "doit être quotidien, hebdomadaire, toutes les 2 semaines, mensuel, trimestriel, semestriel, annuel, à vie ou every:18m"

msgctxt "device finished"
msgid "Must be below 10 billion."
msgstr "doit être inférieur à 10 milliards"

msgctxt "device finished"
msgid "Must be below 10 million."
msgstr "doit être inférieur à 10 millions"

msgctxt "device finished"
msgid "Must be greater than 0."
msgstr "doit être supérieur à 0"

msgctxt "device finished"
msgid "Must be ids, or ID=number pairs, separated by commas."
msgstr "doit être des identifiants ou des paires ID=nombre, séparés par des virgules"

msgctxt "device finished"
msgid "Must be ID=value, separated by commas."
msgstr "doit être des paires ID=valeur, séparées par des virgules"

msgctxt "device finished"
msgid "Must be members of the group on that day."
msgstr "doivent être membres du groupe ce jour-là"

msgctxt "device finished"
msgid "Must be name:base64 with a secret of 16 to 64 bytes."
msgstr "doit être nom:base64, avec un secret de 16 à 64 octets"

msgctxt "device finished"
msgid "Must be numbers of days separated by commas, such as 7,1, or default, or none; no-cancel_by mutes a kind."
msgstr "doit être des nombres de jours séparés par des virgules, tels que 7,1, ou default, ou none ; no-cancel_by coupe un type"

msgctxt "device finished"
msgid "Must be numbers of days from 0 to 366 separated by commas, such as 7,1, or none."
msgstr "doit être des nombres de jours de 0 à 366 séparés par des virgules, tels que 7,1, ou none"

msgctxt "device finished"
msgid "Must be a time such as 09:00."
msgstr "doit être une heure telle que 09:00"

msgctxt "device finished"
msgid "Must be two times such as 22:00-08:00, or none."
msgstr "doit être deux heures telles que 22:00-08:00, ou none"

msgctxt "device finished"
msgid "Must be none, or some of %1."
msgstr "doit être none, ou une partie de ces valeurs : %1"

msgctxt "device finished"
msgid "Must be one of %1."
msgstr "doit être l’une de ces valeurs : %1"

msgctxt "device finished"
msgid "Must be percentages, amounts or whole numbers, depending on --split."
msgstr "doit être des pourcentages, des montants ou des nombres entiers, selon --split"

msgctxt "device finished"
msgid "%1 is the sign of several currencies: %2. Name one of them."
msgstr "%1 est le signe de plusieurs devises : %2. Nomme l’une d’elles"

msgctxt "device finished"
msgid "Must be the currency named in the amount."
msgstr "doit être la devise indiquée dans le montant"

msgctxt "device finished"
msgid "Must be true or false."
msgstr "doit être true ou false"

msgctxt "device finished"
msgid "Must contain a visible character."
msgstr "doit contenir un caractère visible"

msgctxt "device finished"
msgid "Must contain dates such as 2027-01-15."
msgstr "doit contenir des dates telles que 2027-01-15"

msgctxt "device finished"
msgid "Must give each person's part."
msgstr "doit donner la part de chaque personne"

msgctxt "device finished"
msgid "Must have at most %1 characters."
msgstr "%1 caractères au maximum"

msgctxt "device finished"
msgid "Must have at most %1 decimals."
msgstr "%1 décimales au maximum"

msgctxt "device finished"
msgid "Must be in at most %1 bundles."
msgstr "%1 abonnements englobants au maximum"

msgctxt "device finished"
msgid "Must be the name of a file."
msgstr "doit être le nom d’un fichier"

msgctxt "device finished"
msgid "Must name 1 to %1 people."
msgstr "doit nommer de 1 à %1 personnes"

msgctxt "device finished"
msgid "Must name each person once."
msgstr "doit nommer chaque personne une seule fois"

msgctxt "device finished"
msgid "Must name the same people as --with."
msgstr "doit nommer les mêmes personnes que --with"

msgctxt "device finished"
msgid "Must not be a file of the database or its backup folder."
msgstr "ne doit pas être un fichier de la base ou de son dossier de sauvegardes"

msgctxt "device finished"
msgid "Must not be before the first billing date."
msgstr "ne doit pas précéder la première échéance"

msgctxt "device finished"
msgid "Must not be after today."
msgstr "ne doit pas être après aujourd’hui"

msgctxt "device finished"
msgid "Must not be more than %1 years ago."
msgstr "ne doit pas remonter à plus de %1 ans"

msgctxt "device finished"
msgid "Must be pro or personal."
msgstr "doit être pro ou personnel"

msgctxt "device finished"
msgid "Is a scope, not a category."
msgstr "est un usage, pas une catégorie"

msgctxt "device finished"
msgid "A limit has a scope or a category, not both."
msgstr "une limite porte sur un usage ou une catégorie, pas les deux"

msgctxt "device finished"
msgid "Must not be empty."
msgstr "obligatoire"

msgctxt "device finished"
msgid "Must not contain NUL."
msgstr "ne doit pas contenir de caractère nul"

msgctxt "device finished"
msgid "Must not contain control characters."
msgstr "ne doit pas contenir de caractères de contrôle"

msgctxt "device finished"
msgid "Must not contain invisible characters; found %1."
msgstr "ne doit pas contenir de caractères invisibles ; trouvé : %1"

msgctxt "device finished"
msgid "No column is named \"%1\"; found: %2."
msgstr "aucune colonne ne s’appelle « %1 » ; trouvées : %2"

msgctxt "device finished"
msgid "No column recognised as the %1; found: %2. Use --map COLUMN=%3."
msgstr "aucune colonne reconnue pour %1 ; trouvées : %2. Utilise --map COLONNE=%3"

msgctxt "device finished"
msgid "No such %1: %2."
msgstr "introuvable : %1 %2"

msgctxt "device finished"
msgid "No such group."
msgstr "ce groupe n’existe pas"

msgctxt "device finished"
msgid "No such subscription."
msgstr "cet abonnement n’existe pas"

msgctxt "device finished"
msgid "Not a CSV export of SubTrackr."
msgstr "n’est pas un export CSV de SubTrackr"

msgctxt "device finished"
msgid "Not a JSON export of Wallos."
msgstr "n’est pas un export JSON de Wallos"

msgctxt "device finished"
msgid "Not UTF-8 text. Save the file as UTF-8, and try again."
msgstr "n’est pas en UTF-8 ; enregistre le fichier en UTF-8 et réessaie"

msgctxt "device finished"
msgid "Not in the local catalogue. Run `subguard search` first."
msgstr "service absent du catalogue local : lance `subguard search`"

msgctxt "device finished"
msgid "Parts must not be negative or too large."
msgstr "les parts ne doivent être ni négatives ni trop grandes"

msgctxt "device finished"
msgid "Payers must be members of the group on that day."
msgstr "les payeurs doivent être membres du groupe ce jour-là"

msgctxt "device finished"
msgid "Percentages must add up to 100."
msgstr "la somme des pourcentages doit être égale à 100"

msgctxt "device finished"
msgid "A group expense cannot be split as free."
msgstr "une dépense de groupe ne peut pas être partagée en « free »"

msgctxt "device finished"
msgid "Tags must not be empty or contain a comma."
msgstr "les étiquettes ne doivent être ni vides ni contenir de virgule"

msgctxt "device finished"
msgid "The amount is too large."
msgstr "le montant est trop grand"

msgctxt "device finished"
msgid "The amounts paid must add up to the total."
msgstr "la somme des montants payés doit être égale au total"

msgctxt "device finished"
msgid "The parts exceed the total."
msgstr "les parts dépassent le total"

msgctxt "device finished"
msgid "The subscriptions would include each other."
msgstr "les abonnements s’incluraient l’un l’autre"

msgctxt "device finished"
msgid "This item has no logo."
msgstr "ce service n’a pas de logo"

msgctxt "device finished"
msgid "Twice a month is not supported. Use two monthly subscriptions, or biweekly for every two weeks."
msgstr "« deux fois par mois » n’est pas pris en charge. Crée deux abonnements mensuels, ou choisis biweekly pour toutes les deux semaines"

msgctxt "device finished"
msgid "Unknown section."
msgstr "section inconnue"

msgctxt "device finished"
msgid "%1 suggestions are already queued."
msgstr "%1 suggestions sont déjà en attente"

msgctxt "device finished"
msgid "Must be the address of a server, such as https://subguard.example."
msgstr "doit être l’adresse d’un serveur, telle que https://subguard.example"

msgctxt "device finished"
msgid "Must begin with https://."
msgstr "doit commencer par https://"

msgctxt "device finished"
msgid "Must begin with https://; http:// is allowed for this machine only."
msgstr "doit commencer par https:// ; http:// n’est accepté que pour cette machine"

msgctxt "device finished"
msgid "Must have a port from 1 to 65535."
msgstr "doit avoir un port de 1 à 65535"

msgctxt "device finished"
msgid "Must have no user name, query or fragment."
msgstr "ne doit avoir ni nom d’utilisateur, ni requête, ni fragment"

msgctxt "device finished"
msgid "Must use a host name or an IPv4 address; IPv6 literals are not supported."
msgstr "doit utiliser un nom d’hôte ou une adresse IPv4 ; les littéraux IPv6 ne sont pas pris en charge"

msgctxt "device finished"
msgid "Error: %1"
msgstr "Erreur : %1"

msgctxt "device finished"
msgid "Usage: %1"
msgstr "Utilisation : %1"

msgctxt "device finished"
msgid "  See '%1' for more information."
msgstr "  Pour en savoir plus : %1"

msgctxt "device finished"
msgid "Missing expected argument '%1'"
msgstr "argument obligatoire : %1"

msgctxt "device finished"
msgid "Missing expected arguments: %1"
msgstr "arguments obligatoires : %1"

msgctxt "device finished"
msgid "Missing value for '%1'"
msgstr "valeur manquante pour %1"

msgctxt "device finished"
msgid "The value '%1' is invalid for '%2'"
msgstr "la valeur « %1 » n’est pas valable pour %2"

msgctxt "device finished"
msgid "The value '%1' is invalid for '%2'. Please provide one of %3."
msgstr "la valeur « %1 » n’est pas valable pour %2 ; valeurs possibles : %3"

msgctxt "device finished"
msgid "The value '%1' is invalid for '%2'. Please provide one of the following:"
msgstr "la valeur « %1 » n’est pas valable pour %2 ; valeurs possibles :"

msgctxt "device finished"
msgid "'%1' or '%2'"
msgstr "'%1' ou '%2'"

msgctxt "device finished"
msgid "'%1' and '%2'"
msgstr "'%1' et '%2'"

msgctxt "device finished"
msgid "Unknown command '%1'"
msgstr "commande inconnue : %1"

msgctxt "device finished"
msgid "Unknown command '%1'. Did you mean '%2'?"
msgstr "commande inconnue : %1 ; voulais-tu dire %2 ?"

msgctxt "device finished"
msgid "Unexpected argument '%1'"
msgstr "argument inattendu : %1"

msgctxt "device finished"
msgid "%1 unexpected arguments: %2"
msgstr "%1 arguments inattendus : %2"

msgctxt "device finished"
msgid "the year must be from 1900 to 2199"
msgstr "l’année doit être comprise entre 1900 et 2199"

msgctxt "device finished"
msgid "Unknown option '%1'"
msgstr "option inconnue : %1"

msgctxt "device finished"
msgid "Unknown option '%1'. Did you mean '%2'?"
msgstr "option inconnue : %1 ; voulais-tu dire %2 ?"

msgctxt "device finished"
msgid "--days cannot be combined with --from and --to"
msgstr "--days ne se combine pas avec --from et --to"

msgctxt "device finished"
msgid "--from and --to must be given together"
msgstr "--from et --to vont ensemble"

msgctxt "device finished"
msgid "--days must be from 0 to 3660"
msgstr "--days doit être compris entre 0 et 3660"

msgctxt "device finished"
msgid "--from must not be after --to"
msgstr "--from ne doit pas être après --to"

msgctxt "device finished"
msgid "occurrences cannot be combined with --all or --until"
msgstr "les échéances nommées ne se combinent pas avec --all ou --until"

msgctxt "device finished"
msgid "--all cannot be combined with --until"
msgstr "--all ne se combine pas avec --until"

msgctxt "device finished"
msgid "an occurrence, --all or --until is required"
msgstr "une échéance, --all ou --until est obligatoire"

msgctxt "device finished"
msgid "--from and --to must be at most 100 years apart"
msgstr "--from et --to doivent être à 100 ans d’écart au plus"

msgctxt "device finished"
msgid "--at must be a time such as 09:00"
msgstr "--at doit être une heure telle que 09:00"

msgctxt "device finished"
msgid "--quiet must be two times such as 22:00-08:00"
msgstr "--quiet doit être deux heures telles que 22:00-08:00"

msgctxt "device finished"
msgid "--limit must be from 1 to 500"
msgstr "--limit doit être compris entre 1 et 500"

msgctxt "device finished"
msgid "--months must be from 1 to 120"
msgstr "--months doit être compris entre 1 et 120"

msgctxt "device finished"
msgid "--map must be COLUMN=field; fields: %1"
msgstr "--map doit être COLONNE=champ ; champs : %1"

msgctxt "device finished"
msgid "--between and --parts cannot be combined"
msgstr "--between et --parts ne se combinent pas"

msgctxt "device finished"
msgid "--split %1 requires --parts"
msgstr "--split %1 nécessite --parts"

msgctxt "device finished"
msgid "--split %1 does not take --parts"
msgstr "--split %1 n’accepte pas --parts"

msgctxt "device finished"
msgid "no such subscription: %1"
msgstr "abonnement introuvable : %1"

msgctxt "device finished"
msgid "no such occurrence: %1"
msgstr "échéance introuvable : %1"

msgctxt "device finished"
msgid "no such person: %1"
msgstr "personne introuvable : %1"

msgctxt "device finished"
msgid "no such group: %1"
msgstr "groupe introuvable : %1"

msgctxt "device finished"
msgid "no such expense: %1"
msgstr "dépense introuvable : %1"

msgctxt "device finished"
msgid "no such receipt: %1"
msgstr "justificatif introuvable : %1"

msgctxt "device finished"
msgid "a receipt is damaged"
msgstr "un justificatif est endommagé"

msgctxt "device finished"
msgid "Nothing has this name or id."
msgstr "rien ne porte ce nom ni cet identifiant"

msgctxt "device finished"
msgid "Several have this name."
msgstr "plusieurs portent ce nom"

msgctxt "device finished"
msgid "Must be base64."
msgstr "doit être en base64"

msgctxt "device finished"
msgid "Must be that of the content."
msgstr "doit être celui du contenu"

msgctxt "device finished"
msgid "Must be a JPEG, PNG, WebP or PDF file."
msgstr "doit être un fichier JPEG, PNG, WebP ou PDF"

msgctxt "device finished"
msgid "Must have at most %1 MiB."
msgstr "doit faire %1 Mio au plus"

msgctxt "device finished"
msgid "There are %1 receipts already."
msgstr "il y a déjà %1 justificatifs"

msgctxt "device finished"
msgid "All receipts together may have %1 MiB."
msgstr "tous les justificatifs ensemble peuvent faire %1 Mio"

msgctxt "device finished"
msgid "There is such a file already."
msgstr "ce fichier existe déjà"

msgctxt "device finished"
msgid "no such transaction: %1"
msgstr "transaction introuvable : %1"

msgctxt "device finished"
msgid "no such budget: %1"
msgstr "budget introuvable : %1"

msgctxt "device finished"
msgid "no such price: %1"
msgstr "prix introuvable : %1"

msgctxt "device finished"
msgid "subscription %1 already exists"
msgstr "l’abonnement %1 existe déjà"

msgctxt "device finished"
msgid "ambiguous id %1: give more characters"
msgstr "identifiant %1 ambigu : donne plus de caractères"

msgctxt "device finished"
msgid "the free version is limited to %1 subscriptions; more require premium"
msgstr "La version gratuite est limitée à %1 abonnements ; au-delà, il faut Premium."

msgctxt "device finished"
msgid "premium is bought in the App Store, or given by the operator of your server: run subguard sync"
msgstr "Premium s’achète dans l’App Store, ou l’exploitant de ton serveur le donne : lance subguard sync"

msgctxt "device finished"
msgid "custom categories require premium"
msgstr "les catégories personnalisées nécessitent Premium"

msgctxt "device finished"
msgid "this export requires premium; JSON export and backup are free"
msgstr "cet export nécessite Premium ; l’export JSON et la sauvegarde sont gratuits"

msgctxt "device finished"
msgid "1 row cannot be imported; nothing was imported"
msgstr "1 ligne non importable ; rien n’a été importé"

msgctxt "device finished"
msgid "%1 rows cannot be imported; nothing was imported"
msgstr "%1 lignes non importables ; rien n’a été importé"

msgctxt "device finished"
msgid "invalid backup: %1"
msgstr "sauvegarde invalide : %1"

msgctxt "device finished"
msgid "not a JSON object"
msgstr "ce n’est pas un objet JSON"

msgctxt "device finished"
msgid "not a SubGuard backup"
msgstr "ce n’est pas une sauvegarde de SubGuard"

msgctxt "device finished"
msgid "no version"
msgstr "version absente"

msgctxt "device finished"
msgid "no tables"
msgstr "tables absentes"

msgctxt "device finished"
msgid "wrong checksum"
msgstr "somme de contrôle incorrecte"

msgctxt "device finished"
msgid "a table has no name"
msgstr "une table n’a pas de nom"

msgctxt "device finished"
msgid "duplicate table %1"
msgstr "table %1 en double"

msgctxt "device finished"
msgid "table %1 has no rows"
msgstr "la table %1 n’a pas de lignes"

msgctxt "device finished"
msgid "table %1 has no key"
msgstr "la table %1 n’a pas de clé"

msgctxt "device finished"
msgid "table %1, row %2: malformed"
msgstr "table %1, ligne %2 : mal formée"

msgctxt "device finished"
msgid "table %1, row %2, %3: malformed"
msgstr "table %1, ligne %2, %3 : mal formé"

msgctxt "device finished"
msgid "table %1, row %2: breaks a rule"
msgstr "table %1, ligne %2 : contraire aux règles"

msgctxt "device finished"
msgid "table %1, row %2, %3: breaks a rule"
msgstr "table %1, ligne %2, %3 : contraire aux règles"

msgctxt "device finished"
msgid "table %1: a row breaks a rule"
msgstr "table %1 : une ligne est contraire aux règles"

msgctxt "device finished"
msgid "table %1: a timestamp is malformed"
msgstr "table %1 : un horodatage est mal formé"

msgctxt "device finished"
msgid "table %1, “%2”, %3: %4"
msgstr "table %1, « %2 », %3 : %4"

msgctxt "device finished"
msgid "table %1, “%2”: %3"
msgstr "table %1, « %2 » : %3"

msgctxt "device finished"
msgid "table %1, %2: %3"
msgstr "table %1, %2 : %3"

msgctxt "device finished"
msgid "table %1: %2"
msgstr "table %1 : %2"

msgctxt "device finished"
msgid "malformed %1"
msgstr "%1 mal formé"

msgctxt "device finished"
msgid "The amount is out of range."
msgstr "le montant est hors limites"

msgctxt "device finished"
msgid "table %1 refers to a missing row"
msgstr "la table %1 renvoie à une ligne absente"

msgctxt "device finished"
msgid "table %1 refers to a missing subscription"
msgstr "la table %1 renvoie à un abonnement absent"

msgctxt "device finished"
msgid "truncated file"
msgstr "fichier tronqué"

msgctxt "device finished"
msgid "invalid header"
msgstr "en-tête invalide"

msgctxt "device finished"
msgid "the encrypted data is damaged"
msgstr "les données chiffrées sont endommagées"

msgctxt "device finished"
msgid "wrong passphrase"
msgstr "phrase secrète incorrecte"

msgctxt "device finished"
msgid "the backup is not sealed, although a passphrase is given; nothing was changed"
msgstr "la sauvegarde n’est pas chiffrée, alors qu’un fichier de phrase secrète est donné ; rien n’a été modifié"

msgctxt "device finished"
msgid "an encrypted backup requires a passphrase"
msgstr "une sauvegarde chiffrée nécessite une phrase secrète"

msgctxt "device finished"
msgid "the database was made by a build before 0.1.0; nothing was changed. Make a backup with that build, move the database away and restore the backup with this one"
msgstr "la base vient d’une version antérieure à 0.1.0 ; rien n’a été changé. Faites une sauvegarde avec cette version, déplacez la base et restaurez la sauvegarde avec celle-ci"

msgctxt "device finished"
msgid "the store's clock is at its end; run `subguard repair clock`"
msgstr "l’horloge de la base est à sa fin ; lancez `subguard repair clock`"

msgctxt "device finished"
msgid "%1 is empty, although there are backups; nothing was changed. To bring back the newest: subguard restore %2"
msgstr "%1 est vide, alors qu’il existe des sauvegardes ; rien n’a été changé. Pour reprendre la plus récente : subguard restore %2"

msgctxt "device finished"
msgid "Must be another database."
msgstr "doit être une autre base"

msgctxt "device finished"
msgid "%1 was written by a newer version of SubGuard"
msgstr "%1 vient d’une version plus récente de SubGuard"

msgctxt "device finished"
msgid "the database"
msgstr "la base"

msgctxt "device finished"
msgid "the backup"
msgstr "la sauvegarde"

msgctxt "device finished"
msgid "the file"
msgstr "le fichier"

msgctxt "device finished"
msgid "the reminder was not delivered: %1"
msgstr "le rappel n’a pas été transmis : %1"

msgctxt "device finished"
msgid "%1 of %2 reminders not delivered: %3"
msgstr "rappels non transmis, %1 sur %2 : %3"

msgctxt "device finished"
msgid "%1 exited with status %2"
msgstr "%1 s’est terminé avec le statut %2"

msgctxt "device finished"
msgid "%1 was stopped after %2 seconds"
msgstr "%1 a été arrêté après %2 secondes"

msgctxt "device finished"
msgid "cannot start %1: %2"
msgstr "impossible de lancer %1 : %2"

msgctxt "device finished"
msgid "not found on PATH"
msgstr "absent de PATH"

msgctxt "device finished"
msgid "%1 is not set"
msgstr "%1 n’est pas défini"

msgctxt "device finished"
msgid "%1 is invalid"
msgstr "%1 n’est pas valide"

msgctxt "device finished"
msgid "mail is not available on this system"
msgstr "le courrier n’est pas disponible sur ce système"

msgctxt "device finished"
msgid "another remind is running"
msgstr "un autre remind est en cours"

msgctxt "device finished"
msgid "the mail server refused the message: %1"
msgstr "le serveur de courrier a refusé le message : %1"

msgctxt "device finished"
msgid "the mail server cannot be reached: %1"
msgstr "le serveur de courrier est injoignable : %1"

msgctxt "device finished"
msgid "%1 (status %2)"
msgstr "%1 (statut %2)"

msgctxt "device finished"
msgid "Couldn't connect to server"
msgstr "connexion impossible"

msgctxt "device finished"
msgid "Could not connect to server"
msgstr "connexion impossible"

msgctxt "device finished"
msgid "Timeout was reached"
msgstr "délai dépassé"

msgctxt "device finished"
msgid "Couldn't resolve host name"
msgstr "nom d’hôte introuvable"

msgctxt "device finished"
msgid "Could not resolve hostname"
msgstr "nom d’hôte introuvable"

msgctxt "device finished"
msgid "SSL connect error"
msgstr "échec de la connexion TLS"

msgctxt "device finished"
msgid "SSL peer certificate or SSH remote key was not OK"
msgstr "certificat du serveur refusé"

msgctxt "device finished"
msgid "Failure when receiving data from the peer"
msgstr "échec de la réception"

msgctxt "device finished"
msgid "Failed sending data to the peer"
msgstr "échec de l’envoi"

msgctxt "device finished"
msgid "Login denied"
msgstr "identification refusée"

msgctxt "device finished"
msgid "Server returned nothing (no headers, no data)"
msgstr "aucune réponse du serveur"

msgctxt "device finished"
msgid "Weird server reply"
msgstr "réponse inattendue du serveur"

msgctxt "device finished"
msgid "Requested SSL level failed"
msgstr "le serveur n’accepte pas TLS"

msgctxt "device finished"
msgid "nothing to redo"
msgstr "rien à rétablir"

msgctxt "device finished"
msgid "cancelled; nothing was changed"
msgstr "interrompu ; rien n’a changé"

msgctxt "device finished"
msgid "file not found: %1"
msgstr "fichier introuvable : %1"

msgctxt "device finished"
msgid "cannot read %1: %2"
msgstr "lecture impossible : %1 : %2"

msgctxt "device finished"
msgid "cannot write %1: %2"
msgstr "écriture impossible : %1 : %2"

msgctxt "device finished"
msgid "port %1 on %2 is in use by another program"
msgstr "le port %1 sur %2 est utilisé par un autre programme"

msgctxt "device finished"
msgid "port %1 on %2 is in use by %3, process %4"
msgstr "le port %1 sur %2 est utilisé par %3, processus %4"

msgctxt "device finished"
msgid "port %1 on %2 is in use by a program of the user %3"
msgstr "le port %1 sur %2 est utilisé par un programme de l’utilisateur %3"

msgctxt "device finished"
msgid "cannot create %1"
msgstr "création impossible : %1"

msgctxt "device finished"
msgid "%1 is too large"
msgstr "%1 est trop grand"

msgctxt "device finished"
msgid "%1 is read-only: %2"
msgstr "%1 est en lecture seule : %2"

msgctxt "device finished"
msgid "database error: %1"
msgstr "erreur de la base : %1"

msgctxt "device finished"
msgid "server unreachable: %1"
msgstr "serveur injoignable : %1"

msgctxt "device finished"
msgid "connection refused"
msgstr "connexion refusée"

msgctxt "device finished"
msgid "host not found"
msgstr "hôte introuvable"

msgctxt "device finished"
msgid "no network connection"
msgstr "aucune connexion réseau"

msgctxt "device finished"
msgid "TLS handshake failed"
msgstr "échec de la négociation TLS"

msgctxt "device finished"
msgid "not an HTTP server"
msgstr "ce n’est pas un serveur HTTP"

msgctxt "device finished"
msgid "invalid response"
msgstr "réponse invalide"

msgctxt "device finished"
msgid "connection lost"
msgstr "connexion interrompue"

msgctxt "device finished"
msgid "timed out"
msgstr "délai dépassé"

msgctxt "device finished"
msgid "invalid address"
msgstr "adresse invalide"

msgctxt "device finished"
msgid "certificate not trusted: %1"
msgstr "certificat non fiable : %1"

msgctxt "device finished"
msgid "unknown certificate authority"
msgstr "autorité de certification inconnue"

msgctxt "device finished"
msgid "self-signed certificate"
msgstr "certificat auto-signé"

msgctxt "device finished"
msgid "issued for another host"
msgstr "émis pour un autre hôte"

msgctxt "device finished"
msgid "expired, or this device's clock is wrong"
msgstr "expiré, ou l’horloge de cet appareil est fausse"

msgctxt "device finished"
msgid "not valid yet, or this device's clock is wrong"
msgstr "pas encore valable, ou l’horloge de cet appareil est fausse"

msgctxt "device finished"
msgid "certificate revoked"
msgstr "certificat révoqué"

msgctxt "device finished"
msgid "the server responded with status %1: %2"
msgstr "le serveur a répondu avec le statut %1 : %2"

msgctxt "device finished"
msgid "no reason given"
msgstr "sans motif"

msgctxt "device finished"
msgid "cannot read the server's response to %1"
msgstr "réponse illisible à %1"

msgctxt "device finished"
msgid "the server redirects to another address; redirects are not followed"
msgstr "le serveur renvoie vers une autre adresse ; les redirections ne sont pas suivies"

msgctxt "device finished"
msgid "cancelled"
msgstr "interrompu"

msgctxt "device finished"
msgid "not signed in to this server"
msgstr "non connecté à ce serveur"

msgctxt "device finished"
msgid "the session has expired; sign in again"
msgstr "la session a expiré ; reconnecte-toi"

msgctxt "device finished"
msgid "another process is syncing"
msgstr "une autre synchronisation est en cours"

msgctxt "device finished"
msgid "%1 is not a regular file; remove it"
msgstr "%1 n’est pas un fichier ordinaire ; supprime-le"

msgctxt "device finished"
msgid "the sync took too long; the rest is sent with the next one"
msgstr "la synchronisation a duré trop longtemps ; le reste partira avec la prochaine"

msgctxt "device finished"
msgid "more is queued than one sync sends; the next sync continues"
msgstr "la file dépasse ce qu’envoie une synchronisation ; la prochaine continuera"

msgctxt "device finished"
msgid "%1 can be read by other users; run chmod 600 on it, or sign out"
msgstr "%1 est lisible par d’autres utilisateurs ; lance chmod 600 dessus, ou déconnecte-toi"

msgctxt "device finished"
msgid "%1 is not a regular file that you own"
msgstr "%1 n’est pas un fichier ordinaire qui t’appartient"

msgctxt "device finished"
msgid "%1 is damaged; sign out and in again"
msgstr "%1 est endommagé ; déconnecte-toi puis reconnecte-toi"

msgctxt "device finished"
msgid "%1 on %2 is no new price yet: it was charged once."
msgstr "%1 le %2 n’est pas encore un nouveau prix : prélevé une seule fois."

msgctxt "device finished"
msgid "Of the charge of %1, %2 came back."
msgstr "Sur le prélèvement du %1, %2 ont été remboursés."

msgctxt "device finished"
msgid "The workbook is damaged: it names the sheet %1 and does not have it."
msgstr "le classeur est endommagé : il nomme la feuille %1 et ne l’a pas"

msgctxt "device finished"
msgid "The workbook has no filled cell."
msgstr "le classeur n’a aucune cellule remplie"

msgctxt "device finished"
msgid "No split begins on that day."
msgstr "Aucun partage ne commence ce jour-là."

msgctxt "device finished"
msgid "--remove cannot be combined with other options"
msgstr "--remove ne va pas avec d’autres options"

msgctxt "device finished"
msgid "Must be at most %1: there are no more changes."
msgstr "Doit être au plus %1 : il n’y a pas d’autre modification."

msgctxt "device finished"
msgid "Must be at least %1."
msgstr "Doit être au moins %1."

msgctxt "device finished"
msgid "The euro needs no rate: all others are given for one euro."
msgstr "L’euro n’a pas besoin de taux : les autres sont donnés pour un euro."

"""##
}
