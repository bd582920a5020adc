import Cryptography
import EventLog
import Foundation
import JSONWire
import SubGuardDomain

/// The columns of events that are texts or an item, packed once for all events of a range that share them.
struct EventSinkTexts {
    /// In the order of the columns, without the numbers between them.
    struct Packed {
        let bytes: [UInt8]
        /// Where the item begins, behind the name of the event.
        let item: Int
        /// Where the properties begin, behind platform and app version.
        let properties: Int
        let hash: UInt64
    }

    private struct Key: Hashable {
        let name: Int64
        let json: [UInt8]
    }

    private struct KeyInBlock: Hashable {
        let name: Int64
        let set: Int?
    }

    private let names: EventNames
    private var packed: [Key: Packed] = [:]
    /// Those of the current block.
    private var inBlock: [KeyInBlock: Packed] = [:]

    /// Devices may send properties of which none is like another.
    private static let mostPacked = 10_000

    init(_ names: EventNames) { self.names = names }

    /// Goes on with another block.
    mutating func beginBlock() { inBlock.removeAll(keepingCapacity: true) }

    /// Those of an event of the current block.
    mutating func texts(of event: EventBlockReader.Event, in reader: EventBlockReader) throws -> Packed {
        let key = KeyInBlock(name: event.nameID, set: event.set)
        if let found = inBlock[key] { return found }
        guard let name = names.name(of: event.nameID) else { throw PackedReader.malformed }
        let shared = Key(name: event.nameID, json: event.set.map(reader.properties(ofSet:)) ?? [])
        let found = packed[shared] ?? Packed(event: name, json: shared.json)
        if packed.count >= Self.mostPacked { packed.removeAll(keepingCapacity: true) }
        packed[shared] = found
        inBlock[key] = found
        return found
    }
}

extension EventSinkTexts.Packed {
    /// - Parameter json: the properties as in the log; empty for none.
    fileprivate init(event: String, json: [UInt8]) {
        let properties = EventSinkProperties(json)
        var bytes: [UInt8] = []
        bytes.append(packed: Array(event.utf8))
        item = bytes.count
        let value = properties.item.map { EventID($0).value } ?? 0
        for half in [UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value)] {
            withUnsafeBytes(of: half.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(packed: Array(properties.platform.utf8))
        bytes.append(packed: Array(properties.appVersion.utf8))
        self.properties = bytes.count
        bytes.append(packed: json)
        self.bytes = bytes
        let name = properties.item.map(\.lowercased) ?? "00000000-0000-0000-0000-000000000000"
        let text = [event, properties.platform, properties.appVersion, name, ""].joined(separator: "\n")
        hash = MD5.hash(of: Array(text.utf8) + json).withUnsafeBytes {
            UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self))
        }
    }
}

/// The properties of an event that the sink has columns for.
struct EventSinkProperties {
    var item: UUID?
    /// A name of ``UserSegment/platforms``, `other`, or empty for none.
    var platform = ""
    /// Numbers with dots, `other`, or empty for none.
    var appVersion = ""

    /// - Parameter json: compact JSON; empty for none. Other members are ignored.
    init(_ json: [UInt8]) {
        guard !json.isEmpty, let object = (try? JSONValue.parse(json))?.objectValue else { return }
        item = (object["catalogue_item_id"]?.stringValue).flatMap { UUID(strict: $0) }
        if let name = object["platform"]?.stringValue {
            let code = Int(UserSegment.platform(named: name.utf8))
            platform = code < UserSegment.platforms.count ? UserSegment.platforms[code] : "other"
        }
        if let version = object["app_version"]?.stringValue {
            appVersion = AppVersions.isVersion(Array(version.utf8)) ? version : "other"
        }
    }
}

extension Array<UInt8> {
    /// Appends a text with its length.
    fileprivate mutating func append(packed text: [UInt8]) {
        append(packed: text.count)
        self += text
    }
}
