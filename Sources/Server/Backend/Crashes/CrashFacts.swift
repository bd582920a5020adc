import JSONWire
import SubGuardDomain

/// The identifying parts of a scrubbed event: title, culprit and the key of its group.
struct CrashFacts {
    struct Frame {
        let function: String
        let module: String
        let isInApp: Bool?
    }

    /// The last exception of the event, which is the outermost one.
    let exception: JSONObject?
    /// Innermost first; only the app's own frames if any are marked `in_app`.
    let frames: [Frame]
    private let message: String?
    private let template: String?
    private let fingerprint: [String]

    private static let framesOfKey = 5
    private static let maximumTitleBytes = 200

    init(_ event: JSONObject) {
        exception = event["exception"]?.objectValue?["values"]?.arrayValue?.last?.objectValue
        let all = (exception?["stacktrace"]?.objectValue?["frames"]?.arrayValue ?? []).reversed()
            .compactMap { $0.objectValue.flatMap { Frame($0) } }
        let own = all.filter { $0.isInApp == true }
        frames = own.isEmpty ? all : own
        let entry = event["logentry"]?.objectValue
        template = entry?["message"]?.stringValue ?? event["message"]?.stringValue
        message = entry?["formatted"]?.stringValue ?? template
        fingerprint = event["fingerprint"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    var title: String {
        guard let exception else { return Self.line(message ?? "(no message)") }
        let type = exception["type"]?.stringValue ?? "Error"
        return Self.line(exception["value"]?.stringValue.map { "\(type): \($0)" } ?? type)
    }

    var culprit: String? { frames.first.map { $0.module.isEmpty ? $0.function : "\($0.module) in \($0.function)" } }

    /// The explicit fingerprint; else type and top frames; else the message with numbers masked.
    var groupKey: String {
        guard !fingerprint.isEmpty else { return ownKey }
        let parts = fingerprint.map { part in
            ["{{default}}", "{{ default }}"].contains(part) ? ownKey : part
        }
        return parts == [ownKey] ? ownKey : "fingerprint\n" + parts.joined(separator: "\n")
    }

    private var ownKey: String {
        guard let exception else { return "message\n" + Self.normalised(template ?? message ?? "") }
        let type = exception["type"]?.stringValue ?? ""
        guard !frames.isEmpty else {
            return "exception\n\(type)\n" + Self.normalised(exception["value"]?.stringValue ?? "")
        }
        let places = frames.prefix(Self.framesOfKey).map { "\($0.module)|\($0.function)" }
        return "exception\n\(type)\n" + places.joined(separator: "\n")
    }

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
        let module = frame["module"]?.stringValue ?? frame["filename"]?.stringValue ?? ""
        guard !function.isEmpty || !module.isEmpty else { return nil }
        self.init(function: function, module: module, isInApp: frame["in_app"]?.boolValue)
    }
}
