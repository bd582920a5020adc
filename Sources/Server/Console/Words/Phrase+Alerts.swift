import Backend
import SubGuardDomain

/// Alert rules, thresholds, channels and deliveries.
extension Phrase {
    static let alerts = Phrase("Alerts", "Alertes")
    static let alertsLead = Phrase(
        "Messages when a figure crosses a value, or when a number of users is reached.",
        "Messages quand un chiffre franchit une valeur, ou qu’un nombre d’utilisateurs est atteint.")

    // Rules.
    static let alertRules = Phrase("Rules", "Règles")
    static let alertNewRule = Phrase("New rule", "Nouvelle règle")
    static let alertRule = Phrase("Rule", "Règle")
    static let alertCondition = Phrase("Fires when", "Se déclenche si")
    static let alertState = Phrase("State", "État")
    static let alertValueNow = Phrase("Now", "Actuellement")
    static let alertSince = Phrase("since %1", "depuis le %1")
    static let alertMutedUntil = Phrase("muted until %1", "en sourdine jusqu’au %1")
    static let alertPending = Phrase("not measured yet", "pas encore mesurée")
    static let alertOK = Phrase("quiet", "calme")
    static let alertFiring = Phrase("fires", "déclenchée")
    static let alertNoRules = Phrase("No rules yet", "Aucune règle pour l’instant")
    static let alertNoRulesHint = Phrase(
        "A rule watches a figure, such as crash-free sessions below 99.5% in the last 24 hours.",
        "Une règle surveille un chiffre, par exemple les sessions sans plantage sous 99,5 % sur les dernières 24 heures."
    )
    static let alertBelow = Phrase("%1 below %2", "%1 sous %2")
    static let alertAbove = Phrase("%1 above %2", "%1 au-dessus de %2")
    static let alertFallsBy = Phrase("%1 down by %2 or more", "%1 en baisse de %2 ou plus")
    static let alertRisesBy = Phrase("%1 up by %2 or more", "%1 en hausse de %2 ou plus")
    static let alertInLast = Phrase("%1 in the last %2", "%1 sur %2")
    static let alertAgainst = Phrase("%1 in %2 against the %2 before", "%1 sur %2 par rapport aux %2 d’avant")
    static let alertHours = Phrase("%1 h", "%1 h")
    static let alertDays = Phrase("%1 days", "%1 jours")
    static let alertOneDay = Phrase("%1 day", "%1 jour")

    // The form.
    static let alertName = Phrase("Name", "Nom")
    static let alertFigure = Phrase("Figure", "Chiffre")
    static let alertComparison = Phrase("Comparison", "Comparaison")
    static let alertLimit = Phrase("Value", "Valeur")
    static let alertLimitHint = Phrase(
        "Percent for crash-free sessions, storage, and changes.",
        "En pour cent pour les sessions sans plantage, le stockage et les variations.")
    static let alertWindow = Phrase("Window", "Fenêtre")
    static let alertWindowHint = Phrase(
        "Hours or days that end now, such as 24h or 7d. Active users: 7d or 30d. Accepted events: at most 6h. Storage: "
            + "none.",
        "Heures ou jours jusqu’à maintenant, par exemple 24h ou 7d. Utilisateurs actifs : 7d ou 30d. Événements acceptés : "
            + "au plus 6h. Stockage : aucune.")
    static let alertSample = Phrase("Minimum sample", "Échantillon minimum")
    static let alertSampleHint = Phrase(
        "With fewer sessions or users, the state stays as it is.",
        "Avec moins de sessions ou d’utilisateurs, l’état reste tel quel.")
    static let alertMute = Phrase("Muted until", "En sourdine jusqu’au")
    static let alertMuteHint = Phrase(
        "In UTC. Until then no message is sent.", "En UTC. D’ici là, aucun message n’est envoyé.")
    static let alertSave = Phrase("Save rule", "Enregistrer la règle")
    static let alertPreviewButton = Phrase("Preview", "Aperçu")
    static let alertDelete = Phrase("Delete…", "Supprimer…")
    static let alertFigureUsers = Phrase("New users", "Nouveaux utilisateurs")
    static let alertFigureActive = Phrase("Active users", "Utilisateurs actifs")
    static let alertFigureDownloads = Phrase("Downloads", "Téléchargements")
    static let alertFigureConversions = Phrase("Premium conversions", "Passages à Premium")
    static let alertFigureCrashFree = Phrase("Crash-free sessions", "Sessions sans plantage")
    static let alertFigureEvents = Phrase("Accepted events", "Événements acceptés")
    static let alertFigureFailed = Phrase("Failed deliveries", "Livraisons échouées")
    static let alertFigureStorage = Phrase("Storage in use", "Stockage utilisé")
    static let alertFigureSinkLag = Phrase("Event sink lag in seconds", "Retard de l’historique en secondes")
    static let alertIsBelow = Phrase("below", "inférieur à")
    static let alertIsAbove = Phrase("above", "supérieur à")
    static let alertDoesFall = Phrase("falls by (percent)", "baisse de (pour cent)")
    static let alertDoesRise = Phrase("rises by (percent)", "augmente de (pour cent)")
    static let alertSaved = Phrase("The rule is saved.", "La règle est enregistrée.")
    static let alertDeleted = Phrase("The rule was deleted.", "La règle a été supprimée.")
    static let alertRecovers = Phrase("Recovers at", "Se rétablit à")
    static let alertEvaluated = Phrase("Evaluated", "Évaluée le")
    static let alertMeasuredSample = Phrase("Sample", "Échantillon")
    static let alertMuteFor = Phrase("Mute", "Sourdine")
    static let alertMuteHour = Phrase("for 1 hour", "1 heure")
    static let alertMuteDay = Phrase("for 1 day", "1 jour")
    static let alertMuteWeek = Phrase("for 7 days", "7 jours")
    static let alertUnmute = Phrase("End muting", "Lever la sourdine")
    static let alertDeleteRule = Phrase("Delete the rule “%1”?", "Supprimer la règle « %1 » ?")
    static let alertDeleteRuleLead = Phrase(
        "No message is sent, even if the rule fires now. Messages that wait are still delivered. This cannot be undone.",
        "Aucun message n’est envoyé, même si la règle est déclenchée. Les messages en attente partent encore. C’est "
            + "irréversible.")
    static let alertDeleteButton = Phrase("Delete rule", "Supprimer la règle")

    // Preview.
    static let alertPreview = Phrase("What it would have done", "Ce qu’elle aurait fait")
    static let alertPreviewNever = Phrase(
        "It would not have fired in the last %1.", "Sur %1, elle ne se serait pas déclenchée.")
    static let alertPreviewOnce = Phrase(
        "It would have fired once in the last %1.", "Sur %1, elle se serait déclenchée une fois.")
    static let alertPreviewOften = Phrase(
        "It would have fired %2 times in the last %1.", "Sur %1, elle se serait déclenchée %2 fois.")
    static let alertPreviewDays = Phrase(
        "Measured at the end of each day and now, as far back as data is stored. Muting is ignored.",
        "Mesuré à la fin de chaque jour et maintenant, aussi loin que des données sont conservées. La sourdine est "
            + "ignorée.")
    static let alertPreviewHours = Phrase(
        "Measured at the end of each hour and now, as far back as data is stored. Muting is ignored.",
        "Mesuré à la fin de chaque heure et maintenant, aussi loin que des données sont conservées. La sourdine est "
            + "ignorée.")
    static let alertPreviewNoPast = Phrase(
        "The past of this figure is not stored. Now it is %1; the rule would %2.",
        "Le passé de ce chiffre n’est pas conservé. Il vaut actuellement %1 ; la règle %2.")
    static let alertPreviewNothing = Phrase(
        "The past of this figure is not stored, and it has no value now; the rule would %1.",
        "Le passé de ce chiffre n’est pas conservé, et il n’a pas de valeur actuellement ; la règle %1.")
    static let alertWouldFire = Phrase("fire", "se déclencherait")
    static let alertWouldNotFire = Phrase("not fire", "ne se déclencherait pas")
    static let alertPreviewEmpty = Phrase(
        "Fill in figure, comparison, value and window to see when the rule would have fired.",
        "Remplis chiffre, comparaison, valeur et fenêtre pour voir quand la règle se serait déclenchée.")
    static let alertFiredOn = Phrase("Would have fired", "Se serait déclenchée")
    static let alertRecoveredOn = Phrase("Would have recovered", "Se serait rétablie")
    static let alertPreviewSummary = Phrase(
        "%1 from %2 to %3, compared with %4.", "%1 du %2 au %3, comparé à %4.")
    static let alertMoreCrossings = Phrase("%1 earlier ones are not listed.", "%1 plus anciennes ne sont pas listées.")
    static let alertWhen = Phrase("When", "Quand")

    // Thresholds.
    static let alertThresholds = Phrase("Thresholds", "Seuils")
    static let alertThresholdsLead = Phrase(
        "Numbers of users, each announced once, ever.", "Nombres d’utilisateurs, chacun annoncé une seule fois.")
    static let alertThresholdUsers = Phrase("Users", "Utilisateurs")
    static let alertThresholdFired = Phrase("reached on %1 with %2 users", "atteint le %1 avec %2 utilisateurs")
    static let alertThresholdNotSent = Phrase(
        "not sent: no channel is configured; waits for one until %1",
        "non envoyé : aucun canal n’est configuré ; en attend un jusqu’au %1")
    static let alertThresholdWaits = Phrase("not reached yet", "pas encore atteint")
    static let alertThresholdRemoved = Phrase("no longer in the list", "retiré de la liste")
    static let alertEditThresholds = Phrase("Edit thresholds", "Modifier les seuils")
    static let alertThresholdsHint = Phrase(
        "One number on each line. One that is reached and never fired fires at once; one that has fired stays silent.",
        "Un nombre par ligne. Un seuil déjà atteint et jamais annoncé l’est aussitôt ; un seuil annoncé reste muet.")
    static let alertSaveThresholds = Phrase("Save thresholds", "Enregistrer les seuils")
    static let alertThresholdsSaved = Phrase("The thresholds are saved.", "Les seuils sont enregistrés.")
    static let alertNoThresholds = Phrase("No thresholds.", "Aucun seuil.")

    // Channels.
    static let alertChannels = Phrase("Channels", "Canaux")
    static let alertChannel = Phrase("Channel", "Canal")
    static let alertTarget = Phrase("Receiver", "Destinataire")
    static let alertInUse = Phrase("in use", "actif")
    static let alertDisabled = Phrase("disabled since %1: %2", "désactivé depuis le %1 : %2")
    static let alertTest = Phrase("Send a test", "Envoyer un test")
    static let alertTestOf = Phrase("Send a test through %1", "Envoyer un test par %1")
    static let alertTestAll = Phrase("Test all channels", "Tester tous les canaux")
    static let alertTested = Phrase(
        "The test is queued; the log below shows its state.",
        "Le test est en file ; le journal ci-dessous montre son état.")
    static let alertNoChannels = Phrase("No channel is configured", "Aucun canal n’est configuré")
    static let alertNoChannelsHint = Phrase(
        "Set alerts_slack_webhook_url, alerts_smtp_url or alerts_webhook_url and restart the server.",
        "Définis alerts_slack_webhook_url, alerts_smtp_url ou alerts_webhook_url et redémarre le serveur.")
    static let alertSlack = Phrase("Slack", "Slack")
    static let alertEmail = Phrase("E-mail", "E-mail")
    static let alertWebhook = Phrase("Webhook", "Webhook")

    // Deliveries.
    static let alertDeliveries = Phrase("Delivery log", "Journal des envois")
    static let alertMessage = Phrase("Message", "Message")
    static let alertCreated = Phrase("Created", "Créé le")
    static let alertAttempts = Phrase("Attempts", "Tentatives")
    static let alertNoDeliveries = Phrase("Nothing was sent yet.", "Rien n’a encore été envoyé.")
    static let alertIsPending = Phrase("queued", "en file")
    static let alertIsDelivered = Phrase("delivered", "livré")
    static let alertIsRetrying = Phrase("retrying", "nouvel essai")
    static let alertIsDead = Phrase("given up", "abandonné")
    static let alertNextAttempt = Phrase("next attempt %1", "prochain essai le %1")
    static let alertResend = Phrase("Resend", "Renvoyer")
    static let alertResendOf = Phrase("Resend: %1, %2", "Renvoyer : %1, %2")
    static let alertResent = Phrase("It is queued again.", "Il est à nouveau en file.")
    static let alertSubjectThreshold = Phrase("%1 users reached", "%1 utilisateurs atteints")
    static let alertSubjectTest = Phrase("Test message", "Message de test")
    static let alertSubjectStorage = Phrase("Storage nearly full", "Stockage presque plein")
    static let alertSubjectFull = Phrase("Storage full", "Stockage plein")
    static let alertSubjectDigest = Phrase("Digest", "Récapitulatif")
    static let alertSubjectFires = Phrase("%1: fires", "%1 : déclenchée")
    static let alertSubjectRecovered = Phrase("%1: recovered", "%1 : rétablie")

    /// What alert rules refuse. The English side is the sentence of the API.
    static let alertFaultSentences = [
        Phrase("Must be at most 100: it is a percentage.", "Doit être au plus 100 : c’est un pourcentage."),
        Phrase(
            "Must be under 100 for above: it is a percentage.",
            "Doit être inférieur à 100 pour above : c’est un pourcentage."),
        Phrase("Must be above 0 for %1.", "Doit être supérieur à 0 pour %1."),
        Phrase("Must be given for %1.", "À renseigner pour %1."),
        Phrase("Must not be given for %1, which has no window.", "À laisser vide pour %1, qui n’a pas de fenêtre."),
        Phrase("Must be at most %1h for this figure and comparison.", "Doit être au plus %1h pour ce choix."),
        Phrase("Must be below or above for %1.", "Doit être inférieur ou supérieur pour %1."),
        Phrase("Must be 0 for %1, which has no sample.", "Doit être 0 pour %1, qui n’a pas d’échantillon."),
        Phrase(
            "Must be hours or days from 1h to 30d, such as 24h or 7d.",
            "Doit être en heures ou jours, de 1h à 30d, par exemple 24h ou 7d."),
        Phrase("Must be 7d for %1.", "Doit être 7d pour %1."),
        Phrase("Must be 7d or 30d for %1.", "Doit être 7d ou 30d pour %1."),
        Phrase(
            "Must be from 0 to %1, with at most three decimals and no exponent.",
            "Doit être compris entre 0 et %1, avec au plus trois décimales et sans exposant."),
        Phrase("Another rule has this name.", "Une règle porte déjà ce nom."),
        Phrase("There are %1 rules already.", "Il y a déjà %1 règles."),
        Phrase("The channel %1 is not configured.", "Le canal %1 n’est pas configuré."),
        Phrase(
            "The users who reached this threshold were discarded; it may fire once more.",
            "Les utilisateurs qui ont atteint ce seuil ont été écartés ; il peut se déclencher à nouveau."),
        Phrase(
            "The delivery is being sent at this moment.", "L’envoi est en cours en ce moment."),
    ]
}

extension ConsoleWords {
    /// The name of the list of thresholds, for the page of a lost race.
    package var thresholds: String { self[.alertThresholds] }

    func phrase(_ figure: AlertFigure) -> Phrase {
        switch figure {
        case .users: .alertFigureUsers
        case .activeUsers: .alertFigureActive
        case .downloads: .alertFigureDownloads
        case .conversions: .alertFigureConversions
        case .crashFreeSessions: .alertFigureCrashFree
        case .events: .alertFigureEvents
        case .failedDeliveries: .alertFigureFailed
        case .storagePercent: .alertFigureStorage
        case .eventSinkLag: .alertFigureSinkLag
        }
    }

    func phrase(_ comparison: AlertComparison) -> Phrase {
        switch comparison {
        case .below: .alertIsBelow
        case .above: .alertIsAbove
        case .fallsBy: .alertDoesFall
        case .risesBy: .alertDoesRise
        }
    }

    func name(_ state: AlertRule.State) -> String {
        switch state {
        case .pending: self[.alertPending]
        case .ok: self[.alertOK]
        case .firing: self[.alertFiring]
        }
    }

    func name(_ channel: AlertChannel) -> String {
        switch channel {
        case .slack: self[.alertSlack]
        case .email: self[.alertEmail]
        case .webhook: self[.alertWebhook]
        }
    }

    func name(_ state: AlertDelivery.State) -> String {
        switch state {
        case .pending: self[.alertIsPending]
        case .delivered: self[.alertIsDelivered]
        case .retrying: self[.alertIsRetrying]
        case .dead: self[.alertIsDead]
        }
    }

    /// What a delivery says.
    func name(_ subject: AlertDelivery.Subject) -> String {
        switch subject {
        case .threshold(let users, _): text(.alertSubjectThreshold, number(users))
        case .test: self[.alertSubjectTest]
        case .storage(let notice): self[notice.level == .full ? .alertSubjectFull : .alertSubjectStorage]
        case .rule(let notice):
            text(notice.isFiring ? .alertSubjectFires : .alertSubjectRecovered, notice.name)
        case .digest: self[.alertSubjectDigest]
        }
    }

    /// 99.9%, 1,200; a dash for nil.
    func value(_ value: AlertValue?, of draft: AlertRuleDraft) -> String {
        guard let value else { return "–" }
        let parts = value.text.drop { $0 == "-" }.split(separator: ".")
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return value.text }
        var text = (value.thousandths < 0 ? "\u{2212}" : "") + number(whole)
        if parts.count == 2 { text += (language == .french ? "," : ".") + parts[1] }
        guard draft.isInPercent else { return text }
        return language == .french ? "\(text)\u{202F}%" : "\(text)%"
    }

    /// 24 h, 7 days.
    func length(_ window: AlertWindow) -> String {
        guard window.text.hasSuffix("d") else { return text(.alertHours, number(window.hours)) }
        return count(window.hours / 24, one: .alertOneDay, many: .alertDays)
    }

    /// Such as "Crash-free sessions below 99.9% in the last 24 h".
    func condition(_ draft: AlertRuleDraft) -> String {
        let phrase: Phrase =
            switch draft.comparison {
            case .below: .alertBelow
            case .above: .alertAbove
            case .fallsBy: .alertFallsBy
            case .risesBy: .alertRisesBy
            }
        let condition = text(phrase, self[self.phrase(draft.figure)], value(draft.value, of: draft))
        guard let window = draft.window else { return condition }
        return text(draft.comparison.isChange ? .alertAgainst : .alertInLast, condition, length(window))
    }
}

extension AlertRuleDraft {
    /// Whether its value and its measurements are percentages.
    var isInPercent: Bool { figure.isPercentage || comparison.isChange }
}
