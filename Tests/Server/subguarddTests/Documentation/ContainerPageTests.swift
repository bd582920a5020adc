import Foundation
import TestKit
import Testing

/// Compares the pages' description of the container image with the image itself.
struct ContainerPageTests {
    /// With a volume elsewhere, the database would be lost with the container.
    @Test(arguments: ["docs/operating.md", "Dockerfile", "Config/compose.yaml", "README.md"])
    func volumesLieWhereTheImageKeepsItsStore(_ page: String) throws {
        let image = try RepositoryFile.text("Dockerfile")
        let volume = try #require(image.firstMatch(of: /(?m)^VOLUME (.+)$/)).1
        #expect(image.contains("SUBGUARD_DATABASE_URL=sqlite:\(volume)/"))
        let mounts = try RepositoryFile.text(page).matches(
            of: /(?:docker run(?:\\\n|.)* (?:-v|--volume) |^ +- )[a-z-]+:(\/[^ \n]+)/.anchorsMatchLineEndings())
        #expect(page == "README.md" || !mounts.isEmpty)
        for mount in mounts { #expect(mount.1 == volume, "\(page)") }
    }
}
