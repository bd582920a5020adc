import JSONWire

/// Brings the shapes in which SDKs send an event into one: a level, a list of exceptions, a message as text, one stack
/// trace, and frames that name their image in place of addresses.
///
/// Sources: Sentry's event payloads (exception, message, threads, stack trace, debug meta), and events of sentry-cocoa.
enum CrashEventShape {
    static func unified(_ event: JSONObject) -> JSONObject {
        let images = CrashImages(event["debug_meta"])
        var exceptions = list(event["exception"])
        var trace = event["stacktrace"]?.objectValue
        if let thread = thread(in: event["threads"]) {
            if exceptions.isEmpty {
                trace = trace ?? thread
            } else if exceptions[exceptions.count - 1]["stacktrace"]?.objectValue == nil {
                exceptions[exceptions.count - 1].members.removeAll { $0.name == "stacktrace" }
                exceptions[exceptions.count - 1].members.append(("stacktrace", .object(thread)))
            }
        }
        var unified = JSONObject()
        for (name, value) in event.members {
            switch name {
            case "exception", "threads", "debug_meta", "stacktrace": break
            case "level": unified.members.append((name, level(value)))
            case "message" where value.objectValue != nil:
                if event["logentry"]?.objectValue == nil { unified.members.append(("logentry", value)) }
            default: unified.members.append((name, value))
            }
        }
        if !exceptions.isEmpty {
            let values = exceptions.map { exception -> JSONValue in
                guard let trace = exception["stacktrace"]?.objectValue else { return .object(exception) }
                var named = exception
                named.members.removeAll { $0.name == "stacktrace" }
                named.members.append(("stacktrace", .object(images.naming(trace))))
                return .object(named)
            }
            unified.members.append(("exception", .object(JSONObject([("values", .array(values))]))))
        } else if let trace {
            unified.members.append(("stacktrace", .object(images.naming(trace))))
        }
        return unified
    }

    /// The level in today's words. Old SDKs send the numbers of Python, capitals or other words.
    private static func level(_ value: JSONValue) -> JSONValue {
        let word: String
        switch value {
        case .string(let text): word = text.lowercased()
        case .number(let text): word = text
        default: return value
        }
        return switch word {
        case "10": "debug"
        case "20", "log": "info"
        case "30", "warn": "warning"
        case "40": "error"
        case "50", "critical": "fatal"
        default: value.stringValue == nil ? value : .string(word)
        }
    }

    /// The objects of `{"values": […]}`, of a bare list, or of a single object.
    private static func list(_ value: JSONValue?) -> [JSONObject] {
        guard let value else { return [] }
        if let elements = value.arrayValue { return elements.compactMap(\.objectValue) }
        guard let object = value.objectValue else { return [] }
        if let elements = object["values"]?.arrayValue { return elements.compactMap(\.objectValue) }
        return object.members.isEmpty || object["values"] != nil ? [] : [object]
    }

    /// The stack trace of the thread that crashed, else of the current one.
    private static func thread(in threads: JSONValue?) -> JSONObject? {
        let threads = list(threads).filter { $0["stacktrace"]?["frames"]?.arrayValue?.isEmpty == false }
        let thread =
            threads.first { $0["crashed"]?.boolValue == true } ?? threads.first { $0["current"]?.boolValue == true }
        return thread?["stacktrace"]?.objectValue
    }
}

/// The images (executables and libraries) of an event. Addresses change with every start of a program; an image's debug
/// id and an offset in it identify a place for ever.
private struct CrashImages {
    private struct Image {
        let address: UInt64
        let size: UInt64
        let name: String?
        let debugID: String?
        let architecture: String?
    }

    private let images: [Image]

    init(_ meta: JSONValue?) {
        images = (meta?["images"]?.arrayValue ?? []).compactMap(\.objectValue).compactMap { image in
            guard let address = Self.address(image["image_addr"]) else { return nil }
            return Image(
                address: address, size: image["image_size"]?.integerValue.flatMap { UInt64(exactly: $0) } ?? 0,
                name: Self.fileName(image["code_file"] ?? image["name"]),
                debugID: image["debug_id"]?.stringValue ?? image["uuid"]?.stringValue,
                architecture: image["arch"]?.stringValue)
        }
    }

    func naming(_ trace: JSONObject) -> JSONObject {
        let frames = (trace["frames"]?.arrayValue ?? []).compactMap(\.objectValue).map {
            JSONValue.object(naming(frame: $0))
        }
        return JSONObject([("frames", .array(frames))])
    }

    private func naming(frame: JSONObject) -> JSONObject {
        var named = JSONObject(
            frame.members.filter { name, value in
                !["instruction_addr", "image_addr", "package"].contains(name)
                    // In place of names that Apple's systems do not tell.
                    && !(name == "function" && value.stringValue == "<redacted>")
            })
        let instruction = Self.address(frame["instruction_addr"])
        let start = Self.address(frame["image_addr"])
        let image = images.first { image in
            if let start { return image.address == start }
            return instruction.map { $0 >= image.address && $0 - image.address < image.size } ?? false
        }
        if let name = Self.fileName(frame["package"]) ?? image?.name {
            named.members.append(("package", .string(name)))
        }
        if let instruction, let start = start ?? image?.address, instruction >= start,
            let offset = Int64(exactly: instruction - start)
        {
            named.members.append(("image_offset", .integer(offset)))
        }
        if let id = image?.debugID { named.members.append(("debug_id", .string(id.lowercased()))) }
        if let architecture = image?.architecture { named.members.append(("arch", .string(architecture))) }
        return named
    }

    /// `0x` and hexadecimal digits, or a number.
    private static func address(_ value: JSONValue?) -> UInt64? {
        switch value {
        case .string(let text)? where text.hasPrefix("0x") || text.hasPrefix("0X"):
            UInt64(text.dropFirst(2), radix: 16)
        case .string(let text)?, .number(let text)?: UInt64(text)
        default: nil
        }
    }

    /// Folders may name a user or a device, so only the last part of a path is kept.
    private static func fileName(_ value: JSONValue?) -> String? {
        value?.stringValue?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
    }
}
