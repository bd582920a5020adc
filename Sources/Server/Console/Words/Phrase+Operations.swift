import Backend

/// Health, storage, backups, schema, jobs, configuration, privacy.
extension Phrase {
    static let operations = Phrase("Operations", "Exploitation")
    static let operationsLead = Phrase(
        "Health, storage, backups and background jobs of this server.",
        "Santé, stockage, sauvegardes et tâches de fond de ce serveur.")
    static let operationsState = Phrase("State", "État")
    static let operationsConfiguration = Phrase("Configuration", "Configuration")
    static let operationsPrivacy = Phrase("Stored data", "Données stockées")
    static let operationsAt = Phrase("As of %1", "État au %1")

    static let operationsReady = Phrase("The server is ready.", "Le serveur est prêt.")
    static let operationsNotReady = Phrase(
        "The server is not ready: load balancers send nothing to it.",
        "Le serveur n’est pas prêt : les répartiteurs de charge ne lui envoient rien.")
    static let operationsVersion = Phrase("Version", "Version")
    static let operationsSince = Phrase("Running since", "Démarré le")
    static let operationsFine = Phrase("fine", "en ordre")
    static let operationsFailing = Phrase("failing", "en échec")
    static let partMigrations = Phrase("Schema is current", "Schéma à jour")
    static let partStore = Phrase("Writes reach the disk", "Écritures sur le disque")
    static let partStorage = Phrase("Room for data", "Place pour les données")
    static let partShutdown = Phrase("Not shutting down", "Pas d’arrêt en cours")

    static let operationsStorage = Phrase("Storage", "Stockage")
    static let operationsLevel = Phrase("Level", "Niveau")
    static let levelOK = Phrase("enough room", "assez de place")
    static let levelNearlyFull = Phrase("nearly full", "presque plein")
    static let levelFull = Phrase(
        "full: data from devices is rejected", "plein : les données des appareils sont refusées")
    static let operationsKind = Phrase("Database", "Base de données")
    static let operationsUsed = Phrase("Used", "Utilisé")
    static let operationsCeiling = Phrase("Ceiling", "Plafond")
    static let operationsFree = Phrase("Free on the disk", "Libre sur le disque")
    static let operationsReserve = Phrase("Kept free", "Réserve")
    static let operationsNoLimit = Phrase("no limit", "aucune limite")

    static let operationsBackups = Phrase("Backups", "Sauvegardes")
    static let operationsNoBackups = Phrase(
        "The database is PostgreSQL: back it up with pg_dump or the tools of its host.",
        "La base est PostgreSQL : sauvegarde-la avec pg_dump ou les outils de son hébergeur.")
    static let operationsSchedule = Phrase("Schedule", "Planification")
    static let operationsEvery = Phrase(
        "every %1 hours, the newest %2 are kept", "toutes les %1 heures, les %2 dernières sont gardées")
    static let operationsManual = Phrase(
        "by hand only (backup_interval_hours is 0)", "à la main (backup_interval_hours vaut 0)")
    static let operationsFolder = Phrase("Folder", "Dossier")
    static let operationsProven = Phrase("Last verified", "Dernière vérification")
    static let operationsDrillFailed = Phrase("Last verification failed", "Dernière vérification en échec")
    static let operationsBackUp = Phrase("Back up now", "Sauvegarder maintenant")
    static let operationsDrill = Phrase("Verify the newest backup", "Vérifier la dernière sauvegarde")
    static let operationsBackupHint = Phrase(
        "Neither interrupts the server. Verifying restores into a temporary folder.",
        "Rien n’interrompt le serveur. La vérification restaure dans un dossier temporaire.")
    static let operationsBackupRuns = Phrase(
        "A backup is running since %1.", "Une sauvegarde est en cours depuis le %1.")
    static let operationsDrillRuns = Phrase(
        "A verification is running since %1.", "Une vérification est en cours depuis le %1.")
    static let operationsReload = Phrase("Show the result", "Afficher le résultat")
    static let operationsBackupDone = Phrase("The backup of %1 is complete.", "La sauvegarde du %1 est complète.")
    static let operationsDrillDone = Phrase(
        "The newest backup was restored and verified on %1.",
        "La dernière sauvegarde a été restaurée et vérifiée le %1.")
    static let operationsBackupFailed = Phrase("The backup of %1 failed.", "La sauvegarde du %1 a échoué.")
    static let operationsDrillFailedAt = Phrase("The verification of %1 failed.", "La vérification du %1 a échoué.")
    static let operationsBackupsEmpty = Phrase("No backups yet", "Aucune sauvegarde pour l’instant")
    static let operationsBackupsEmptyHint = Phrase(
        "Make one now, or set backup_interval_hours.", "Fais-en une maintenant, ou règle backup_interval_hours.")
    static let operationsBackupsCaption = Phrase(
        "The newest backups. Their sizes show how the database grows.",
        "Les dernières sauvegardes. Leurs tailles montrent la croissance de la base.")
    static let operationsSize = Phrase("Size", "Taille")
    static let operationsFiles = Phrase("Files", "Fichiers")
    static let operationsDownload = Phrase("Download", "Télécharger")
    static let operationsDownloadNamed = Phrase("Download %1", "Télécharger %1")
    static let operationsVerified = Phrase("verified", "vérifiée")

    static let operationsMigrations = Phrase("Schema", "Schéma")
    static let operationsApplied = Phrase("Applied migrations", "Migrations appliquées")
    static let operationsLastMigration = Phrase("Newest", "Dernière")
    static let operationsPending = Phrase("Pending migrations", "Migrations en attente")
    static let operationsNone = Phrase("none", "aucune")

    static let operationsJobs = Phrase("Background jobs", "Tâches de fond")
    static let operationsJobsCaption = Phrase(
        "Jobs that one server runs for all.", "Tâches qu’un serveur exécute pour tous.")
    static let operationsNoJobs = Phrase("No job has run yet.", "Aucune tâche n’a encore été exécutée.")
    static let operationsJob = Phrase("Job", "Tâche")
    static let operationsJobState = Phrase("State", "État")
    static let operationsJobDue = Phrase("Due", "Échéance")
    static let operationsJobRuns = Phrase("running", "en cours")
    static let operationsJobIsDue = Phrase("due", "à exécuter")
    static let operationsJobWaits = Phrase("waiting", "en attente")

    static let operationsConfigurationLead = Phrase(
        "Every setting with its value and where it comes from, as subguardd config check prints them. Secrets are masked.",
        "Chaque réglage avec sa valeur et son origine, comme les affiche subguardd config check. Les secrets sont masqués."
    )
    static let operationsConfigurationCaption = Phrase(
        "Flags win over variables, variables over the file. Changes take effect at the next start.",
        "Les options priment sur les variables, les variables sur le fichier. Effet au prochain démarrage.")
    static let operationsSet = Phrase("Set", "Définis")
    static let operationsNothingSet = Phrase("Every setting has its default", "Tous les réglages sont par défaut")
    static let operationsNothingSetHint = Phrase(
        "Set one by a file, a variable or a flag.", "Définis-en un par fichier, variable ou option.")
    static let operationsSetting = Phrase("Setting", "Réglage")
    static let operationsValue = Phrase("Value", "Valeur")
    static let operationsOrigin = Phrase("Origin", "Origine")
    static let operationsDefault = Phrase("default", "par défaut")
    static let operationsFlag = Phrase("flag", "option")
    static let operationsEnvironment = Phrase("environment", "environnement")
    static let operationsFile = Phrase("file %1", "fichier %1")
    static let operationsMeaning = Phrase("Meaning", "Signification")
    static let operationsEmpty = Phrase("empty", "vide")

    static let operationsPrivacyLead = Phrase(
        "What the database contains, how much of it, and for how long: the public privacy report.",
        "Ce que contient la base, en quelle quantité et combien de temps : le rapport de confidentialité public.")
    static let operationsPublic = Phrase("Public report (JSON)", "Rapport public (JSON)")
    static let operationsNeverStored = Phrase("Never stored", "Jamais stocké")
    static let operationsTables = Phrase("Tables", "Tables")
    static let operationsTablesCaption = Phrase(
        "Counts may be ten minutes old.", "Les nombres peuvent dater de dix minutes.")
    static let operationsTable = Phrase("Table", "Table")
    static let operationsRows = Phrase("Records", "Enregistrements")
    static let operationsPurpose = Phrase("Purpose", "But")
    static let operationsRetention = Phrase("Kept", "Conservation")
    static let operationsPurged = Phrase("Last purge", "Dernière purge")
}

extension ConsoleWords {
    func name(_ part: OperationsPage.Part) -> String {
        switch part {
        case .migrations: self[.partMigrations]
        case .store: self[.partStore]
        case .storage: self[.partStorage]
        case .shutdown: self[.partShutdown]
        }
    }

    func name(_ level: StorageLevel) -> String {
        switch level {
        case .ok: self[.levelOK]
        case .nearlyFull: self[.levelNearlyFull]
        case .full: self[.levelFull]
        }
    }

    /// 12.4 MB: decimal units with one digit after the point, rounded down.
    func bytes(_ count: Int64) -> String {
        let units = language == .french ? ["o", "ko", "Mo", "Go", "To"] : ["bytes", "kB", "MB", "GB", "TB"]
        var (unit, size) = (0, count)
        var tenths: Int64 = 0
        while size >= 1000, unit < units.count - 1 {
            tenths = size % 1000 / 100
            size /= 1000
            unit += 1
        }
        let fraction = unit == 0 ? "" : (language == .french ? "," : ".") + "\(tenths)"
        return "\(number(size))\(fraction)\u{A0}\(units[unit])"
    }
}
