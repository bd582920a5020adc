/// All cases. Our server's tests use the same table as `make conformance`, which compares with other servers.
package enum ConformanceTable {
    package static let all: [ConformanceCase] =
        RequestLineCases.all + VersionCases.all + MethodCases.all + TargetCases.all + TraversalCases.all
        + FieldCases.all + FieldLimitCases.all + HostCases.all + LengthCases.all + CodingCases.all + ChunkCases.all
        + ChunkRefusalCases.all + TrailerCases.all + ExpectCases.all + ConnectionCases.all + PipeliningCases.all
        + ResponseCases.all
}
