/// The faults of one input: the first ones in the order in which they were found, and the number of all others.
///
/// Every reader of bodies and queries collects its faults here. So an answer that names faults has a bounded size
/// however many the input has, and a fault beyond the bound costs no more than counting it.
package struct FaultList<Fault: Sendable>: Sendable {
    /// The largest number of faults that are kept, at least 0.
    package let limit: Int
    private var kept: [Fault] = []
    /// Faults that were counted and not kept. Exact as far as the input was read; a reader that stops early documents it.
    package private(set) var omitted = 0

    package init(limit: Int = FaultLimits.maximumFaults) { self.limit = limit > 0 ? limit : 0 }

    package var isEmpty: Bool { kept.isEmpty && omitted == 0 }
    /// Whether further faults are counted only.
    package var isFull: Bool { kept.count >= limit }
    /// How many more faults will be kept.
    package var room: Int { limit - kept.count }
    /// Kept and omitted faults.
    package var total: Int { kept.count + omitted }
    package var keptCount: Int { kept.count }
    package var first: Fault? { kept.first }

    /// Adds a fault. The expression is evaluated only when the fault is kept, so a pointer that nobody will see is never
    /// built.
    package mutating func note(_ fault: @autoclosure () -> Fault) {
        if kept.count < limit { kept.append(fault()) } else { omitted += 1 }
    }

    /// Counts faults that somebody else left out.
    package mutating func count(_ omitted: Int) { self.omitted += omitted }

    /// Adds the faults of a part of the input.
    package mutating func note(contentsOf other: FaultList<Fault>) {
        let fitting = other.kept.prefix(room)
        kept += fitting
        omitted += other.total - fitting.count
    }

    /// The same list with each kept fault in another form.
    package func mapping<Other: Sendable>(_ transform: (Fault) -> Other) -> FaultList<Other> {
        var other = FaultList<Other>(limit: limit)
        other.kept = kept.map(transform)
        other.omitted = omitted
        return other
    }
}

/// The bounds of ``FaultList``.
package enum FaultLimits {
    /// Faults that one answer names. More help nobody: whoever mends a hundred sends the input again anyway.
    package static let maximumFaults = 100
}

/// Iterates over the kept faults.
extension FaultList: Sequence {
    package func makeIterator() -> IndexingIterator<[Fault]> { kept.makeIterator() }
}

extension FaultList: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Fault...) {
        self.init()
        for element in elements { note(element) }
    }
}

/// Two lists are equal when they name and count the same faults, whatever their limits.
extension FaultList: Equatable where Fault: Equatable {
    package static func == (left: FaultList, right: FaultList) -> Bool {
        left.kept == right.kept && left.omitted == right.omitted
    }
}

extension FaultList: Hashable where Fault: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(kept)
        hasher.combine(omitted)
    }
}
