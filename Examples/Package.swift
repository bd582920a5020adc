// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, as an app is. In an app, `.package(url:branch:)` stands in place of the path.
let package = Package(
    name: "subscriptions",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "subguard", path: "..")],
    targets: [
        .executableTarget(
            name: "subscriptions",
            dependencies: [
                .product(name: "SubGuardDomain", package: "subguard"),
                .product(name: "SubGuardEngine", package: "subguard"),
                .product(name: "SubGuardClient", package: "subguard"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
