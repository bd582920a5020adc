import BackendHTTP
import Foundation
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct SettingsTests {
    private static let example = RepositoryFile.url("Config/subguardd.yaml").path

    private func settings(
        flags: [(key: String, value: String)] = [], environment: [String: String] = [:], file: String? = nil
    ) throws -> Settings { try Settings(flags: flags, environment: environment, file: file) }

    private func faults(
        flags: [(key: String, value: String)] = [], environment: [String: String] = [:], file: String? = nil
    ) -> [String] {
        do {
            _ = try settings(flags: flags, environment: environment, file: file)
            return []
        } catch let error as SettingsError {
            return error.faults.map(\.key)
        } catch {
            return ["\(error)"]
        }
    }

    private func written(_ text: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(text, to: "settings.yaml")
        return folder.file("settings.yaml")
    }

    @Test func idsAreRememberedUntilTheirEventsArePurged() throws {
        func days(_ flags: [(key: String, value: String)]) throws -> Int { try settings(flags: flags).daysOfEventIDs }
        #expect(try days([]) == 401)
        #expect(try days([("analytics_id_days", "10")]) == 92)
        #expect(try days([("analytics_id_days", "10"), ("analytics_retention_days", "5")]) == 10)
        #expect(try days([("analytics_id_days", "10"), ("analytics_retention_days", "3650")]) == 401)
        #expect(faults(flags: [("analytics_id_days", "402")]) == ["--set analytics_id_days"])
    }

    @Test func takesTheStrongestSourceAndNamesIt() throws {
        let folder = try TemporaryFolder()
        let file = try written("port: 1001\nworkers: 3\nlog_level: debug\n", in: folder)
        let settings = try settings(
            flags: [("port", "1003")], environment: ["SUBGUARD_PORT": "1002", "SUBGUARD_WORKERS": "5", "HOME": "/"],
            file: file)
        func origin(_ key: String) -> Settings.Origin? { settings.entries.first { $0.setting.key == key }?.origin }
        #expect(settings[\.port] == 1003 && origin("port") == .flag)
        #expect(settings[\.workers] == 5 && origin("workers") == .environment)
        #expect("\(settings[\.logLevel])" == "debug" && origin("log_level") == .file(file))
        #expect(settings[\.host] == "127.0.0.1" && origin("host") == .standard)
    }

    @Test func namesEveryFaultAtOnce() throws {
        let folder = try TemporaryFolder()
        let file = try written("colour: red\nloops: many\nhost: [a: b]\n", in: folder)
        let faults = faults(
            flags: [("speed", "1")],
            environment: ["SUBGUARD_PORT": "65536", "SUBGUARD_PROT": "1", "SUBGUARD_RATE_LIMIT_ENABLED": "yes"],
            file: file)
        #expect(
            Set(faults) == [
                "--set speed", "SUBGUARD_PROT", "colour", "host", "SUBGUARD_PORT", "loops",
                "SUBGUARD_RATE_LIMIT_ENABLED",
            ])
        #expect(self.faults(file: folder.file("missing.yaml")) == ["--config"])
        #expect(self.faults(file: try written("a: [", in: folder)) == ["--config"])
    }

    @Test func namesTheFileOfAFault() throws {
        let folder = try TemporaryFolder()
        let file = try written("log_level: 'loud'\ntls_key: k.pem\nhttp_redirect_port: 80\n", in: folder)
        let error = #expect(throws: SettingsError.self) {
            try settings(environment: ["SUBGUARD_PORT": "80", "SUBGUARD_WORKERS": "0"], file: file)
        }
        let lines = try #require(error).description.split(separator: "\n")
        #expect(lines.count == 4)
        for line in lines {
            #expect(line.hasSuffix(" (in \(file))") == !line.contains("SUBGUARD_"), "\(line)")
        }
    }

    /// Not the text "null", which would be a secret that anyone can guess.
    @Test(arguments: ["null", "~", "Null"]) func aSettingIsNeverYAMLsNull(_ value: String) throws {
        let folder = try TemporaryFolder()
        #expect(faults(file: try written("metrics_token: \(value)\n", in: folder)) == ["metrics_token"])
        #expect(faults(file: try written("metrics_token: '\(value)'\n", in: folder)) == [])
    }

    @Test func ignoresWhatKubernetesSetsForAServiceOfThisName() throws {
        let service = [
            "SUBGUARD_PORT": "tcp://10.96.0.5:8080", "SUBGUARD_SERVICE_HOST": "10.96.0.5",
            "SUBGUARD_SERVICE_PORT": "8080", "SUBGUARD_SERVICE_PORT_HTTP": "8080",
            "SUBGUARD_PORT_8080_TCP": "tcp://10.96.0.5:8080", "SUBGUARD_PORT_8080_TCP_PROTO": "tcp",
            "SUBGUARD_PORT_8080_TCP_PORT": "8080", "SUBGUARD_PORT_8080_TCP_ADDR": "fd00:10:96::5",
            // Of services called subguard-metrics and subguard-db.
            "SUBGUARD_METRICS_PORT": "tcp://[fd00:10:96::7]:9090", "SUBGUARD_DB_SERVICE_HOST": "10.96.0.6",
            "SUBGUARD_DB_PORT_5432_UDP": "udp://10.96.0.6:5432",
        ]
        let settings = try settings(environment: service)
        #expect(settings[\.port] == 8080 && settings.entries.first { $0.setting.key == "port" }?.origin == .standard)
        #expect(settings.ignoredVariables == service.keys.sorted())
        // Mistakes of people.
        for (name, value) in [
            ("SUBGUARD_PORT", "8080/tcp"), ("SUBGUARD_PORT", "tcp://"), ("SUBGUARD_PORT", "http://10.96.0.5:8080"),
            ("SUBGUARD_HTTP_PORT", "8080"), ("SUBGUARD_PORT_8080", "1"), ("SUBGUARD_SERVICE_HOST", ""),
            ("SUBGUARD_SERVICE_PORT", "http"), ("SUBGUARD_PORT_8080_TCP_NAME", "x"),
        ] {
            #expect(faults(environment: [name: value]) == [name], "\(name)=\(value)")
        }
    }

    @Test func takesSecretsFromFilesAsToolsWriteThem() throws {
        let folder = try TemporaryFolder()
        func read(_ bytes: String) throws -> [String: String] {
            try folder.write(bytes, to: "key")
            return ["SUBGUARD_INGEST_SENTRY_KEY_FILE": folder.file("key")]
        }
        for ending in ["", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n"] {
            #expect(try settings(environment: read("k1" + ending))[\.ingestSentryKey] == "k1")
            #expect(try settings(environment: read("\u{FEFF}k1" + ending))[\.ingestSentryKey] == "k1")
        }
        for inner in ["k\r\n1", "k\n1\n", "\rk1", "k\u{0}1", "k\t1", "k\u{85}1"] {
            #expect(
                try faults(environment: read(inner)) == ["SUBGUARD_INGEST_SENTRY_KEY_FILE"], "\(inner.debugDescription)"
            )
        }
    }

    @Test func takesListsOnlyWhereThereMayBeSeveralValues() throws {
        let folder = try TemporaryFolder()
        #expect(
            try faults(file: written("port: [8080]\nlog_level: [info]\n", in: folder)).sorted() == [
                "log_level", "port",
            ])
        let both = try settings(file: written("app_store_environment: [Production, Sandbox]\n", in: folder))
        #expect(both[\.appStoreEnvironment] == [.production, .sandbox])
        #expect(faults(environment: ["SUBGUARD_APP_STORE_ENVIRONMENT": ""]) == ["SUBGUARD_APP_STORE_ENVIRONMENT"])
        #expect(faults(environment: ["SUBGUARD_APP_STORE_ENVIRONMENT": "Xcode"]) == ["SUBGUARD_APP_STORE_ENVIRONMENT"])
    }

    @Test func takesAddressesOnlyWhereAddressesBelong() {
        #expect(
            Set(faults(environment: ["SUBGUARD_TRUSTED_PROXIES": "10.0.0.1,foo", "SUBGUARD_HOST": "256.0.0.1"])) == [
                "SUBGUARD_TRUSTED_PROXIES", "SUBGUARD_HOST",
            ])
        #expect(faults(environment: ["SUBGUARD_TRUSTED_PROXIES": "10.0.0.0/33"]) == ["SUBGUARD_TRUSTED_PROXIES"])
        #expect(faults(environment: ["SUBGUARD_TRUSTED_PROXIES": "10.0.0.0/8, ::1", "SUBGUARD_HOST": "::1"]).isEmpty)
    }

    @Test func needsCertificateAndKeyTogether() throws {
        let folder = try TemporaryFolder()
        #expect(faults(environment: ["SUBGUARD_TLS_CERTIFICATE": "/c.pem"]) == ["SUBGUARD_TLS_KEY"])
        #expect(faults(flags: [("tls_key", "/k.pem")]) == ["--set tls_certificate"])
        #expect(faults(file: try written("tls_key: k.pem\ntls_certificate: ''\n", in: folder)) == ["tls_certificate"])
        let both = ["SUBGUARD_TLS_CERTIFICATE": "/c.pem", "SUBGUARD_TLS_KEY": "/k.pem"]
        #expect(faults(environment: both).isEmpty)
        #expect(faults(environment: ["SUBGUARD_HTTP_REDIRECT_PORT": "8081"]) == ["SUBGUARD_HTTP_REDIRECT_PORT"])
        #expect(faults(environment: both.merging(["SUBGUARD_HTTP_REDIRECT_PORT": "8081"]) { $1 }).isEmpty)
        #expect(
            faults(environment: both.merging(["SUBGUARD_HTTP_REDIRECT_PORT": "8080"]) { $1 }) == [
                "SUBGUARD_HTTP_REDIRECT_PORT"
            ])
    }

    @Test func needsAPortOfItsOwnForMetrics() {
        #expect(faults(environment: ["SUBGUARD_METRICS_PORT": "8080"]) == ["SUBGUARD_METRICS_PORT"])
        #expect(faults(flags: [("metrics_port", "9000"), ("port", "9000")]) == ["--set metrics_port"])
        #expect(faults(environment: ["SUBGUARD_METRICS_PORT": "9000"]).isEmpty)
        #expect(faults(environment: ["SUBGUARD_METRICS_TOKEN": "two words"]) == ["SUBGUARD_METRICS_TOKEN"])
        #expect(faults(environment: ["SUBGUARD_METRICS_HOST": "localhost"]) == ["SUBGUARD_METRICS_HOST"])
    }

    @Test func leavesTheVariablesOfOtherProgramsAlone() {
        #expect(faults(environment: ["SUBGUARD_PREMIUM": "true", "SUBGUARD_TOKEN": "sgt_x"]).isEmpty)
    }

    @Test func readsSecretsFromFilesAndNeverPrintsThem() throws {
        let folder = try TemporaryFolder()
        try folder.write("postgres://ada:s3cr3t@db.example:5432/subguard\n", to: "url")
        let settings = try settings(environment: ["SUBGUARD_DATABASE_URL_FILE": folder.file("url")])
        #expect("\(settings[\.databaseURL])" == "postgres://ada:***@db.example:5432/subguard")
        expect(SettingsReport.text(settings), contains: ["db.example"], lacks: ["s3cr3t"])
        #expect(
            faults(environment: ["SUBGUARD_DATABASE_URL_FILE": folder.file("url"), "SUBGUARD_DATABASE_URL": "sqlite:a"])
                == ["SUBGUARD_DATABASE_URL"])
        do {
            _ = try self.settings(environment: ["SUBGUARD_DATABASE_URL": "mysql://ada:s3cr3t@db"])
            Issue.record("must be refused")
        } catch {
            expect("\(error)", contains: ["SUBGUARD_DATABASE_URL"], lacks: ["s3cr3t"])
        }
    }

    /// Under a path that begins like one of the server's, a proxy that removes it could not be told from one that does
    /// not.
    @Test func thePublicPathIsNoneOfTheServers() throws {
        let own = Set(APIOperation.all.compactMap { $0.path.split(separator: "/").first.map(String.init) })
        #expect(own.count > 5)
        for segment in own.union(["console"]) {
            for path in [segment, "\(segment)/x"] {
                let found = faults(flags: [("public_url", "https://h.example/\(path)")])
                #expect(found.count == 1, "\(path)")
            }
        }
        for path in ["", "/", "/guard", "/guard/", "/a/b.c/~d_e-1", "/consoles", "/x/api"] {
            #expect(faults(flags: [("public_url", "https://h.example:8443\(path)")]) == [], "\(path)")
        }
        for path in ["//guard", "/a//b", "/a%20b", "/a?b", "/a#b", "/a;b", "/é"] {
            #expect(faults(flags: [("public_url", "https://h.example\(path)")]).count == 1, "\(path)")
        }
    }

    /// A message names the setting as spelled in its source, and the allowed values.
    @Test(arguments: [
        ("port", "65536", "must be a whole number, 0 to 65535"),
        ("drain_timeout_seconds", "0", "must be a whole number, 1 to 600 seconds"),
        ("maximum_body_memory_mebibytes", "1.5", "must be a whole number, 1 to 1048576 MiB"),
        ("app_store_app_id", "-1", "must be a whole number, 0 or more"),
        ("log_format", "xml", "must be one of text, json"), ("backup_drill", "yes", "must be true or false"),
        ("alerts_email_from", "a@x.example,b@x.example", "must be one mail address"),
        ("alerts_slack_webhook_url", "ftp://x", "must be up to ten different addresses that begin with http:// or"),
        ("alerts_webhook_url", "https://a.example,https://a.example", "must be up to ten different addresses"),
        ("alerts_webhook_url", "https://u:p@a.example", "must be up to ten different addresses"),
        ("database_url", "sqlite::memory:", "an SQLite store is a file"), ("prot", "1", "is not a setting"),
    ])
    func saysWhatIsAllowed(key: String, value: String, detail: String) {
        do {
            _ = try settings(flags: [(key, value)])
            Issue.record("must be refused")
        } catch {
            #expect("\(error)".hasPrefix("configuration: --set \(key): \(detail)"), "\(error)")
        }
    }

    /// The file in the repository equals the output of `subguardd config example`: every setting with its description
    /// and default, and every default is valid.
    @Test func writesItsOwnExample() throws {
        #expect(
            try String(contentsOfFile: Self.example, encoding: .utf8) == SettingsReport.example(),
            "write it anew: subguardd config example > Config/subguardd.yaml")
        let settings = try settings(file: Self.example)
        #expect(settings.entries.count > 70)
        for entry in settings.entries {
            #expect(entry.origin == .file(Self.example), "\(entry.setting.key)")
            #expect(entry.text == entry.setting.standardText, "\(entry.setting.key)")
        }
    }

    /// An empty text is a value and does not select the default.
    @Test func takesAnEmptyValueForNone() throws {
        #expect(try settings()[\.appleKeysURL] != nil)
        #expect(try settings(environment: ["SUBGUARD_APPLE_KEYS_URL": ""])[\.appleKeysURL] == nil)
    }
}
