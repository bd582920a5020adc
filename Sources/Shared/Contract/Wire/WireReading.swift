package import JSONWire
package import SubGuardDomain

/// Collects the faults of one input and tracks the current position in it.
///
/// Use one instance per input and thread.
package final class WireReading {
    /// How to handle undeclared members.
    package enum Unknown: Sendable {
        /// Note a fault for each.
        case refused
        /// Skip them.
        case ignored
    }

    private enum Step {
        case member(String)
        case element(Int)
    }

    package private(set) var faults: FaultList
    let unknown: Unknown
    /// Whether all values are texts, as in a query or form; numbers are then parsed from text.
    let isText: Bool
    private let place: JSONPointer
    private var path: [Step] = []

    /// - Parameters:
    ///   - place: the position of the input in a larger one, such as a row of a file.
    ///   - maximumFaults: maximum number of faults kept; the others are counted.
    package init(
        unknown: Unknown = .refused, texts: Bool = false, at place: JSONPointer = .root,
        maximumFaults: Int = FaultList.maximumFaults
    ) {
        self.unknown = unknown
        isText = texts
        self.place = place
        faults = FaultList(limit: maximumFaults)
    }

    /// Notes a fault at the current position. Pointer and sentence are created only for faults that are kept.
    package func note(_ code: FaultCode, _ sentence: @autoclosure () -> Sentence) {
        faults.note(Fault(pointer, code, sentence()))
    }

    /// The text of a JSON string. Notes a fault for any other type.
    package func text(_ json: JSONValue) -> String? {
        let text = json.stringValue
        if text == nil { note(.invalidType, "Must be a string.") }
        return text
    }

    /// Reads a member: faults noted in `body` refer to it.
    package func at<T>(_ member: String, _ body: () -> T) -> T { at(.member(member), body) }

    /// Reads an array element: faults noted in `body` refer to it.
    package func at<T>(_ element: Int, _ body: () -> T) -> T { at(.element(element), body) }

    private func at<T>(_ step: @autoclosure () -> Step, _ body: () -> T) -> T {
        // Without room for another fault nothing asks for the pointer.
        guard !faults.isFull else { return body() }
        path.append(step())
        defer { path.removeLast() }
        return body()
    }

    private var pointer: String {
        // Parameters are named as sent; the limit keeps an unknown name from enlarging the response.
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
