package import JSONWire
package import SubGuardDomain

/// The faults found so far while one input is read, and the place that is being read.
///
/// One reading belongs to one input and one thread.
package final class WireReading {
    /// What happens to members that are not declared.
    package enum Unknown: Sendable {
        /// Each is a fault.
        case refused
        /// They are skipped.
        case ignored
    }

    private enum Step {
        case member(String)
        case element(Int)
    }

    package private(set) var faults: FaultList
    let unknown: Unknown
    /// Whether all values are texts, as in a query or a form: numbers are then read from their digits.
    let isText: Bool
    private let place: JSONPointer
    private var path: [Step] = []

    /// - Parameters:
    ///   - place: where the input stands in a larger one, such as a row of a file.
    ///   - maximumFaults: how many faults are kept; the others are counted.
    package init(
        unknown: Unknown = .refused, texts: Bool = false, at place: JSONPointer = .root,
        maximumFaults: Int = FaultList.maximumFaults
    ) {
        self.unknown = unknown
        isText = texts
        self.place = place
        faults = FaultList(limit: maximumFaults)
    }

    /// Notes a fault at the present place. The pointer and the detail are made only for faults that are kept.
    package func note(_ code: FaultCode, _ detail: @autoclosure () -> String) {
        faults.note(Fault(pointer, code, detail()))
    }

    /// Reads a member: faults noted in `body` point at it.
    package func at<T>(_ member: String, _ body: () -> T) -> T { at(.member(member), body) }

    /// Reads an element of an array: faults noted in `body` point at it.
    package func at<T>(_ element: Int, _ body: () -> T) -> T { at(.element(element), body) }

    private func at<T>(_ step: Step, _ body: () -> T) -> T {
        path.append(step)
        defer { path.removeLast() }
        return body()
    }

    private var pointer: String {
        // A parameter is named as it is written; the bound keeps an answer from growing with an unknown name.
        if isText, case .member(let name)? = path.first {
            return String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
        }
        return path.reduce(place) { pointer, step in
            switch step {
            case .member(let name): pointer.member(name)
            case .element(let index): pointer.element(index)
            }
        }.text
    }
}
