import JSONWire
import SubGuardDomain

/// The identifying parts of a scrubbed event: title, culprit and the key of its group.
struct CrashFacts {
    struct Frame {
        /// Empty if unknown, as for Apple's programs before their symbols are applied.
        let function: String
        /// The module, else the file, else the image.
        let module: String
        let isInApp: Bool?
        /// Nil unless it is all that is known.
        let address: ImagePlace?

        /// The place as a part of a group's key: without lines, which change with every release.
        var key: String {
            address.map { "\($0.image)|\($0.build)|+\($0.offset)" } ?? "\(module)|\(function)"
        }

        /// The place for people.
        var title: String {
            if let address { return "\(address.image) +0x\(String(address.offset, radix: 16))" }
            return [module, function].filter { !$0.isEmpty }.joined(separator: " in ")
        }
    }

    /// A place in an image, before symbols name it.
    struct ImagePlace {
        let image: String
        let offset: Int64
        /// As the sender wrote it.
        let debugID: String?
        let architecture: String?

        /// The build of the image.
        var build: String { [debugID, architecture].compactMap(\.self).joined(separator: " ") }
    }

    /// The last exception of the event, which is the outermost one.
    let exception: JSONObject?
    /// Innermost first; only the app's own frames if any are marked `in_app`.
    let frames: [Frame]
    /// Whether symbols named a frame that counts for the group.
    private(set) var hasNames = false
    private let message: String?
    private let template: String?
    private let fingerprint: [String]

    private static let framesOfKey = 5
    private static let maximumTitleBytes = 200

    init(_ event: JSONObject) { self.init(event) { _, _ in nil } }

    /// The facts with names of functions where an event has none.
    ///
    /// - Parameter function: the name of a place in an image, from symbols. Its second argument says whether the frame
    ///   is that of a caller.
    init(_ event: JSONObject, function: (ImagePlace, Bool) throws -> String?) rethrows {
        exception = event["exception"]?.objectValue?["values"]?.arrayValue?.last?.objectValue
        let trace = exception == nil ? event["stacktrace"] : exception?["stacktrace"]
        let all: [(frame: Frame, isCaller: Bool)] = (trace?.objectValue?["frames"]?.arrayValue ?? []).reversed()
            .enumerated()
            .compactMap { index, frame in
                frame.objectValue.flatMap { Frame($0) }.map { (frame: $0, isCaller: index > 0) }
            }
        let own = all.filter { $0.frame.isInApp == true }
        var isNamed = false
        frames = try (own.isEmpty ? all : own).enumerated().map { index, found in
            // Only these are a part of the group's key or of its title.
            guard index < Self.framesOfKey, let place = found.frame.address,
                let name = try function(place, found.isCaller)
            else { return found.frame }
            isNamed = true
            return Frame(function: name, module: place.image, isInApp: found.frame.isInApp, address: nil)
        }
        hasNames = isNamed
        let entry = event["logentry"]?.objectValue
        template = entry?["message"]?.stringValue ?? event["message"]?.stringValue
        message = entry?["formatted"]?.stringValue ?? template
        fingerprint = event["fingerprint"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    var title: String {
        guard let exception else { return Self.line(message ?? culprit ?? "(no message)") }
        let type = exception["type"]?.stringValue ?? "Error"
        return Self.line(exception["value"]?.stringValue.map { "\(type): \($0)" } ?? type)
    }

    var culprit: String? { frames.first?.title }

    /// The explicit fingerprint; else type and top frames; else the message with numbers masked; else the top frames.
    var groupKey: String {
        guard !fingerprint.isEmpty else { return ownKey }
        let parts = fingerprint.map { part in
            ["{{default}}", "{{ default }}"].contains(part) ? ownKey : part
        }
        return parts == [ownKey] ? ownKey : "fingerprint\n" + parts.joined(separator: "\n")
    }

    private var ownKey: String {
        guard let exception else {
            if message == nil, !frames.isEmpty { return "stack\n" + places }
            return "message\n" + Self.normalised(template ?? message ?? "")
        }
        let type = exception["type"]?.stringValue ?? ""
        guard !frames.isEmpty else {
            return "exception\n\(type)\n" + Self.normalised(exception["value"]?.stringValue ?? "")
        }
        return "exception\n\(type)\n" + places
    }

    private var places: String { frames.prefix(Self.framesOfKey).map(\.key).joined(separator: "\n") }

    /// The first non-blank line, truncated to the length of a title.
    private static func line(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
        guard line.utf8.count > maximumTitleBytes else { return line }
        var cut = ""
        for character in line where cut.utf8.count + String(character).utf8.count <= maximumTitleBytes {
            cut.append(character)
        }
        return cut
    }

    /// Masks numbers, addresses and ids, so that messages that differ only in these are equal.
    static func normalised(_ text: String) -> String {
        var out: [UInt8] = []
        var word: [UInt8] = []
        for byte in Array(text.utf8) + [0x20] {
            if Octet.isAlphanumeric(byte) {
                word.append(byte)
                continue
            }
            append(word, to: &out)
            word.removeAll(keepingCapacity: true)
            out.append(byte)
        }
        return String(decoding: out.dropLast(), as: UTF8.self)
    }

    private static func append(_ word: [UInt8], to out: inout [UInt8]) {
        let digits = word.starts(with: Array("0x".utf8)) ? word.dropFirst(2) : word[...]
        let isHex = digits.allSatisfy(Octet.isHex) && digits.contains(where: Octet.isDigit)
        if isHex, digits.count >= 8 || digits.count < word.count {
            out.append(UInt8(ascii: "#"))
            return
        }
        for byte in word {
            if !Octet.isDigit(byte) {
                out.append(byte)
            } else if out.last != UInt8(ascii: "#") {
                out.append(UInt8(ascii: "#"))
            }
        }
    }
}

extension CrashFacts.Frame {
    /// Nil for a frame without a function and a location.
    init?(_ frame: JSONObject) {
        let function = frame["function"]?.stringValue ?? ""
        let image = frame["package"]?.stringValue ?? ""
        let module = frame["module"]?.stringValue ?? frame["filename"]?.stringValue ?? image
        guard !function.isEmpty || !module.isEmpty else { return nil }
        self.init(
            function: function, module: module, isInApp: frame["in_app"]?.boolValue, address: Self.place(of: frame))
    }

    /// The place of a frame without a function; nil if the image or the offset is not known either.
    static func place(of frame: JSONObject) -> CrashFacts.ImagePlace? {
        guard frame["function"]?.stringValue ?? "" == "", let image = frame["package"]?.stringValue, !image.isEmpty,
            let offset = frame["image_offset"]?.integerValue
        else { return nil }
        return CrashFacts.ImagePlace(
            image: image, offset: offset, debugID: frame["debug_id"]?.stringValue,
            architecture: frame["arch"]?.stringValue)
    }
}
