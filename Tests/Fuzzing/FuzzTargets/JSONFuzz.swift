import JSONWire

/// Input: a JSON text, or nearly one.
enum JSONFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        let skipping = failure { () throws(JSONError) in
            try JSONReader.read(input) { reader throws(JSONError) in
                try reader.skipValue()
                try reader.finish()
            }
        }
        let value: JSONValue
        do {
            value = try JSONValue.parse(input)
        } catch {
            try hold((0...input.count).contains(error.offset), "an error beyond the text")
            // Only building the tree detects repeated names.
            try hold(error.reason == .duplicateName || skipping == error, "skipping finds another error than reading")
            return
        }
        try hold(skipping == nil, "skipping refuses what reading takes")
        let replacing = try? JSONValue.parse(input, replacesLoneSurrogates: true)
        try hold(replacing == value, "without a lone surrogate, replacing them changes something")
        try checkWriting(value)
        try checkDepth(input, depth(of: value))
        try checkScalars(value)
    }

    private static func checkWriting(_ value: JSONValue) throws(BrokenPromise) {
        let written = value.serialized()
        do {
            let again = try JSONValue.parse(written)
            try hold(again == value, "written again, it reads as something else")
            try hold(again.serialized() == written, "written twice, it looks different")
        } catch let error as JSONError {
            throw BrokenPromise("what we wrote is no JSON: \(error)")
        } catch {
            throw BrokenPromise("\(error)")
        }
    }

    /// A text can be read with its own depth as the maximum, but not with one less.
    private static func checkDepth(_ input: [UInt8], _ depth: Int) throws(BrokenPromise) {
        try hold(depth <= JSONReader.defaultMaximumDepth, "deeper than the limit")
        let exact = failure { () throws(JSONError) in _ = try JSONValue.parse(input, maximumDepth: depth) }
        try hold(exact == nil, "too deep at its own depth")
        guard depth > 0 else { return }
        let close = failure { () throws(JSONError) in _ = try JSONValue.parse(input, maximumDepth: depth - 1) }
        try hold(close?.reason == .tooDeep, "not too deep above its own depth")
    }

    private static func checkScalars(_ value: JSONValue) throws(BrokenPromise) {
        switch value {
        case .null, .bool: return
        case .number(let text):
            let read = try? JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in try reader.readInteger() }
            try hold(read == value.integerValue, "one number, two integers")
        case .string(let text): try hold(!JSONPointer.root.member(text).text.isEmpty, "a pointer without text")
        case .array(let elements): for element in elements { try checkScalars(element) }
        case .object(let object):
            for member in object.members {
                try hold(object[member.name] == member.value, "a member that is not found by its name")
                try checkScalars(member.value)
            }
        }
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool, .number, .string: 0
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
        }
    }

    private static func failure(_ work: () throws(JSONError) -> Void) -> JSONError? {
        do {
            try work()
            return nil
        } catch {
            return error
        }
    }
}
