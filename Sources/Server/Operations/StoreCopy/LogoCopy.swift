package import Catalogue
import SQLDatabase

/// Copies the logos that the source's catalogue refers to, wherever either side stores them.
///
/// Names are hashes of contents, so a name verifies its content, and existing logos are not copied again.
package struct LogoCopy {
    private static let logosAtOnce = 20

    private let source: any LogoContents
    private let target: any LogoContents
    private let skipsMissing: Bool

    /// - Parameter skipsMissing: whether logos that the catalogue refers to but that cannot be found are skipped.
    ///   Otherwise they prevent the copy.
    package init(from source: any LogoContents, to target: any LogoContents, skipsMissing: Bool = false) {
        self.source = source
        self.target = target
        self.skipsMissing = skipsMissing
    }

    /// The logos to copy.
    struct Plan {
        /// Sorted.
        let names: [String]
        /// Logos that cannot be found.
        let missing: [String]
    }

    /// Reads only names. Throws ``StoreCopy/Failure/logosMissing(_:of:first:)``.
    func plan(in session: any SQLSession) throws -> Plan {
        let known = try session.query("SELECT file_name FROM catalogue_logos ORDER BY file_name") { try $0.text(0) }
        let there = Set(try source.names()).union(try target.names())
        let missing = known.filter { !there.contains($0) }
        if let first = missing.first, !skipsMissing {
            throw StoreCopy.Failure.logosMissing(missing.count, of: known.count, first: first)
        }
        return Plan(names: known.filter(there.contains), missing: missing)
    }

    /// Copies the logos that the target lacks. If `progress` throws, those already copied are kept.
    func copy(_ plan: Plan, to store: any SQLStore, _ progress: (StoreCopy.Step) throws -> Void) throws {
        let there = Set(try target.names())
        var lacking = plan.names.filter { !there.contains($0) }[...]
        while !lacking.isEmpty {
            let files = try lacking.prefix(Self.logosAtOnce).map(original)
            for file in files { try target.prepare(file) }
            try store.write { transaction in
                for file in files { try target.keep(file, in: transaction) }
            }
            lacking = lacking.dropFirst(files.count)
            try progress(.copiedLogos(plan.names.count - lacking.count, of: plan.names.count))
        }
    }

    /// Reads all logos of the target. Throws ``StoreCopy/Failure/differentLogo(_:)``.
    func compare(_ plan: Plan, _ progress: (StoreCopy.Step) throws -> Void) throws {
        for name in plan.names {
            guard let bytes = try target.read(name), LogoFile(bytes, named: name) != nil else {
                throw StoreCopy.Failure.differentLogo(name)
            }
        }
        try progress(.comparedLogos(plan.names.count))
    }

    private func original(_ name: String) throws -> LogoFile {
        guard let bytes = try source.read(name), let file = LogoFile(bytes, named: name) else {
            throw StoreCopy.Failure.damagedLogo(name)
        }
        return file
    }
}
