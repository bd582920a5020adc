/// The meanings of settings of features, in French by key.
extension Phrase {
    static let settingsOfFeatures: [String: String] = [
        "oidc_roles":
            """
        Rôles par groupe ou adresse électronique vérifiée, séparés par des virgules ; la première correspondance \
        compte, et sans elle la connexion est refusée : group:admins=owner, mail:ann@example.com=analyst.
        """,
        "oidc_scopes":
            """
        Portées demandées au fournisseur, séparées par des virgules, dont openid ; certains exigent groups pour \
        les groupes.
        """,
        "metrics_token": "Jeton que GET /metrics exige dans le champ Authorization ; vide, aucun jeton n’est exigé.",
        "metrics_port":
            """
        Port d’un second serveur, sans TLS, qui n’offre que /metrics, /healthz et /readyz ; le port principal \
        répond alors 404 à /metrics. 0 le désactive.
        """,
        "metrics_host": "Adresse IPv4 ou IPv6 sur laquelle metrics_port écoute.",
        "ingest_maximum_waiting_events":
            """
        Événements d’analyse qui peuvent attendre d’être écrits ; au-delà, le serveur répond 503 avec \
        Retry-After.
        """,
        "ingest_maximum_events_per_commit": "Nombre maximal d’événements d’analyse dans une transaction.",
        "ingest_commit_delay_milliseconds":
            """
        Durée pendant laquelle un lot d’événements en attend d’autres pour partager sa validation. 0 valide \
        aussitôt ; les lots arrivés pendant une validation partagent la suivante.
        """,
        "reports_time_zone":
            """
        Fuseau horaire dans lequel les jours, semaines et mois des indicateurs commencent à minuit, comme \
        Europe/Paris. Un changement recompte tous les jours dont les événements bruts sont encore là.
        """,
        "analytics_retention_days":
            "Durée de conservation des événements bruts ; les indicateurs qui en sont tirés restent.",
        "analytics_id_days":
            """
        Durée pendant laquelle les identifiants des événements sont retenus, pour qu’un événement renvoyé ne \
        compte pas deux fois. Moins de jours prennent moins de disque et de mémoire, mais un événement renvoyé \
        plus tard compte deux fois ; après 401 jours, il serait refusé comme trop ancien. Les identifiants sont \
        retenus au moins deux jours de plus que les événements.
        """,
        "event_id_memory":
            """
        Mémoire des filtres qui reconnaissent les nouveaux identifiants d’événements, 2 octets par identifiant. \
        Les filtres en plus sont dans un fichier sans nom, à côté d’un fichier SQLite ou dans le dossier des \
        fichiers temporaires.
        """,
        "catalogue_tombstone_days":
            """
        Durée pendant laquelle les éléments supprimés du catalogue sont signalés aux appareils. Un appareil \
        synchronisé plus tôt reçoit 410 et télécharge de nouveau tout le catalogue.
        """,
        "logo_folder":
            "Dossier des logos. Vide : le dossier logos à côté d’un fichier SQLite, ou la base PostgreSQL elle-même.",
        "backup_folder": "Dossier des sauvegardes. Vide : le dossier backups à côté de la base.",
        "backup_interval_hours": "Intervalle entre deux sauvegardes automatiques ; 0 les désactive.",
        "backup_keep": "Nombre de sauvegardes à garder ; les plus anciennes sont supprimées.",
        "backup_drill": "Si le serveur vérifie chacune de ses sauvegardes en la restaurant dans un dossier temporaire.",
        "ingest_sentry_key":
            """
        Clé publique du DSN pour les SDK de Sentry, http://KEY@HOST:PORT/ingest/PROJECT ; vide, leurs rapports de \
        plantage sont désactivés.
        """,
        "ingest_project_id":
            "Identifiant du projet dans le DSN de ingest_sentry_key : la dernière partie de son chemin.",
        "ingest_posthog_key":
            """
        Clé d’API du projet pour les SDK de PostHog ; vide, POST /batch/, où ils envoient leurs événements, est \
        désactivé.
        """,
        "ingest_signing_keys":
            """
        Clés avec lesquelles les apps signent les lots d’événements, écrites name:base64 (16 à 64 octets \
        chacune), séparées par des virgules ; plusieurs à la fois permettent une rotation.
        """,
        "ingest_signatures":
            """
        Signatures des lots d’événements : non contrôlées (off), contrôlées et notées si présentes (accept), ou \
        exigées (require).
        """,
        "crash_retention_days":
            """
        Durée de conservation des nombres de sessions par heure, et des groupes de plantages sans nouveau \
        rapport.
        """,
        "known_releases":
            """
        Versions de ton app, séparées par des virgules, comme 1.4.0,app@2.* ; un * final accepte tout. Les autres \
        versions comptent comme (other). Vide, chaque version compte sous son nom.
        """,
        "alerts_slack_webhook_url":
            "Webhooks entrants de Slack pour les alertes, au plus dix, séparés par des virgules.",
        "alerts_smtp_url":
            """
        Serveur de messagerie des alertes : smtp://user:password@host:587 (STARTTLS) ou smtps://host (TLS dès le \
        début), nom et mot de passe encodés en pourcents. Nécessite alerts_email_from et alerts_email_to.
        """,
        "alerts_smtp_allow_plain": "Si smtp:// peut continuer sans STARTTLS ; l’adresse de bouclage le peut toujours.",
        "alerts_smtp_ehlo_name":
            """
        Le nom sous lequel le serveur se présente au serveur de courriel (EHLO) ; vide, l’hôte de public_url, sinon \
        le nom de cette machine. Certains serveurs de courriel refusent un nom incomplet.
        """,
        "alerts_email_from": "Expéditeur des courriels d’alerte : alerts@example.org ou SubGuard <alerts@example.org>.",
        "alerts_email_to": "Destinataires des courriels d’alerte, au plus 50, séparés par des virgules.",
        "alerts_webhook_url":
            """
        Tes propres adresses pour les alertes, au plus dix, séparées par des virgules. Les alertes sont envoyées par \
        des requêtes POST signées. Nécessite alerts_webhook_secret.
        """,
        "alerts_webhook_secret":
            """
        Clé qui signe les requêtes vers alerts_webhook_url ; pour plusieurs adresses, une pour toutes ou une pour \
        chacune, séparées par des virgules.
        """,
        "alerts_allow_private_targets":
            "Si les alertes, et les requêtes vers oidc_issuer, peuvent aller à des adresses privées ou de bouclage.",
        "alerts_permitted_hosts":
            """
        Hôtes, séparés par des virgules, qui peuvent recevoir les alertes ou être le fournisseur de oidc_issuer, \
        même à des adresses privées ou de bouclage.
        """,
        "alerts_ca_file":
            """
        Fichier PEM d’autorités de certification à accepter pour les cibles des alertes, oidc_issuer, rates_url et \
        event_sink_url, en plus de celles du système.
        """,
        "alerts_maximum_attempts":
            """
        Nombre d’essais d’envoi d’une alerte avant qu’elle soit notée en échec ; elle peut encore être renvoyée \
        sur demande.
        """,
        "alerts_weekly_digest":
            "Si les indicateurs de la semaine sont envoyés par les canaux d’alerte, le lundi à 08:00 dans reports_time_zone.",
        "event_sink_url":
            """
        ClickHouse qui reçoit une copie de chaque événement, sous la forme \
        clickhouse://USER@HOST1,HOST2/DATABASE?cluster=NAME. Les connexions utilisent TLS sur le port 8443 ; avec \
        tls=off, HTTP sans chiffrement sur le port 8123, seulement sur cette machine et les réseaux privés. Vide : \
        aucune copie.
        """,
        "event_sink_password": "Mot de passe de l’utilisateur de event_sink_url.",
        "sink_retention_days":
            "Durée de conservation des événements dans ClickHouse, en semaines entières ; 0 : sans limite.",
        "rates_url":
            """
        Adresse de taux de référence sous une forme de la Banque centrale européenne (CSV, XML, zip), lus une fois par \
        jour pour les appareils ; http:// n’est permis que sur cette machine. Vide : aucun taux n’est lu.
        """,
        "apple_client_ids":
            """
        Identifiants de bundle et de services des apps dont les utilisateurs peuvent se connecter avec Apple, \
        séparés par des virgules ; vide, cette connexion est désactivée.
        """,
        "apple_keys_url": "Adresse des clés publiques d’Apple ; http:// n’est permis que sur cette machine.",
        "app_store_bundle_id":
            "Identifiant de bundle de l’app dont les achats donnent premium ; vide, les achats sont désactivés.",
        "app_store_environment":
            """
        Environnements de l’App Store dont les achats donnent premium, séparés par des virgules : Production pour \
        les clients, Sandbox pour les testeurs. App Review et TestFlight achètent dans Sandbox avec l’app des clients.
        """,
        "app_store_app_id":
            "Numéro de l’app chez Apple, exigé dans les notifications de Production ; 0 les accepte toutes.",
        "premium_for_all":
            """
        Donne premium à tous les clients de ce serveur, avec ou sans compte, pour 30 jours à chaque demande. Pour qui \
        l’héberge pour soi ou sa famille.
        """,
        "app_store_product_ids":
            "Produits qui donnent premium, séparés par des virgules ; vide, tous les produits durables de l’app.",
        "app_store_root_certificates":
            """
        Fichiers PEM des certificats racines acceptés, séparés par des virgules, pour les essais ; vide, Apple \
        Root CA - G3.
        """,
    ]
}
