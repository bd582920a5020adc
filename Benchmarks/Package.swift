// swift-tools-version: 6.2
import PackageDescription

/// Programs to measure ourselves against. A package of its own, so that no peer is ever a dependency of the product.
let package = Package(
    name: "subguard-benchmarks",
    targets: [.executableTarget(name: "dispatch-source-server")],
    swiftLanguageModes: [.v6]
)
