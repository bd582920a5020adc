/// The meanings of settings. ``SettingList`` says them in English, also for the command line and the example file.
extension ConsoleWords {
    /// The meaning of a setting, of which the English is given.
    func meaning(ofSetting key: String, _ english: String) -> String {
        language == .french ? Phrase.settingMeanings[key] ?? english : english
    }
}

extension ConsoleWords {
    func text(_ origin: ConfigurationPage.Origin) -> String {
        switch origin {
        case .flag: self[.operationsFlag]
        case .environment: self[.operationsEnvironment]
        case .file(let path): text(.operationsFile, path)
        case .standard: self[.operationsDefault]
        }
    }
}

extension Phrase {
    /// French by the key of the setting. A test compares the keys and what both texts name.
    package static let settingMeanings = settingsOfServer.merging(settingsOfFeatures) { first, _ in first }
        .mapValues(spaced)

    private static let settingsOfServer: [String: String] = [
        "host":
            """
        Adresse d’écoute, IPv4 ou IPv6 littérale ; 0.0.0.0 désigne toutes les adresses IPv4 de cette machine. \
        unix:/run/subguard/http.sock est une socket pour un proxy de cette machine, sans port. Une socket transmise \
        par systemd remplace les deux.
        """,
        "socket_mode":
            "Permissions de la socket Unix de host ; qui peut y écrire peut s’y connecter.",
        "socket_group": "Groupe de la socket Unix de host ; vide, celui du processus.",
        "port": "Port d’écoute ; 0 laisse le système choisir.",
        "tls_certificate":
            """
        Fichier PEM du certificat, suivi de sa chaîne. Avec tls_key, le port parle TLS. SIGHUP relit les deux \
        fichiers sans fermer de connexion.
        """,
        "tls_key": "Fichier PEM de la clé du certificat, sans phrase secrète.",
        "tls_handshake_timeout_seconds": "Délai de la négociation TLS, compté depuis la connexion.",
        "http_redirect_port":
            "Avec TLS : un second port, sans TLS, qui redirige chaque requête vers le premier ; 0 le désactive.",
        "hsts_max_age_seconds":
            """
        Avec TLS : durée pendant laquelle les navigateurs n’utilisent que TLS (Strict-Transport-Security) ; 0 \
        omet le champ, ce qui n’annule pas ce que les navigateurs ont déjà retenu.
        """,
        "database_url":
            """
        URL de la base : sqlite:PATH, relatif au dossier de travail ou absolu, ou \
        postgres://USER:PASSWORD@HOST/NAME, lue par libpq.
        """,
        "database_connections": "Avec PostgreSQL : nombre maximal de connexions.",
        "database_statement_timeout_seconds": "Avec PostgreSQL : durée maximale d’une instruction.",
        "database_reconnect_timeout_seconds":
            "Avec PostgreSQL : durée pendant laquelle un appel réessaie de joindre le serveur avant d’échouer.",
        "database_read_url":
            """
        Avec PostgreSQL : URL d’un réplica pour les chiffres, les listes, la recherche et les exports. Une lecture \
        n’y va qu’une fois qu’il a tout ce qui était validé avant elle ; sinon elle va au serveur principal.
        """,
        "database_synchronous_standbys":
            """
        Avec PostgreSQL : nombre de réplicas qui doivent avoir une transaction sur leur disque avant qu’elle soit \
        confirmée. Le serveur ne démarre pas, et /readyz répond 503, tant que la base promet moins.
        """,
        "log_level":
            """
        Niveau minimal du journal. Chaque requête est une ligne au niveau info ; notice supprime donc le journal \
        des requêtes.
        """,
        "log_format":
            """
        Format d’une ligne du journal : text pour les personnes, json pour les collecteurs. Le journal va sur la \
        sortie d’erreur.
        """,
        "loops": "Nombre de boucles d’événements ; 0 en utilise une par cœur.",
        "workers":
            """
        Fils d’exécution des requêtes qui ont besoin de la base. SQLite n’a qu’un écrivain : au-delà, ils ne font \
        que s’attendre.
        """,
        "maximum_connections":
            """
        Nombre maximal de connexions ouvertes ; au-delà, celle qui est inactive depuis le plus longtemps est \
        fermée.
        """,
        "maximum_connections_per_client":
            """
        Nombre maximal de connexions ouvertes d’un client (une adresse IPv4 ou un /64 IPv6). Les mandataires de \
        confiance ne sont pas comptés. 0 signifie 1024, sans limite pour les connexions de cette machine.
        """,
        "maximum_body_memory_mebibytes":
            """
        Mémoire pour les corps de toutes les requêtes ensemble ; au-delà, le serveur répond 503. Un client en \
        obtient au plus un quart, sauf pour les grands envois d’administration, lus seulement après le contrôle \
        du jeton.
        """,
        "maximum_answer_memory_mebibytes":
            """
        Mémoire pour les réponses que les clients n’ont pas encore lues ; au-delà, une réponse devient 503, ou \
        est tronquée si elle a commencé. Un client en obtient au plus un quart.
        """,
        "longest_wait_milliseconds":
            """
        Durée pendant laquelle une requête peut attendre un fil d’exécution avant que les suivantes reçoivent \
        503.
        """,
        "head_timeout_seconds": "Délai pour l’en-tête d’une requête, compté depuis son premier octet.",
        "body_timeout_seconds": "Plus longue pause dans le corps d’une requête.",
        "idle_timeout_seconds":
            """
        Durée pendant laquelle une connexion peut rester inactive entre deux requêtes. Plus longue que celle de ton \
        mandataire (d’ordinaire 60 secondes), pour qu’il n’envoie jamais de requête sur une connexion qui se ferme.
        """,
        "handling_timeout_seconds": "Délai de la réponse, compté depuis la fin de la requête.",
        "drain_timeout_seconds": "Durée laissée aux requêtes en cours après SIGTERM.",
        "rate_limit_enabled":
            "Si les requêtes de chaque client sont limitées. À désactiver pour les essais de charge seulement.",
        "event_units_per_minute_per_client":
            """
        Événements qu’un client peut envoyer par minute, en unités de 128 octets sur le disque ; la plupart des \
        événements en comptent une ou deux.
        """,
        "event_units_per_minute":
            """
        Événements que tous les clients ensemble peuvent envoyer par minute, en unités de 128 octets sur le \
        disque ; un cinquième est réservé à ceux qui envoient peu.
        """,
        "new_users_per_hour_per_client":
            """
        Utilisateurs qu’un client peut signaler pour la première fois par heure ; les lots signés peuvent en \
        signaler dix fois plus.
        """,
        "new_users_per_hour":
            """
        Utilisateurs que tous les clients ensemble peuvent signaler pour la première fois par heure ; un \
        cinquième est réservé à ceux qui en signalent peu.
        """,
        "inflated_mebibytes_per_minute_per_client":
            "Taille décompressée des corps compressés qu’un client peut envoyer par minute.",
        "inflated_mebibytes_per_minute":
            "Taille décompressée des corps compressés que tous les clients ensemble peuvent envoyer par minute.",
        "rendered_mebibytes_per_minute_per_client":
            """
        Réponses du catalogue qu’un client peut faire composer par minute ; celles déjà en mémoire ne comptent \
        pas.
        """,
        "rendered_mebibytes_per_minute":
            "Réponses du catalogue que tous les clients ensemble peuvent faire composer par minute.",
        "maximum_store_mebibytes":
            """
        Taille de la base à partir de laquelle les appareils reçoivent 503 storage_full ; 0 désactive la limite. \
        Dès 80 %, le journal, /readyz, /metrics et une alerte avertissent.
        """,
        "minimum_free_disk_mebibytes":
            """
        Avec SQLite : espace disque libre au-dessous duquel les appareils reçoivent 503 storage_full ; 0 \
        désactive le contrôle.
        """,
        "trusted_proxies":
            """
        Adresses et plages (10.0.0.0/8) de tes mandataires inverses, séparées par des virgules. L’adresse du \
        client est lue dans le champ qu’ils posent (client_address_header). Sans ce réglage, tous les clients \
        derrière un mandataire partagent une seule limite.
        """,
        "cors_origins":
            """
        Origines des pages web qui peuvent appeler les routes des appareils et des SDK (CORS), séparées par des \
        virgules ; * signifie toutes. Vide : aucune pour les appareils, toutes pour les SDK de Sentry et de PostHog, \
        dont les clés sont publiques. Jamais l’administration.
        """,
        "client_address_header":
            """
        Le champ où les mandataires de confiance nomment le client ; auto signifie X-Forwarded-For ou Forwarded. Ne \
        nomme qu’un champ que ton mandataire pose lui-même dans chaque requête, car un client peut aussi l’envoyer.
        """,
        "public_url":
            """
        Adresse à laquelle les navigateurs joignent ce serveur, comme https://subguard.example.com, ou \
        https://example.com/subguard derrière un proxy, qu’il retire ce chemin ou non. La console accepte les requêtes \
        pour elle et imprime des liens vers elle ; sans ce réglage, un serveur qui n’écoute que sur cette machine \
        n’accepte que localhost.
        """,
        "console_enabled": "Si le serveur offre la console, /console.",
        "oidc_issuer":
            """
        Émetteur d’un fournisseur OpenID Connect dont les membres peuvent ouvrir la console, exactement comme le \
        fournisseur l’écrit ; http:// n’est permis que sur cette machine. Nécessite oidc_client_id, oidc_roles et \
        public_url.
        """,
        "oidc_client_id":
            """
        Identifiant de ce serveur chez le fournisseur ; l’URI de redirection y est public_url suivi de \
        /console/oidc/callback.
        """,
        "oidc_client_secret": "Secret de oidc_client_id ; vide pour un client public, que seul PKCE protège.",
        "oidc_name": "Nom du fournisseur sur le bouton de la page de connexion.",
    ]
}
