import SQLDatabase

/// Copies the contents of logos that a store's catalogue knows, wherever its store and the other one keep them.
///
/// Names are hashes of contents, so what arrived is proven by its name alone, and what is there already is not copied again.
package struct LogoCopy {
    private static let logosAtOnce = 20

    private let source: any LogoContents
    private let target: any LogoContents
    private let skipsMissing: Bool

    /// - Parameter skipsMissing: whether logos that the catalogue knows and that are nowhere are left out. Without it they
    ///   stop the copy before it begins.
    package init(from source: any LogoContents, to target: any LogoContents, skipsMissing: Bool = false) {
        self.source = source
        self.target = target
        self.skipsMissing = skipsMissing
    }

    /// What is to be copied.
    struct Plan {
        /// In their order.
        let names: [String]
        /// Those that are nowhere.
        let missing: [String]
    }

    /// Reads nothing but names. Throws ``StoreCopy/Failure/logosMissing(_:of:first:)``.
    func plan(in session: any SQLSession) throws -> Plan {
        let known = try session.query("SELECT file_name FROM catalogue_logos ORDER BY file_name") { try $0.text(0) }
        let there = Set(try source.names()).union(try target.names())
        let missing = known.filter { !there.contains($0) }
        if let first = missing.first, !skipsMissing {
            throw StoreCopy.Failure.logosMissing(missing.count, of: known.count, first: first)
        }
        return Plan(names: known.filter(there.contains), missing: missing)
    }

    /// Copies what the target lacks. What is there stays when `progress` throws.
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

    /// Reads the target whole. Throws ``StoreCopy/Failure/differentLogo(_:)``.
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
