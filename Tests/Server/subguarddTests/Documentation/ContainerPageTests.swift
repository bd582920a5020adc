import Foundation
import TestKit
import Testing

/// What the pages say of the container image against the image itself.
struct ContainerPageTests {
    /// A volume elsewhere would be empty, and the store gone with the container.
    @Test(arguments: ["docs/operating.md", "Dockerfile", "Config/compose.yaml", "README.md"])
    func volumesLieWhereTheImageKeepsItsStore(_ page: String) throws {
        let image = try RepositoryFile.text("Dockerfile")
        let volume = try #require(image.firstMatch(of: /(?m)^VOLUME (.+)$/)).1
        #expect(image.contains("SUBGUARD_DATABASE_URL=sqlite:\(volume)/"))
        let mounts = try RepositoryFile.text(page).matches(
            of: /(?:docker run.* (?:-v|--volume) |^ +- )[a-z-]+:(\/[^ \n]+)/.anchorsMatchLineEndings())
        #expect(page == "README.md" || !mounts.isEmpty)
        for mount in mounts { #expect(mount.1 == volume, "\(page)") }
    }
}
