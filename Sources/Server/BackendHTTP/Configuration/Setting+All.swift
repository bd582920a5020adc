/// Every setting, in the order in which they are documented and printed.
extension Setting {
    package static let host = Setting(
        "host", .address, default: "127.0.0.1", "Address to listen on: an IPv4 or IPv6 literal.")
    package static let port = Setting(
        "port", .integer(0...65_535), default: "8080", "Port to listen on; 0 lets the system choose.")
    package static let tlsCertificate = Setting(
        "tls_certificate", .path, default: "",
        "PEM file of the certificate and its chain; with tls_key, the port speaks TLS.")
    package static let tlsKey = Setting(
        "tls_key", .path, default: "", "PEM file of the certificate's key, without a passphrase.")
    package static let tlsHandshakeTimeout = Setting(
        "tls_handshake_timeout_seconds", .integer(1...60), default: "10",
        "From the connection to the end of the TLS handshake.")
    package static let httpRedirectPort = Setting(
        "http_redirect_port", .integer(0...65_535), default: "0",
        "With TLS: port without it that sends everybody to the one with it; 0 means none.")
    package static let hstsMaxAge = Setting(
        "hsts_max_age_seconds", .integer(0...315_360_000), default: "31536000",
        "With TLS: how long browsers shall come by TLS only (Strict-Transport-Security); 0 does not ask for it.")
    package static let databaseURL = Setting(
        "database_url", .databaseURL, default: "sqlite:data/subguard.sqlite", isSecret: true,
        "Where the data lies: sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE as libpq reads it.")
    package static let databaseConnections = Setting(
        "database_connections", .integer(2...1000), default: "12", "With PostgreSQL: connections at most.")
    package static let databaseStatementTimeout = Setting(
        "database_statement_timeout_seconds", .integer(1...3600), default: "30",
        "With PostgreSQL: how long one statement may take.")
    package static let databaseReconnectTimeout = Setting(
        "database_reconnect_timeout_seconds", .integer(0...600), default: "5",
        "With PostgreSQL: how long a call waits for a server that cannot be reached before it fails.")
    package static let logLevel = Setting(
        "log_level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info",
        "Least severe level that is logged; requests are logged at info.")
    package static let logFormat = Setting(
        "log_format", .choice(["text", "json"]), default: "text", "How a log line looks.")
    package static let loops = Setting(
        "loops", .integer(0...64), default: "0", "Event loops; 0 means one per core.")
    package static let workers = Setting(
        "workers", .integer(1...256), default: "16", "Threads for requests that need the database.")
    package static let maximumConnections = Setting(
        "maximum_connections", .integer(1...1_000_000), default: "16384",
        "Open connections in all; beyond them the longest idle ones are closed.")
    package static let maximumConnectionsPerClient = Setting(
        "maximum_connections_per_client", .integer(0...1_000_000), default: "0",
        "Open connections of one IPv4 address or IPv6 /64; trusted proxies are not counted. 0 means 1024, loopback free."
    )
    package static let maximumBodyMemory = Setting(
        "maximum_body_memory_mebibytes", .integer(1...1_048_576), default: "64",
        "Memory for the bodies of all requests at once, a quarter of it for one client; beyond it the answer is 503.")
    package static let maximumAnswerMemory = Setting(
        "maximum_answer_memory_mebibytes", .integer(1...1_048_576), default: "64",
        "Memory for answers that clients have not read yet, a quarter of it for one client; beyond it they get 503.")
    package static let longestWait = Setting(
        "longest_wait_milliseconds", .integer(10...60_000), default: "1000",
        "How long a request may wait for a worker before further ones are answered 503.")
    package static let headTimeout = Setting(
        "head_timeout_seconds", .integer(1...300), default: "10",
        "From a request's first byte to the end of its head.")
    package static let bodyTimeout = Setting(
        "body_timeout_seconds", .integer(1...300), default: "10", "Longest pause while a body is sent.")
    package static let idleTimeout = Setting(
        "idle_timeout_seconds", .integer(1...3600), default: "60", "How long a connection may wait between requests.")
    package static let handlingTimeout = Setting(
        "handling_timeout_seconds", .integer(1...600), default: "30", "From a whole request to its answer.")
    package static let drainTimeout = Setting(
        "drain_timeout_seconds", .integer(1...600), default: "8", "How long running requests may finish after SIGTERM.")
    package static let rateLimitEnabled = Setting(
        "rate_limit_enabled", .boolean, default: "true", "Whether each client's requests are limited; see docs/api.md.")
    package static let eventUnitsPerMinutePerClient = Setting(
        "event_units_per_minute_per_client", .integer(25_000...1_000_000_000), default: "60000",
        "Events that one client may send a minute, in units of 128 bytes on disk; see docs/operating.md.")
    package static let eventUnitsPerMinute = Setting(
        "event_units_per_minute", .integer(50_000...1_000_000_000), default: "75000",
        "The same for all clients together; a fifth is reserved for clients that send little.")
    package static let newUsersPerHourPerClient = Setting(
        "new_users_per_hour_per_client", .integer(5_000...1_000_000_000), default: "20000",
        "Users that one client may report for the first time in an hour; ten times as many in signed batches.")
    package static let newUsersPerHour = Setting(
        "new_users_per_hour", .integer(10_000...1_000_000_000), default: "150000",
        "The same for all clients together; a fifth is reserved for clients that send little.")
    package static let inflatedMebibytesPerMinutePerClient = Setting(
        "inflated_mebibytes_per_minute_per_client", .integer(1...1_048_576), default: "64",
        "MiB that the compressed bodies of one client may have a minute, decompressed.")
    package static let inflatedMebibytesPerMinute = Setting(
        "inflated_mebibytes_per_minute", .integer(1...1_048_576), default: "512",
        "The same for all clients together.")
    package static let renderedMebibytesPerMinutePerClient = Setting(
        "rendered_mebibytes_per_minute_per_client", .integer(1...1_048_576), default: "64",
        "MiB of catalogue answers that one client may have made a minute; answers that are in memory are free.")
    package static let renderedMebibytesPerMinute = Setting(
        "rendered_mebibytes_per_minute", .integer(1...1_048_576), default: "256",
        "The same for all clients together.")
    package static let maximumStoreMebibytes = Setting(
        "maximum_store_mebibytes", .integer(0...1_073_741_824), default: "20480",
        "Size of the store in MiB from which devices are answered 503 storage_full; 0 means no ceiling.")
    package static let minimumFreeDiskMebibytes = Setting(
        "minimum_free_disk_mebibytes", .integer(0...1_073_741_824), default: "512",
        "With SQLite: free disk space in MiB under which devices are answered 503 storage_full; 0 means no check.")
    package static let trustedProxies = Setting(
        "trusted_proxies", .addressRanges, default: "",
        "Addresses and ranges of proxies whose Forwarded or X-Forwarded-For is believed; nobody's by default.")
    package static let metricsToken = Setting(
        "metrics_token", .accessKey, default: "", isSecret: true,
        "Bearer token that GET /metrics asks for; empty means that it is open.")
    package static let metricsPort = Setting(
        "metrics_port", .integer(0...65_535), default: "0",
        "Port of a listener of its own, without TLS, for /metrics, /healthz and /readyz; 0 means none.")
    package static let metricsHost = Setting(
        "metrics_host", .address, default: "127.0.0.1", "Address of that listener: an IPv4 or IPv6 literal.")
    package static let ingestMaximumWaitingEvents = Setting(
        "ingest_maximum_waiting_events", .integer(1_000...10_000_000), default: "100000",
        "Analytics events that may wait for the disk; beyond them the answer is 503.")
    package static let ingestMaximumEventsPerCommit = Setting(
        "ingest_maximum_events_per_commit", .integer(1_000...1_000_000), default: "10000",
        "Analytics events that share one transaction at most.")
    package static let ingestCommitDelay = Setting(
        "ingest_commit_delay_milliseconds", .integer(0...1_000), default: "0",
        "How long a batch of events may wait for others to share its trip to the disk.")
    package static let analyticsRetentionDays = Setting(
        "analytics_retention_days", .integer(1...3650), default: "90",
        "How long raw events are kept; what the figures need of them stays.")
    package static let catalogueTombstoneDays = Setting(
        "catalogue_tombstone_days", .integer(1...3650), default: "180",
        "How long deletions are told to devices that synchronise; older sync tokens are answered 410.")
    package static let logoFolder = Setting(
        "logo_folder", .path, default: "",
        "Where the files of logos lie; empty means logos beside an SQLite file, and in a PostgreSQL database itself.")
    package static let backupFolder = Setting(
        "backup_folder", .path, default: "", "Where backups lie; empty means backups beside the database.")
    package static let backupIntervalHours = Setting(
        "backup_interval_hours", .integer(0...8760), default: "0",
        "How often the server makes a backup by itself; 0 means never.")
    package static let backupKeep = Setting(
        "backup_keep", .integer(1...1000), default: "7", "Backups that are kept; older ones are removed.")
    package static let backupDrill = Setting(
        "backup_drill", .boolean, default: "true",
        "Whether each backup that the server makes is restored into a folder of its own, to prove it.")
    package static let ingestSentryKey = Setting(
        "ingest_sentry_key", .accessKey, default: "", isSecret: true,
        "Public key of the DSN that Sentry SDKs are given; empty means that their reports are not taken.")
    package static let ingestProjectID = Setting(
        "ingest_project_id", .accessKey, default: "1", "Project of that DSN, the last part of its path.")
    package static let ingestPostHogKey = Setting(
        "ingest_posthog_key", .accessKey, default: "", isSecret: true,
        "Project key that PostHog SDKs are given; empty means that their batches are not taken.")
    package static let ingestSigningKeys = Setting(
        "ingest_signing_keys", .signingKeys, default: "", isSecret: true,
        "Keys that apps sign batches of events with, as name:base64, comma-separated; several at once to rotate them.")
    package static let ingestSignatures = Setting(
        "ingest_signatures", .choice(["off", "accept", "require"]), default: "off",
        "Signed batches: not checked (off), marked (accept), or the only ones accepted (require).")
    package static let crashRetentionDays = Setting(
        "crash_retention_days", .integer(31...3650), default: "90",
        "How long crash groups that nobody reports any more, and sessions by the hour, are kept.")
    package static let knownReleases = Setting(
        "known_releases", .releases, default: "",
        "Releases of your app, comma-separated; a * at the end stands for anything. Other releases count as (other).")
    package static let alertsSlackWebhookURL = Setting(
        "alerts_slack_webhook_url", .url(schemes: ["https", "http"], allowsCredentials: false), default: "",
        isSecret: true, "Slack incoming webhook that threshold alerts are posted to.")
    package static let alertsSMTPURL = Setting(
        "alerts_smtp_url", .url(schemes: ["smtp", "smtps"], allowsCredentials: true), default: "", isSecret: true,
        "Mail server for alerts: smtp://user:password@host:587 (STARTTLS) or smtps://host (TLS from the start).")
    package static let alertsSMTPAllowPlain = Setting(
        "alerts_smtp_allow_plain", .boolean, default: "false",
        "Whether smtp:// may go on without STARTTLS; on the loopback address it always may.")
    package static let alertsEmailFrom = Setting(
        "alerts_email_from", .mailboxes(maximumCount: 1), default: "",
        "Sender of alerts by mail: alerts@example.org or SubGuard <alerts@example.org>.")
    package static let alertsEmailTo = Setting(
        "alerts_email_to", .mailboxes(maximumCount: 50), default: "", "Recipients of alerts by mail, comma-separated.")
    package static let alertsWebhookURL = Setting(
        "alerts_webhook_url", .url(schemes: ["https", "http"], allowsCredentials: false), default: "", isSecret: true,
        "Address of your own that alerts are posted to, signed; see docs/operating.md.")
    package static let alertsWebhookSecret = Setting(
        "alerts_webhook_secret", .text, default: "", isSecret: true, "Key of that signature.")
    package static let alertsAllowPrivateTargets = Setting(
        "alerts_allow_private_targets", .boolean, default: "false",
        "Whether alert targets may lie in private or loopback ranges.")
    package static let alertsPermittedHosts = Setting(
        "alerts_permitted_hosts", .hosts, default: "",
        "Hosts that alerts may be sent to whatever their addresses, comma-separated.")
    package static let alertsCAFile = Setting(
        "alerts_ca_file", .path, default: "",
        "PEM file of authorities to trust for alert targets, beside the system's.")
    package static let alertsMaximumAttempts = Setting(
        "alerts_maximum_attempts", .integer(1...50), default: "10",
        "Attempts before the delivery of an alert is given up.")

    package static let appleClientIDs = Setting(
        "apple_client_ids", .text, default: "",
        "Bundle and services ids of the apps whose users may sign in with Apple, comma-separated; empty means nobody.")
    package static let appleKeysURL = Setting(
        "apple_keys_url", .url(schemes: ["https", "http"], allowsCredentials: false),
        default: "https://appleid.apple.com/auth/keys",
        "Where Apple's public keys are read; http:// only on this machine.")
    package static let appStoreBundleID = Setting(
        "app_store_bundle_id", .text, default: "",
        "Bundle id of the app whose purchases count; empty means that none are taken.")
    package static let appStoreEnvironment = Setting(
        "app_store_environment", .choice(["Production", "Sandbox"]), default: "Production",
        "Whose purchases count: those of customers or those of testers.")
    package static let appStoreAppID = Setting(
        "app_store_app_id", .integer(0...Int.max), default: "0",
        "Apple's number of the app, which notifications from Production must name; 0 takes any.")
    package static let appStoreProductIDs = Setting(
        "app_store_product_ids", .text, default: "",
        "Products that give premium, comma-separated; empty means every one of the app.")
    package static let appStoreRootCertificates = Setting(
        "app_store_root_certificates", .text, default: "",
        "PEM files of the roots that signatures may end at, comma-separated; empty means Apple Root CA - G3.")

    package static let all: [Setting] = [
        host, port, tlsCertificate, tlsKey, tlsHandshakeTimeout, httpRedirectPort, hstsMaxAge, databaseURL,
        databaseConnections, databaseStatementTimeout, databaseReconnectTimeout, logLevel,
        logFormat, loops, workers, maximumConnections, maximumConnectionsPerClient, maximumBodyMemory,
        maximumAnswerMemory, longestWait, headTimeout, bodyTimeout, idleTimeout, handlingTimeout, drainTimeout,
        rateLimitEnabled, eventUnitsPerMinutePerClient, eventUnitsPerMinute, newUsersPerHourPerClient,
        newUsersPerHour, inflatedMebibytesPerMinutePerClient, inflatedMebibytesPerMinute,
        renderedMebibytesPerMinutePerClient, renderedMebibytesPerMinute, maximumStoreMebibytes,
        minimumFreeDiskMebibytes, trustedProxies, metricsToken, metricsPort, metricsHost,
        ingestMaximumWaitingEvents,
        ingestMaximumEventsPerCommit, ingestCommitDelay, analyticsRetentionDays, catalogueTombstoneDays,
        logoFolder, backupFolder, backupIntervalHours, backupKeep, backupDrill, ingestSentryKey, ingestProjectID,
        ingestPostHogKey, ingestSigningKeys, ingestSignatures, crashRetentionDays, knownReleases,
        alertsSlackWebhookURL, alertsSMTPURL, alertsSMTPAllowPlain, alertsEmailFrom, alertsEmailTo, alertsWebhookURL,
        alertsWebhookSecret, alertsAllowPrivateTargets, alertsPermittedHosts, alertsCAFile, alertsMaximumAttempts,
        appleClientIDs, appleKeysURL, appStoreBundleID, appStoreEnvironment, appStoreAppID, appStoreProductIDs,
        appStoreRootCertificates,
    ]

    /// Variables of ours that are for other programs: the client, and the curl lines of the documentation.
    static let foreignVariables: Set<String> = [
        "SUBGUARD_PREMIUM", "SUBGUARD_CONSENT", "SUBGUARD_STORE", "SUBGUARD_SERVER", "SUBGUARD_TOKEN", "SUBGUARD_URL",
        "SUBGUARD_SIGNING_KEY",
    ]
}
