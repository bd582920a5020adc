/// Bounds of what devices and Apple send to the calls about accounts and premium, in bytes.
public enum WireLimits {
    /// Identity tokens of Apple have about 900 bytes, signed transactions about 4,000, notifications about 12,000.
    public static let identityTokenBytes = 8_192
    /// The raw nonce, as the app made it.
    public static let nonceBytes = 256
    /// Access and refresh tokens of this server have 47 bytes.
    public static let sessionTokenBytes = 128
    public static let accountNotificationBytes = 16_384
    public static let signedTransactionBytes = 32_768
    public static let storeNotificationBytes = 131_072
}
