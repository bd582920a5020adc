import Backend

/// Overview, funnel, cohorts, ranking, series.
extension Phrase {
    static let download = Phrase("Download CSV", "Télécharger en CSV")
    static let definition = Phrase("Definition", "Définition")
    static let show = Phrase("Show", "Afficher")
    static let from = Phrase("From", "Du")
    static let to = Phrase("To", "Au")
    static let allTime = Phrase("All time", "Depuis le début")
    static let last7 = Phrase("Last 7 days", "7 derniers jours")
    static let last30 = Phrase("Last 30 days", "30 derniers jours")
    static let last90 = Phrase("Last 90 days", "90 derniers jours")
    static let last12Months = Phrase("Last 12 months", "12 derniers mois")
    static let range = Phrase("Range", "Période")
    static let valuesAsTable = Phrase("Values as a table", "Valeurs en tableau")
    static let daysInZone = Phrase("Days begin at midnight in %1.", "Les jours commencent à minuit (%1).")
    static let zoneSince = Phrase(
        "Days before %1 keep their earlier cut.", "Les jours avant le %1 gardent leur ancien découpage.")
    static let zoneNote = Phrase("Days are in UTC.", "Les jours sont en UTC.")
    static let counted = Phrase("Counted %1", "Compté le %1")
    static let notComplete = Phrase(
        "Not complete yet: every event accepted before %1 is counted, newer ones follow.",
        "Pas encore complet : tout événement accepté avant le %1 est compté, les suivants arrivent.")
    static let count = Phrase("Count", "Nombre")
    static let users = Phrase("Users", "Utilisateurs")

    // Overview.
    static let overviewLead = Phrase(
        "The figures now, and how this week compares with the week before.",
        "Les chiffres actuels, et la semaine comparée à la précédente.")
    static let noData = Phrase("No data yet", "Pas encore de données")
    static let aboutWeeks = Phrase("How weeks are compared", "Comment les semaines sont comparées")
    static let weeksDefinition = Phrase(
        "This week is the last 7 × 24 hours, the week before the 7 × 24 hours before them. There is no trend when the "
            + "week before is not above zero.",
        "Cette semaine couvre les 7 × 24 dernières heures, la précédente les 7 × 24 heures d’avant. Sans valeur "
            + "positive la semaine précédente, il n’y a pas de tendance.")
    static let pause = Phrase("Pause refresh", "Suspendre l’actualisation")
    static let resume = Phrase("Refresh every minute", "Actualiser chaque minute")
    static let trendUp = Phrase("Up %1", "En hausse de %1")
    static let trendDown = Phrase("Down %1", "En baisse de %1")
    static let trendSame = Phrase("Unchanged", "Inchangé")
    static let trendNone = Phrase("No trend", "Pas de tendance")
    static let weeks = Phrase("%1 this week, %2 the week before", "%1 cette semaine, %2 la précédente")
    static let waiting = Phrase("What waits", "En attente")
    static let nothingWaits = Phrase("Nothing waits for you.", "Rien ne t’attend.")
    static let pendingOne = Phrase("%1 pending suggestion", "%1 suggestion en attente")
    static let pendingMany = Phrase("%1 pending suggestions", "%1 suggestions en attente")
    static let deadOne = Phrase("%1 alert could not be delivered", "%1 alerte non livrée")
    static let deadMany = Phrase("%1 alerts could not be delivered", "%1 alertes non livrées")
    static let noFigures = Phrase(
        "Your role has no access to the figures.", "Ton rôle n’a pas accès aux chiffres.")
    static let totalUsers = Phrase("Users", "Utilisateurs")
    static let activeUsers = Phrase("Active users, 30 days", "Utilisateurs actifs, 30 jours")
    static let subscriptionsTracked = Phrase("Subscriptions tracked", "Abonnements suivis")
    static let premiumConversions = Phrase("Premium conversions", "Passages à Premium")
    static let crashFree = Phrase("Crash-free sessions", "Sessions sans plantage")

    // Funnel.
    static let funnelLead = Phrase(
        "How far the users who signed up in this period got.",
        "Jusqu’où sont allés les utilisateurs inscrits sur cette période.")
    static let funnelDefinition = Phrase(
        "Users, each once, whose signup lies on these days and who have reached the stage at any time. The signup is the "
            + "time of the download event, or of the earliest event without one. Stages are independent, so a stage may "
            + "exceed the one before.",
        "Utilisateurs, comptés une fois, inscrits ces jours-là et ayant atteint l’étape à un moment quelconque. "
            + "L’inscription est la date du téléchargement, ou à défaut celle du premier événement. Les étapes sont "
            + "indépendantes : l’une peut dépasser la précédente.")
    static let within = Phrase("Within", "En")
    static let anyTime = Phrase("Any time", "N’importe quand")
    static let oneDay = Phrase("%1 day", "%1 jour")
    static let manyDays = Phrase("%1 days", "%1 jours")
    static let everyone = Phrase("Everyone", "Tout le monde")
    static let platform = Phrase("Platform", "Plateforme")
    static let appVersion = Phrase("App version", "Version de l’app")
    static let oneUser = Phrase("%1 user", "%1 utilisateur")
    static let manyUsers = Phrase("%1 users", "%1 utilisateurs")
    static let unfinishedUser = Phrase(
        "Not counted yet: %1 user who still has time left.",
        "Pas encore compté : %1 utilisateur à qui il reste du temps.")
    static let unfinishedUsers = Phrase(
        "Not counted yet: %1 users who still have time left.",
        "Pas encore comptés : %1 utilisateurs à qui il reste du temps.")
    static let moreInCSV = Phrase("The CSV has all segments.", "Le CSV contient tous les segments.")
    static let stage = Phrase("Stage", "Étape")
    static let funnelOverHundred = Phrase(
        "More than 100% of the previous stage: each stage counts everybody who reached it, also those who skipped the one "
            + "before.",
        "Plus de 100 % de l’étape précédente : chaque étape compte tous ceux qui l’ont atteinte, même sans passer par la "
            + "précédente.")
    static let ofPrevious = Phrase("Of previous", "De la précédente")
    static let ofFirst = Phrase("Of first", "De la première")
    static let downloads = Phrase("Downloads", "Téléchargements")
    static let firstSubscription = Phrase("First subscription", "Premier abonnement")
    static let usersInTotal = Phrase("Users in total", "Utilisateurs au total")
    static let fiveSubscriptions = Phrase("Five subscriptions", "Cinq abonnements")
    static let retentionD7 = Phrase("Back after 7 days", "De retour après 7 jours")
    static let retentionD30 = Phrase("Back after 30 days", "De retour après 30 jours")
    static let noUsers = Phrase("No users in this period", "Aucun utilisateur sur cette période")
    static let noUsersHint = Phrase(
        "Choose a longer period, or wait until devices send their events.",
        "Choisis une période plus longue, ou attends les événements des appareils.")

    // Cohorts.
    static let cohortsLead = Phrase(
        "How many users of each signup week or month came back.",
        "Combien d’utilisateurs de chaque semaine ou mois d’inscription sont revenus.")
    static let cohortsDefinition = Phrase(
        "A row for each ISO week (from Monday) or month with signups. Of the users whose signup is at least 1, 7 or "
            + "30 days ago, the share that came back. Over 50% is high, under 20% is low. A hatched cell is still "
            + "filling: not every user of the row has reached that day.",
        "Une ligne par semaine ISO (dès lundi) ou par mois avec des inscriptions. Parmi les utilisateurs inscrits "
            + "depuis au moins 1, 7 ou 30 jours, la part revenue. Au-dessus de 50 %, c’est élevé ; en dessous de 20 %, "
            + "faible. Une case hachurée se remplit encore : toute la ligne n’a pas atteint ce jour.")
    static let week = Phrase("Week", "Semaine")
    static let begins = Phrase("Begins", "Débute le")
    static let day1 = Phrase("Day 1", "Jour 1")
    static let day7 = Phrase("Day 7", "Jour 7")
    static let day30 = Phrase("Day 30", "Jour 30")
    static let countOfEligible = Phrase("%1 of %2", "%1 sur %2")
    static let high = Phrase("high", "élevé")
    static let low = Phrase("low", "faible")
    static let filling = Phrase("still filling", "se remplit")
    static let notReached = Phrase("not reached yet", "pas encore atteint")

    // Ranking.
    static let rankingLead = Phrase(
        "The services that users add most often, counted once a day.",
        "Les services que les utilisateurs ajoutent le plus, comptés une fois par jour.")
    static let rankingDefinition = Phrase(
        "Accepted events of an added subscription, by the catalogue item that they name. An item merged into another "
            + "counts for that one; deleted items are left out.",
        "Événements d’ajout d’abonnement acceptés, selon l’élément du catalogue qu’ils nomment. Un élément fusionné "
            + "compte pour l’autre ; les éléments supprimés sont omis.")
    static let rank = Phrase("Rank", "Rang")
    static let service = Phrase("Service", "Service")
    static let additions = Phrase("Additions", "Ajouts")
    static let noRanking = Phrase("Nothing to rank yet", "Rien à classer pour l’instant")
    static let noRankingHint = Phrase(
        "The ranking appears when devices add services of the catalogue.",
        "Le classement apparaît quand des appareils ajoutent des services du catalogue.")
    static let places = Phrase("Places", "Places")
    static let topPlaces = Phrase("Top %1", "Top %1")

    // Series.
    static let seriesLead = Phrase(
        "One figure over time.", "Un chiffre au fil du temps.")
    static let figure = Phrase("Figure", "Chiffre")
    static let step = Phrase("By", "Par")
    static let byDay = Phrase("Day", "Jour")
    static let byWeek = Phrase("Week", "Semaine")
    static let byMonth = Phrase("Month", "Mois")
    static let period = Phrase("Period", "Période")
    static let value = Phrase("Value", "Valeur")
    static let unfinished = Phrase("unfinished", "en cours")
    static let seriesSummary = Phrase(
        "%1 from %2 to %3: lowest %4, highest %5, last finished %6.",
        "%1 du %2 au %3 : minimum %4, maximum %5, dernière valeur complète %6.")
    static let seriesEmpty = Phrase(
        "%1 from %2 to %3: no values.", "%1 du %2 au %3 : aucune valeur.")
    static let unfinishedNote = Phrase(
        "Hatched: the period has not ended, its value will still change.",
        "Hachuré : la période n’est pas terminée, sa valeur va encore changer.")
    static let events = Phrase("Events", "Événements")
    static let generalFigures = Phrase("Figures", "Chiffres")
    static let eventsNamed = Phrase("Events %1", "Événements %1")
    static let signups = Phrase("Sign-ups", "Inscriptions")
    static let activeDay = Phrase("Active users, 1 day", "Utilisateurs actifs, 1 jour")
    static let activeDays = Phrase("Active users, %1 days", "Utilisateurs actifs, %1 jours")
    static let conversions = Phrase("Premium conversions", "Passages à Premium")
    static let added = Phrase("Subscriptions added", "Abonnements ajoutés")
    static let removed = Phrase("Subscriptions removed", "Abonnements supprimés")
}

extension ConsoleWords {
    /// The name of a figure of the dashboard.
    func name(_ figure: Dashboard.Name) -> String {
        switch figure {
        case .totalUsers: self[.totalUsers]
        case .activeUsers30d: self[.activeUsers]
        case .subscriptionsTracked: self[.subscriptionsTracked]
        case .premiumConversions: self[.premiumConversions]
        case .crashFreeSessions: self[.crashFree]
        }
    }

    func name(_ stage: Funnel.Stage.Name) -> String {
        switch stage {
        case .downloads: self[.downloads]
        case .firstSubscription: self[.firstSubscription]
        case .fiveSubscriptions: self[.fiveSubscriptions]
        case .retentionD7: self[.retentionD7]
        case .retentionD30: self[.retentionD30]
        }
    }

    /// The name of a figure with values over time. A new figure of the backend has its name on the wire.
    func name(_ figure: SeriesFigure) -> String {
        let name = figure.rawValue
        if name.hasPrefix("active_"), let days = Int64(name.dropFirst(7).dropLast()) {
            return days == 1 ? self[.activeDay] : text(.activeDays, number(days))
        }
        if name.hasPrefix("events.") { return text(.eventsNamed, String(name.dropFirst(7))) }
        return Self.seriesNames[name].map { self[$0] } ?? name
    }

    private static let seriesNames: [String: Phrase] = [
        "users": .signups, "total_users": .usersInTotal, "downloads": .downloads,
        "first_subscription": .firstSubscription,
        "five_subscriptions": .fiveSubscriptions, "conversions": .conversions, "subscriptions_added": .added,
        "subscriptions_removed": .removed, "crash_free_sessions": .crashFree,
    ]
}
