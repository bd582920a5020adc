// The part of Apple's CryptoKit that Sources uses, so that code behind `canImport(CryptoKit)` can be type-checked
// without the framework. See Security.swift.
public import Foundation

public protocol HashFunction {
    associatedtype Digest: Sequence<UInt8>
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct SHA256: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SymmetricKey: ContiguousBytes, Sendable {
    public init(data: some ContiguousBytes) {}
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
}

public struct HMAC<H: HashFunction> {
    public struct MAC: Sequence {
        public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    }

    public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> MAC { MAC() }
}

public struct HKDF<H: HashFunction> {
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: some DataProtocol, info: some DataProtocol, outputByteCount: Int
    ) -> SymmetricKey { inputKeyMaterial }
}

public enum ChaChaPoly {
    public struct Nonce {
        public init(data: some DataProtocol) throws {}
    }

    public struct SealedBox {
        public init(combined: some DataProtocol) throws {}
        public var combined: Data { Data() }
    }

    public static func seal(
        _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce?, authenticating: some DataProtocol
    ) throws -> SealedBox { try SealedBox(combined: [UInt8]()) }

    public static func open(
        _ sealedBox: SealedBox, using key: SymmetricKey, authenticating: some DataProtocol
    ) throws -> Data { Data() }
}

public enum AES {
    public enum GCM {
        public struct Nonce {
            public init(data: some DataProtocol) throws {}
        }

        public struct SealedBox {
            public init(combined: some DataProtocol) throws {}
            public var combined: Data? { nil }
        }

        public static func seal(
            _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce?, authenticating: some DataProtocol
        ) throws -> SealedBox { try SealedBox(combined: [UInt8]()) }

        public static func open(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating: some DataProtocol
        ) throws -> Data { Data() }
    }
}
