import Backend

/// What the figures count.
extension ConsoleWords {
    func definition(_ figure: Dashboard.Name) -> String {
        guard language != .english else { return figure.definition }
        return switch figure {
        case .totalUsers:
            "Utilisateurs distincts ayant au moins un événement accepté\u{202F}; par semaine\u{202F}: ceux dont "
                + "l’inscription tombe dans la période."
        case .activeUsers30d:
            "Utilisateurs distincts ayant un événement quelconque dans les 30 × 24 dernières heures\u{202F}; par "
                + "semaine\u{202F}: dans la période."
        case .subscriptionsTracked:
            "Abonnements ajoutés moins abonnements supprimés, depuis le début\u{202F}; par semaine\u{202F}: dans la "
                + "période."
        case .premiumConversions:
            "Utilisateurs passés à Premium, comptés une fois\u{202F}; par semaine\u{202F}: ceux dont la première "
                + "conversion tombe dans la période."
        case .crashFreeSessions:
            "Part des sessions sans plantage parmi celles commencées dans les 720 dernières heures, l’heure en cours "
                + "comprise\u{202F}; par semaine\u{202F}: sur 168 heures entières."
        }
    }

    func definition(_ funnel: Funnel) -> String {
        if funnel.window == nil, funnel.dimension == nil { return self[.funnelDefinition] }
        guard language != .english else { return funnel.definition }
        var sentences = [self[.funnelDefinition]]
        if let window = funnel.window {
            sentences = [
                text(.funnelWithin, number(Int64(window.days))), text(.funnelUnfinished, number(Int64(window.days))),
            ]
        }
        switch funnel.dimension {
        case .platform: sentences.append(self[.funnelByPlatform])
        case .appVersion: sentences.append(self[.funnelByVersion])
        case nil: break
        }
        return sentences.joined(separator: " ")
    }

    func definition(_ figure: SeriesFigure) -> String {
        guard language != .english else { return figure.definition }
        let name = figure.rawValue
        if name.hasPrefix("active_") {
            let days = name.filter(\.isNumber)
            return days == "1" ? self[.seriesActiveDay] : text(.seriesActiveDays, days)
        }
        return switch name {
        case "users": self[.seriesUsers]
        case "total_users": self[.seriesTotal]
        case "downloads": self[.seriesDownloads]
        case "first_subscription": self[.seriesFirst]
        case "five_subscriptions": self[.seriesFive]
        case "conversions": self[.seriesConversions]
        case "crash_free_sessions": self[.seriesCrashFree]
        case "subscriptions_added": text(.seriesEvents, "subscription_added")
        case "subscriptions_removed": text(.seriesEvents, "subscription_removed")
        default: text(.seriesEvents, name.hasPrefix("events.") ? String(name.dropFirst(7)) : name)
        }
    }
}

// The English side is unused where the backend defines the figure for the API.
extension Phrase {
    static let funnelWithin = Phrase(
        "Users whose signup lies on these days and who reached the stage at most %1 days after it.",
        "Utilisateurs, comptés une fois, inscrits ces jours-là et ayant atteint l’étape au plus %1 × 24 heures après "
            + "l’inscription. L’inscription est la date du téléchargement, ou à défaut celle du premier événement.")
    static let funnelUnfinished = Phrase(
        "Users of today and of the %1 days before may still reach a stage in time.",
        "Les utilisateurs inscrits aujourd’hui ou dans les %1 jours précédents peuvent encore atteindre une étape à "
            + "temps : ils sont comptés à part.")
    static let funnelByPlatform = Phrase(
        "The platform is that of the earliest event.",
        "La plateforme est celle du premier événement : « autre » si elle n’est pas connue ici, « inconnue » sans "
            + "indication.")
    static let funnelByVersion = Phrase(
        "The app version is that of the earliest event.",
        "La version est celle du premier événement : « autre » si ce n’est pas une version ou si elle n’est pas parmi "
            + "les 200 premières, « inconnue » sans indication.")
    static let seriesUsers = Phrase(
        "Users by the day of their signup.",
        "Utilisateurs, comptés une fois, au jour de leur inscription : celui du téléchargement, ou à défaut du "
            + "premier événement ; une semaine ou un mois est la somme de ses jours.")
    static let seriesTotal = Phrase(
        "Users whose signup is on the day or earlier.",
        "Utilisateurs, comptés une fois, inscrits ce jour-là ou avant ; une semaine ou un mois a la valeur de son "
            + "dernier jour, la période en cours celle d’aujourd’hui.")
    static let seriesDownloads = Phrase(
        "Users with a download.",
        "Utilisateurs, comptés une fois, ayant un téléchargement, au jour de leur inscription ; une semaine ou un "
            + "mois est la somme de ses jours.")
    static let seriesFirst = Phrase(
        "Users with a first subscription.",
        "Utilisateurs, comptés une fois, ayant ajouté un premier abonnement à un moment quelconque, au jour de "
            + "leur inscription ; une semaine ou un mois est la somme de ses jours.")
    static let seriesFive = Phrase(
        "Users with five subscriptions.",
        "Utilisateurs, comptés une fois, ayant atteint cinq abonnements à un moment quelconque, au jour de leur "
            + "inscription ; une semaine ou un mois est la somme de ses jours.")
    static let seriesConversions = Phrase(
        "Users by the day of their first conversion.",
        "Utilisateurs, comptés une fois, au jour de leur premier passage à Premium ; une semaine ou un mois est "
            + "la somme de ses jours.")
    static let seriesActiveDay = Phrase(
        "Distinct users with any event on the day.",
        "Utilisateurs distincts ayant un événement quelconque ce jour-là ; une semaine ou un mois a la valeur de "
            + "son dernier jour, la période en cours celle d’aujourd’hui.")
    static let seriesActiveDays = Phrase(
        "Distinct users with any event on the %1 days that end on the day.",
        "Utilisateurs distincts ayant un événement quelconque pendant les %1 jours qui finissent ce jour-là ; une "
            + "semaine ou un mois a la valeur de son dernier jour, la période en cours celle d’aujourd’hui.")
    static let seriesCrashFree = Phrase(
        "Sessions without a crash in percent.",
        "Part des sessions sans plantage parmi toutes celles commencées ce jour-là ; pour une semaine ou un mois, "
            + "parmi toutes ses sessions ; rien sans session.")
    static let seriesEvents = Phrase(
        "Accepted %1 events by day.",
        "Événements %1 acceptés, au jour où ils ont eu lieu ; une semaine ou un mois est la somme de ses jours.")
}
