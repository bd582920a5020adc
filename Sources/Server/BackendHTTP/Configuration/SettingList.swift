import EventLog
package import Logging
package import Outbound
import SubGuardContract
package import SubGuardDomain

/// Every setting, declared once, in the order in which reports and the configuration file list them. A class, because a
/// struct of so many fields would be copied one by one.
package final class SettingList: Sendable {
    package let host = Setting(
        "host", .listener, default: "127.0.0.1",
        """
        Address to listen on, an IPv4 or IPv6 literal; 0.0.0.0 stands for every IPv4 address of this machine. \
        unix:/run/subguard/http.sock is a socket for a proxy on this machine, without port. A socket that systemd \
        passes replaces both.
        """)
    let socketMode = Setting(
        "socket_mode", .permissions, default: 0o660,
        "Permissions of the Unix socket in host; who may write to it may connect.")
    let socketGroup = Setting(
        "socket_group", .text, default: "", "Group of the Unix socket in host; empty leaves that of the process.")
    package let port = Setting(
        "port", .integer(0...65_535), default: 8080, "Port to listen on; 0 lets the system choose.")

    // TLS.
    let tlsCertificate = Setting(
        "tls_certificate", .path, default: nil,
        """
        PEM file with the certificate followed by its chain. With tls_key, the port speaks TLS. SIGHUP reloads both \
        files without closing a connection.
        """)
    let tlsKey = Setting("tls_key", .path, default: nil, "PEM file with the certificate's key, without a passphrase.")
    let httpRedirectPort = Setting(
        "http_redirect_port", .integer(0...65_535), default: 0,
        "With TLS: a second port, without TLS, that redirects every request to the first; 0 disables it.")
    let hstsMaxAge = Setting(
        "hsts_max_age_seconds", .integer(0...315_360_000, unit: "seconds"), default: 31_536_000,
        """
        With TLS: how long browsers must use TLS only (Strict-Transport-Security); 0 omits the field, which does not \
        revoke what browsers already remember.
        """)

    // Database.
    package let databaseURL = Setting(
        "database_url", .databaseURL, default: SQLDatabaseURL(sqlitePath: "data/subguard.sqlite"), isSecret: true,
        """
        Database URL: sqlite:PATH, relative to the working directory or absolute, or \
        postgres://USER:PASSWORD@HOST/NAME as libpq reads it.
        """)
    let databaseConnections = Setting(
        "database_connections", .integer(2...1000), default: 12, "With PostgreSQL: maximum number of connections.")
    package let databaseReadURL = Setting(
        "database_read_url", .optionalDatabaseURL, default: nil, isSecret: true,
        """
        With PostgreSQL: URL of a standby for figures, lists, search and exports. A read goes there only once the \
        standby has everything that was committed before; else it goes to the primary.
        """)
    package let databaseSynchronousStandbys = Setting(
        "database_synchronous_standbys", .integer(0...8), default: 0,
        """
        With PostgreSQL: number of standbys that must have a commit on disk before it is acknowledged. The server does \
        not start, and /readyz is 503, while the database's settings promise less.
        """)

    // Log.
    package let logLevel = Setting(
        "log_level", .choice(), default: Logger.Level.info,
        "Minimum log level. Each request is one line at info, so notice disables request logging.")
    package let logFormat = Setting(
        "log_format", .choice(), default: LogFormat.text,
        "Format of a log line: text for people, json for log collectors. The log goes to standard error.")

    // Server.
    let loops = Setting("loops", .integer(0...64), default: 0, "Number of event loops; 0 means one per core.")
    package let workers = Setting(
        "workers", .integer(1...256), default: 16,
        "Threads for requests that need the database. SQLite has one writer, so many threads only wait for each other.")
    let maximumConnections = Setting(
        "maximum_connections", .integer(1...1_000_000), default: 16_384,
        """
        Maximum number of open connections; beyond it the connection that has been idle longest is closed. One client \
        (an IPv4 address or an IPv6 /64) may have 1024, trusted proxies and this machine any number.
        """)
    let maximumBodyMemory = Setting(
        "maximum_body_memory_mebibytes", .mebibytes(1...1_048_576), default: 64 << 20,
        """
        Memory for the bodies of all requests together; beyond it the server responds 503. One client gets at most a \
        quarter, except for large administrative bodies, which are read only after the token was checked.
        """)
    let maximumAnswerMemory = Setting(
        "maximum_answer_memory_mebibytes", .mebibytes(1...1_048_576), default: 64 << 20,
        """
        Memory for responses that clients have not read yet; beyond it a response becomes 503, or is truncated if it \
        has begun. One client gets at most a quarter.
        """)
    let idleTimeout = Setting(
        "idle_timeout_seconds", .seconds(1...3600), default: .seconds(75),
        """
        How long a connection may stay idle between requests. Longer than your proxy keeps its connections (usually 60 \
        seconds), so that it never sends a request on one that is being closed.
        """)
    let drainTimeout = Setting(
        "drain_timeout_seconds", .seconds(1...600), default: .seconds(8),
        "How long running requests may take to finish after SIGTERM.")

    // Limits.
    let rateLimitEnabled = Setting(
        "rate_limit_enabled", .boolean, default: true,
        "Whether requests are rate-limited per client. Disable it for load tests only.")
    let eventUnitsPerMinute = Setting(
        "event_units_per_minute", .integer(50_000...1_000_000_000), default: 75_000,
        """
        Events that all clients together may send per minute, in units of 128 bytes on disk; most events are one or \
        two units. One client may use four fifths; a fifth is reserved for clients that send little.
        """)
    let newUsersPerHour = Setting(
        "new_users_per_hour", .integer(37_500...1_000_000_000), default: 150_000,
        """
        Users that all clients together may report for the first time per hour. One client may use two fifteenths, ten \
        times as many with signed batches; a fifth is reserved for clients that report few.
        """)
    let maximumStoreSize = Setting(
        "maximum_store_mebibytes", .mebibytes(0...1_073_741_824), default: 20_480 << 20,
        """
        Size of the database at which devices get 503 storage_full; 0 disables the limit. From 80 % on, the log, \
        /readyz, /metrics and an alert warn.
        """)
    let minimumFreeDisk = Setting(
        "minimum_free_disk_mebibytes", .mebibytes(0...1_073_741_824), default: 512 << 20,
        "With SQLite: free disk space below which devices get 503 storage_full; 0 disables the check.")
    let trustedProxies = Setting(
        "trusted_proxies", .addressRanges, default: [],
        """
        Addresses and ranges (10.0.0.0/8) of your reverse proxies, comma-separated. The client's address is read from \
        the field that they set (client_address_header). Without this setting, all clients behind a proxy share one \
        rate limit.
        """)
    let clientAddressHeader = Setting(
        "client_address_header", .choice(), default: ClientAddress.Header.automatic,
        """
        The field in which the trusted proxies name the client; auto means X-Forwarded-For or Forwarded. Name only a \
        field that your proxy sets itself in every request, because a client can send it too.
        """)
    let corsOrigins = Setting(
        "cors_origins", .origins, default: [],
        """
        Origins of web pages that may call the routes for devices and SDKs (CORS), comma-separated; * means all. \
        Empty: none for devices, all for Sentry and PostHog SDKs, whose keys are public. Never administration.
        """)

    // Console.
    package let publicURL = Setting(
        "public_url", .publicURL, default: nil,
        """
        Address under which browsers reach this server, such as https://subguard.example.com, or \
        https://example.com/subguard behind a proxy. The console accepts requests for it and prints links to it; \
        without this setting, a server that listens on this machine only accepts localhost.
        """)
    package let proxyRemovesPath = Setting(
        "proxy_removes_path", .boolean, default: false,
        """
        Whether the proxy removes the path of public_url before it passes a request on. Only one of both spellings is \
        answered through it, so that no rule of the proxy about a path can be avoided.
        """)
    package let consoleEnabled = Setting(
        "console_enabled", .boolean, default: true, "Whether the server has the console, /console.")
    package let oidcIssuer = Setting(
        "oidc_issuer", .url(schemes: HTTPGet.schemes), default: nil,
        """
        Issuer of an OpenID Connect provider whose people may sign in to the console, exactly as the provider spells \
        it; http:// is allowed only on this machine. Needs oidc_client_id, oidc_roles and public_url.
        """)
    package let oidcClientID = Setting(
        "oidc_client_id", .text, default: "",
        "Id of this server at the provider; the redirect URI there is public_url with /console/oidc/callback.")
    package let oidcClientSecret = Setting(
        "oidc_client_secret", .text, default: "", isSecret: true,
        "Secret of oidc_client_id; empty for a public client, which PKCE alone protects.")
    package let oidcName = Setting(
        "oidc_name", .text, default: "OpenID Connect", "Name of the provider on the button of the sign-in page.")
    package let oidcRoles = Setting(
        "oidc_roles", .openIDRoles, default: [],
        """
        Roles by group or verified mail address, comma-separated; the first that matches counts, and without a match \
        the sign-in is refused: group:admins=owner, mail:ann@example.com=analyst.
        """)
    package let oidcScopes = Setting(
        "oidc_scopes", .openIDScopes, default: ["openid", "email", "profile"],
        "Scopes to ask the provider for, comma-separated, openid among them; some need groups for groups."
    )

    // Operations.
    let metricsToken = Setting(
        "metrics_token", .accessKey, default: "", isSecret: true,
        "Bearer token that GET /metrics requires; empty means that no token is required.")
    let metricsPort = Setting(
        "metrics_port", .integer(0...65_535), default: 0,
        """
        Port of a second listener, without TLS, that serves only /metrics, /healthz and /readyz; the main port then \
        responds 404 to /metrics. 0 disables it.
        """)
    let metricsHost = Setting(
        "metrics_host", .address, default: "127.0.0.1", "IPv4 or IPv6 address on which metrics_port listens.")

    // Analytics and retention.
    let reportsTimeZone = Setting(
        "reports_time_zone", .timeZone, default: "UTC",
        """
        Time zone in which days, weeks and months of the figures begin at midnight, such as Europe/Paris. A change \
        counts all days again whose raw events are still there.
        """)
    let analyticsRetentionDays = Setting(
        "analytics_retention_days", .integer(1...3650, unit: "days"), default: 90,
        "How long raw events are kept; the figures made from them remain.")
    let analyticsIDDays = Setting(
        "analytics_id_days", .integer(1...EventIDIndexShape.longestMemory, unit: "days"),
        default: EventIDIndexShape.longestMemory,
        """
        How long the ids of events are remembered, so that an event sent again is not counted again. Fewer days need \
        less disk space and memory, but an event that a device sends again after that time counts twice; after 401 \
        days it would be rejected as too old. Ids are remembered at least two days longer than events are kept.
        """)
    let eventIDMemory = Setting(
        "event_id_memory", .mebibytes(1...1_048_576), default: 256 << 20,
        """
        Memory for the filters that recognise new event ids, 2 bytes an id. Filters beyond it are in a file without a \
        name, beside an SQLite file or in the folder for temporary files.
        """)
    package let eventSinkURL = Setting(
        "event_sink_url", .eventSink, default: nil,
        """
        ClickHouse that gets a copy of every event, as clickhouse://USER@HOST1,HOST2/DATABASE?cluster=NAME. \
        Connections use TLS at port 8443; with tls=off, plain HTTP at port 8123, on this machine and private networks \
        only. Empty: no copies.
        """)
    let eventSinkPassword = Setting(
        "event_sink_password", .text, default: "", isSecret: true, "Password of the user in event_sink_url.")
    let sinkRetentionDays = Setting(
        "sink_retention_days", .integer(0...36_500, unit: "days"), default: 0,
        "How long events stay in ClickHouse, in whole weeks; 0 means for ever.")

    // Files.
    let logoFolder = Setting(
        "logo_folder", .path, default: nil,
        "Folder of the logos. Empty means the folder logos beside an SQLite file, or the PostgreSQL database itself."
    )
    let backupFolder = Setting(
        "backup_folder", .path, default: nil,
        "Folder of the backups. Empty means the folder backups beside the database.")
    package let backupIntervalHours = Setting(
        "backup_interval_hours", .integer(0...8760, unit: "hours"), default: 0,
        "How often the server makes a backup; 0 disables automatic backups.")
    package let backupKeep = Setting(
        "backup_keep", .integer(1...1000), default: 7, "Number of backups to keep; older ones are deleted.")
    let backupDrill = Setting(
        "backup_drill", .boolean, default: true,
        "Whether the server verifies each of its backups by restoring it into a temporary folder.")

    // Other ingest protocols.
    package let ingestSentryKey = Setting(
        "ingest_sentry_key", .accessKey, default: "", isSecret: true,
        """
        Public key of the DSN for Sentry SDKs, http://KEY@HOST:PORT/ingest/PROJECT; empty disables their crash \
        reports.
        """)
    let ingestProjectID = Setting(
        "ingest_project_id", .accessKey, default: "1",
        "Project ID in the DSN of ingest_sentry_key: the last part of its path.")
    let ingestPostHogKey = Setting(
        "ingest_posthog_key", .accessKey, default: "", isSecret: true,
        "Project API key of PostHog SDKs; empty disables POST /batch/, to which they send events.")
    let ingestSigningKeys = Setting(
        "ingest_signing_keys", .signingKeys, default: [], isSecret: true,
        """
        Keys that apps sign event batches with, written name:base64 (16 to 64 bytes each), comma-separated; several at \
        once allow rotation.
        """)
    let ingestSignatures = Setting(
        "ingest_signatures", .choice(), default: IngestSignatures.Mode.off,
        "Signatures of event batches: not checked (off), checked and marked if present (accept), or required (require)."
    )
    let crashRetentionDays = Setting(
        "crash_retention_days", .integer(31...3650, unit: "days"), default: 90,
        "How long hourly session counts, and crash groups without new reports, are kept.")
    let knownReleases = Setting(
        "known_releases", .releases, default: [],
        """
        Releases of your app, comma-separated, such as 1.4.0,app@2.*; a * at the end matches anything. Other releases \
        count as (other). Empty counts every release under its own name.
        """)

    // Alerts.
    let alertsSlackWebhookURLs = Setting(
        "alerts_slack_webhook_url", .urls(schemes: HTTPPost.schemes), default: [], isSecret: true,
        "Slack incoming webhooks for alerts, up to ten, comma-separated.")
    let alertsSMTPURL = Setting(
        "alerts_smtp_url", .url(schemes: MailSubmission.schemes, allowsCredentials: true), default: nil, isSecret: true,
        """
        Mail server for alerts: smtp://user:password@host:587 (STARTTLS) or smtps://host (TLS from the start), user \
        and password percent-encoded. Needs alerts_email_from and alerts_email_to.
        """)
    let alertsSMTPAllowPlain = Setting(
        "alerts_smtp_allow_plain", .boolean, default: false,
        "Whether smtp:// may continue without STARTTLS; the loopback address always may.")
    let alertsSMTPGreeting = Setting(
        "alerts_smtp_ehlo_name", .hostName, default: "",
        """
        The name with which the server greets the mail server (EHLO); empty means the host of public_url, else the \
        name of this machine. Some mail servers refuse a name that is not fully qualified.
        """)
    let alertsEmailFrom = Setting(
        "alerts_email_from", .mailboxes(maximumCount: 1), default: [],
        "Sender of alert mails: alerts@example.org or SubGuard <alerts@example.org>.")
    let alertsEmailTo = Setting(
        "alerts_email_to", .mailboxes(maximumCount: 50), default: [],
        "Recipients of alert mails, at most 50, comma-separated.")
    let alertsWebhookURLs = Setting(
        "alerts_webhook_url", .urls(schemes: HTTPPost.schemes), default: [], isSecret: true,
        """
        Your own addresses for alerts, up to ten, comma-separated. Alerts are sent as signed POST requests. Needs \
        alerts_webhook_secret.
        """)
    let alertsWebhookSecret = Setting(
        "alerts_webhook_secret", .text, default: "", isSecret: true,
        """
        Key that signs the requests to alerts_webhook_url; for several addresses, one for all or, comma-separated, one \
        for each.
        """)
    let alertsAllowPrivateTargets = Setting(
        "alerts_allow_private_targets", .boolean, default: false,
        "Whether alerts, and requests to oidc_issuer, may be sent to private or loopback addresses.")
    let alertsPermittedHosts = Setting(
        "alerts_permitted_hosts", .hosts, default: [],
        """
        Hosts, comma-separated, that may receive alerts, or be the provider of oidc_issuer, even if their addresses \
        are private or loopback addresses.
        """)
    let alertsCAFile = Setting(
        "alerts_ca_file", .path, default: nil,
        """
        PEM file of certificate authorities to trust for alert targets, oidc_issuer, rates_url and event_sink_url, in \
        addition to the system's.
        """)
    let alertsWeeklyDigest = Setting(
        "alerts_weekly_digest", .boolean, default: false,
        "Whether to send the figures of the week through the alert channels, on Mondays at 08:00 in reports_time_zone.")

    // Exchange rates.
    let ratesURL = Setting(
        "rates_url", .url(schemes: HTTPGet.schemes), default: nil,
        """
        Address of reference rates in a form of the European Central Bank (CSV, XML, zip), fetched once a day for \
        devices; http:// is allowed only on this machine. Empty: no rates are fetched.
        """)

    // Apple.
    let appleClientIDs = Setting(
        "apple_client_ids", .texts, default: [],
        """
        Bundle and services ids of the apps whose users may sign in with Apple, comma-separated; empty disables \
        sign-in.
        """)
    package let appleKeysURL = Setting(
        "apple_keys_url", .url(schemes: HTTPGet.schemes),
        default: OutboundURL("https://appleid.apple.com/auth/keys", schemes: HTTPGet.schemes),
        "Address of Apple's public keys; http:// is allowed only on this machine.")
    let appStoreBundleID = Setting(
        "app_store_bundle_id", .text, default: "",
        "Bundle id of the app whose purchases give premium; empty disables purchases.")
    package let appStoreEnvironment = Setting(
        "app_store_environment", .appStoreEnvironments, default: [.production],
        """
        Environments of the App Store whose purchases give premium, comma-separated: Production for customers, \
        Sandbox for testers. App Review and TestFlight buy in the Sandbox with the app that customers have.
        """)
    let appStoreAppID = Setting(
        "app_store_app_id", .integer(0...Int.max), default: 0,
        "Apple's number of the app, required in notifications from Production; 0 accepts any.")
    let premiumForAll = Setting(
        "premium_for_all", .boolean, default: false,
        """
        Gives premium to every client of this server, with or without an account, for 30 days from each time it asks. \
        For those who host it for themselves or their family.
        """)
    let appStoreProductIDs = Setting(
        "app_store_product_ids", .texts, default: [],
        "Products that give premium, comma-separated; empty means every lasting product of the app.")
    let appStoreRootCertificates = Setting(
        "app_store_root_certificates", .texts, default: [],
        """
        PEM files of the accepted root certificates, comma-separated, for tests; empty means Apple Root CA - G3.
        """)

    /// Every setting, in the order of the declarations above.
    package static let all: [any DeclaredSetting] = Mirror(reflecting: Settings.list).children.compactMap {
        $0.value as? any DeclaredSetting
    }
    static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
}
