import JSONWire
import SubGuardDomain

/// The table of ``CrashRegistry`` as a tree. One walk over an event keeps the listed fields and drops all others.
struct CrashFieldTree: Sendable {
    /// The kind of a scalar; nil for an object.
    private let kind: CrashField.Kind?
    private let members: [(name: String, bytes: [UInt8], tree: CrashFieldTree)]
    /// For a list: how many elements are kept, counted from the end. Nil for a single value.
    private let listed: Int?

    static let kept = CrashFieldTree(
        CrashRegistry.fields.map { (path: $0.path.split(separator: ".").map(String.init), kind: $0.kind) }, listed: nil)

    /// ``kept``, and what ``CrashEventShape`` needs to derive it.
    static let read = CrashFieldTree(
        (CrashRegistry.fields.map { (path: $0.path, kind: $0.kind) } + ofOtherShapes)
            .map { (path: $0.path.split(separator: ".").map(String.init), kind: $0.kind) }, listed: nil)

    private static let ofOtherShapes: [(path: String, kind: CrashField.Kind)] = {
        let trace = "exception.values[].stacktrace."
        let text = CrashField.Kind.text(maximumBytes: CrashRegistry.maximumTextBytes)
        let addresses = ["instruction_addr", "image_addr"].map { (path: "frames[].\($0)", kind: text) }
        let frames =
            CrashRegistry.fields.filter { $0.path.hasPrefix(trace) }
            .map { (path: String($0.path.dropFirst(trace.count)), kind: $0.kind) } + addresses
        let exceptions =
            CrashRegistry.fields.filter { $0.path.hasPrefix("exception.values[].") }
            .map { (path: "exception." + $0.path.dropFirst("exception.values[].".count), kind: $0.kind) }
        let images = ["image_addr", "code_file", "name", "debug_id", "uuid", "arch"]
        return [("timestamp", .number), ("event_id", .word), ("message.message", text), ("message.formatted", text)]
            + exceptions
            + [trace, "exception.stacktrace.", "stacktrace."].flatMap { place in
                addresses.map { (path: place + $0.path, kind: $0.kind) }
            }
            + frames.map { (path: "threads.values[].stacktrace." + $0.path, kind: $0.kind) }
            + [("threads.values[].crashed", .flag), ("threads.values[].current", .flag)]
            + images.map { (path: "debug_meta.images[].\($0)", kind: text) }
            + [("debug_meta.images[].image_size", .number)]
    }()

    /// `fields` have paths relative to this node; an empty path is the node itself.
    private init(_ fields: [(path: [String], kind: CrashField.Kind)], listed: Int?) {
        kind = fields.first { $0.path.isEmpty }?.kind
        self.listed = listed
        var names: [String] = []
        for field in fields where !field.path.isEmpty && !names.contains(field.path[0]) { names.append(field.path[0]) }
        members = names.map { name in
            let below = fields.filter { $0.path.first == name }
                .map { (path: Array($0.path.dropFirst()), kind: $0.kind) }
            guard name.hasSuffix("[]") else { return (name, Array(name.utf8), CrashFieldTree(below, listed: nil)) }
            let bare = String(name.dropLast(2))
            return (bare, Array(bare.utf8), CrashFieldTree(below, listed: Self.length(bare, below)))
        }
    }

    /// How many elements of a list are kept. Of images and threads, none is stored, so all that an app has are read.
    private static func length(_ name: String, _ fields: [(path: [String], kind: CrashField.Kind)]) -> Int {
        switch name {
        case "frames": CrashRegistry.maximumFrames
        case "images": maximumImages
        default: fields.contains { $0.path == ["crashed"] } ? maximumThreads : CrashRegistry.maximumExceptions
        }
    }

    /// An app on iOS loads about 600.
    private static let maximumImages = 2_000
    private static let maximumThreads = 200

    /// Reads the next value to its end. Values outside the tree are skipped, so an event uses no more memory than its
    /// kept fields. The returned values are not scrubbed yet.
    func value(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        guard let listed else { return try one(&reader) }
        guard try reader.peek() == .array else {
            try reader.skipValue()
            return .null
        }
        var elements: [JSONValue] = []
        try reader.beginArray()
        while try reader.nextElement() {
            elements.append(try one(&reader))
            // Dropping elements in bulk is cheaper than shifting the array for each one.
            if elements.count >= 2 * listed { elements.removeFirst(elements.count - listed) }
        }
        return .array(Array(elements.suffix(listed)))
    }

    private func one(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        switch try reader.peek() {
        case .object where !members.isEmpty: return .object(try object(&reader))
        case .array where kind == nil:
            // Old clients send the list without the enclosing object.
            guard let values = members.first(where: { $0.name == "values" }) else {
                try reader.skipValue()
                return .null
            }
            return try values.tree.value(&reader)
        case _ where kind != nil: return try reader.readScalar()
        default:
            try reader.skipValue()
            return .null
        }
    }

    /// Throws `duplicateName` for a field of the tree that occurs twice.
    private func object(_ reader: inout JSONReader) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        var seen: UInt64 = 0
        try reader.beginObject()
        while let key = try reader.nextKey() {
            let index = key.withDecodedBytes { name in members.firstIndex { name.elementsEqual($0.bytes) } }
            guard let index else {
                try reader.skipValue()
                continue
            }
            guard seen & (1 << UInt64(index)) == 0 else {
                throw JSONError(offset: reader.offset(of: key), reason: .duplicateName)
            }
            seen |= 1 << UInt64(index)
            object.members.append((members[index].name, try members[index].tree.value(&reader)))
        }
        return object
    }

    /// Returns the parts of a value that are kept, scrubbed; nil for none.
    func reduce(_ value: JSONValue, _ scrubber: inout CrashScrubber) -> JSONValue? {
        guard let listed else { return reduce(one: value, &scrubber) }
        guard let elements = value.arrayValue else { return nil }
        let kept = elements.suffix(listed).compactMap { reduce(one: $0, &scrubber) }
        return kept.isEmpty ? nil : .array(kept)
    }

    private func reduce(one value: JSONValue, _ scrubber: inout CrashScrubber) -> JSONValue? {
        if let kind { return kind.reduce(value, &scrubber) }
        guard let object = value.objectValue else { return nil }
        let kept = members.compactMap { name, _, tree in
            object[name].flatMap { tree.reduce($0, &scrubber) }.map { (name, $0) }
        }
        return kept.isEmpty ? nil : .object(JSONObject(kept))
    }
}

extension CrashField.Kind {
    /// Returns the scrubbed value; nil if it is not of this kind.
    func reduce(_ value: JSONValue, _ scrubber: inout CrashScrubber) -> JSONValue? {
        switch (self, value) {
        case (.version, .number(let text)): text.utf8.count <= 16 ? .string(text) : nil
        case (.number, _): value.integerValue.flatMap { $0 >= 0 ? value : nil }
        case (.flag, .bool): value
        case (_, .string(let text)): scrubbed(text, &scrubber).map { .string($0) }
        default: nil
        }
    }
}
