import CPostgres
import Foundation

/// What a URL of PostgreSQL says, as libpq reads it.
enum PostgresURL {
    /// The values that it names, decoded; nil for one that libpq cannot read.
    static func values(of url: String) -> [String: String]? {
        guard let first = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(first) }
        var values: [String: String] = [:]
        var option = first
        // The last one has no keyword.
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Whether every host is a socket's folder or this machine's loopback, or there is none.
    static func isLocal(_ values: [String: String]) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        let hosts = [values["host"] ?? environment["PGHOST"], values["hostaddr"] ?? environment["PGHOSTADDR"]]
        return hosts.compactMap(\.self).flatMap { $0.split(separator: ",") }.allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        }
    }
}
