/// Every case. The same table is played to our server in its tests and to servers beside it by `make conformance`.
package enum ConformanceTable {
    package static let all: [ConformanceCase] =
        RequestLineCases.all + VersionCases.all + MethodCases.all + TargetCases.all + TraversalCases.all
        + FieldCases.all + FieldLimitCases.all + HostCases.all + LengthCases.all + CodingCases.all + ChunkCases.all
        + ChunkRefusalCases.all + TrailerCases.all + ExpectCases.all + ConnectionCases.all + PipeliningCases.all
        + ResponseCases.all
}
