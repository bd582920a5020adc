/// The faults of one input: the first ones in the order of detection, and the number of further ones.
///
/// Every reader of bodies, queries and files collects its faults here and throws the list. The size of a response is
/// thus bounded, and faults beyond the bound are only counted.
public struct FaultList: Error, Sendable {
    /// Maximum faults listed in one response. More are not useful, because the input is corrected and sent again
    /// anyway.
    public static let maximumFaults = 100

    /// The largest number of faults that are kept, at least 0.
    public let limit: Int
    private var kept: [Fault] = []
    /// Faults that were counted but not kept. Exact for the part that was read; a reader that stops early documents
    /// that.
    public private(set) var omitted = 0

    /// An empty list that keeps the first `limit` faults, and counts the others; a negative limit is 0.
    public init(limit: Int = maximumFaults) { self.limit = limit > 0 ? limit : 0 }

    /// Whether there is no fault, kept or omitted.
    public var isEmpty: Bool { kept.isEmpty && omitted == 0 }
    /// Whether further faults are only counted.
    public var isFull: Bool { kept.count >= limit }
    /// How many more faults can be kept.
    public var room: Int { limit - kept.count }
    /// Kept and omitted faults.
    public var total: Int { kept.count + omitted }
    /// The number of kept faults, at most ``limit``.
    public var keptCount: Int { kept.count }
    /// The first fault that was noted; nil when none is kept.
    public var first: Fault? { kept.first }

    /// Adds a fault. The expression is evaluated only if the fault is kept, so no unused pointer is built.
    public mutating func note(_ fault: @autoclosure () -> Fault) {
        if kept.count < limit { kept.append(fault()) } else { omitted += 1 }
    }

    /// Notes the fault that reading a field throws.
    mutating func collect(_ field: () throws(Fault) -> Void) {
        do throws(Fault) { try field() } catch { note(error) }
    }

    /// Counts faults of which only the number is known.
    public mutating func count(_ omitted: Int) { self.omitted += omitted }

    /// The same faults as those of members of the value at `parent`; see ``Fault/within(_:)``.
    public func within(_ parent: String) -> FaultList {
        var list = self
        list.kept = kept.map { $0.within(parent) }
        return list
    }

    /// Adds the faults of a part of the input.
    public mutating func note(contentsOf other: FaultList) {
        let fitting = other.kept.prefix(room)
        kept += fitting
        omitted += other.total - fitting.count
    }
}

/// Iterates over the kept faults.
extension FaultList: Sequence {
    public func makeIterator() -> IndexingIterator<[Fault]> { kept.makeIterator() }
}

extension FaultList: ExpressibleByArrayLiteral {
    /// A list of these faults; those beyond ``maximumFaults`` are only counted.
    public init(arrayLiteral elements: Fault...) {
        self.init()
        for element in elements { note(element) }
    }
}

/// Lists are equal if they contain and count the same faults, whatever their limits.
extension FaultList: Hashable {
    public static func == (left: FaultList, right: FaultList) -> Bool {
        left.kept == right.kept && left.omitted == right.omitted
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kept)
        hasher.combine(omitted)
    }
}
