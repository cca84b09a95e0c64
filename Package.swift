// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// With classes that every move passes through, each on one queue. That no two accesses to one overlap is checked
/// at run time in debug builds, which nearly all tests use; in release it would take a thirtieth of a move.
func confined(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let unchecked = SwiftSetting.unsafeFlags(
        ["-enforce-exclusivity=unchecked"], .when(configuration: .release))
    return .target(name: name, dependencies: dependencies, swiftSettings: strict + [unchecked])
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "catrace",
    products: [
        .executable(name: "catrace-server", targets: ["catrace-server"]),
        .executable(name: "catrace", targets: ["catrace"]),
        .executable(name: "catrace-load", targets: ["catrace-load"]),
    ],
    targets: [
        // Pure: no Dispatch, no Glibc, no Foundation, no clock, no randomness of their own.
        module("RaceModel"),
        module("MatchRules", ["RaceModel"]),
        module("Lobby", ["RaceModel"]),
        module("WireProtocol", ["RaceModel"]),
        module("ProxyProtocol", ["RaceModel"]),
        module("Fairness", ["RaceModel", "CDigest"]),
        module("Records", ["RaceModel", "WireProtocol", "Fairness"]),
        module("Store", ["RaceModel", "Lobby", "WireProtocol", "Records"]),
        module("ServerCore", ["RaceModel", "MatchRules", "Lobby", "WireProtocol", "Fairness", "Records"]),
        module("ClientCore", ["RaceModel", "WireProtocol", "Records"]),

        // The edge: sockets, timers, signals, terminals.
        .target(name: "CEpoll"),
        .target(name: "CDigest", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CTLS", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        confined("EventLoop", ["RaceModel", "ProxyProtocol", "CEpoll", "CTLS"]),
        .systemLibrary(name: "CSQLite"),
        module("SQLiteStore", ["RaceModel", "Lobby", "WireProtocol", "Records", "Store", "CSQLite"]),
        confined(
            "ServerRuntime",
            [
                "RaceModel", "Lobby", "WireProtocol", "ProxyProtocol", "Records", "ServerCore", "Store",
                "SQLiteStore",
                "EventLoop",
            ]),
        module("ClientRuntime", ["RaceModel", "WireProtocol", "Records", "ClientCore", "EventLoop"]),
        program(
            "catrace-server",
            [
                "RaceModel", "WireProtocol", "Records", "ServerCore", "SQLiteStore", "EventLoop",
                "ServerRuntime",
            ]),
        program("catrace", ["ClientRuntime"]),
        module("LoadHarness", ["RaceModel", "WireProtocol", "Records", "ClientCore", "EventLoop"]),
        program("catrace-load", ["ClientCore", "EventLoop", "LoadHarness"]),

        // What a server is compared with.
        .executableTarget(name: "floor-relay", path: "Tests/Floor"),
        // Peers that mean no good, for `make floods` and a test.
        .executableTarget(
            name: "flooder", path: "Tests/Floods", exclude: ["floods.py", "limits.py"]),
        // How tests start programs.
        .target(name: "CSpawn", path: "Tests/Spawn"),
        // The core without sockets, for `make bench-scale` and a test that counts allocations.
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        .executableTarget(
            name: "core-bench",
            dependencies: [
                "RaceModel", "Lobby", "Records", "Store", "WireProtocol", "ServerCore", "AllocationCount",
            ],
            path: "Tests/CoreBench", swiftSettings: strict),

        // A file of a million players, for `make bench-store`.
        .executableTarget(
            name: "store-bench",
            dependencies: ["RaceModel", "Lobby", "WireProtocol", "Records", "Store", "SQLiteStore"],
            path: "Tests/StoreBench", swiftSettings: strict),

        // Servers and clients in one process, from a seed.
        module(
            "Simulation",
            [
                "RaceModel", "Lobby", "Records", "Store", "WireProtocol", "Fairness", "ServerCore",
                "ClientCore",
            ]),
        program("catrace-simulate", ["RaceModel", "Simulation"]),

        // What takes bytes from outside, for fuzzing (`make fuzz`) and for a test that takes the corpus again.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "RaceModel", "Lobby", "Records", "Store", "WireProtocol", "ProxyProtocol", "ServerCore",
                "ClientCore",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: strict),
        .target(name: "CFuzzDriver", path: "Tests/Fuzz/Driver"),
        .executableTarget(
            name: "catrace-fuzz", dependencies: ["FuzzTargets", "CFuzzDriver"], path: "Tests/Fuzz/Program",
            swiftSettings: strict),

        tests("TidyTests", []),
        tests("FuzzTests", ["RaceModel", "WireProtocol", "FuzzTargets"]),
        tests(
            "DocumentTests",
            ["RaceModel", "Lobby", "Records", "Store", "WireProtocol", "Fairness", "ServerCore"]),
        tests("RaceModelTests", ["RaceModel"]),
        tests("FairnessTests", ["RaceModel", "Fairness"]),
        tests("MatchRulesTests", ["RaceModel", "MatchRules"]),
        tests("LobbyTests", ["RaceModel", "Lobby"]),
        tests("StoreTests", ["RaceModel", "Lobby", "WireProtocol", "Records", "Store", "SQLiteStore"]),
        tests("WireProtocolTests", ["RaceModel", "WireProtocol"]),
        tests("RecordsTests", ["RaceModel", "MatchRules", "WireProtocol", "Fairness", "Records"]),
        tests("ProxyProtocolTests", ["RaceModel", "ProxyProtocol"]),
        tests(
            "ServerCoreTests",
            ["RaceModel", "Lobby", "Records", "Store", "WireProtocol", "Fairness", "ServerCore"]),
        tests(
            "TransportTests",
            [
                "RaceModel", "Lobby", "ProxyProtocol", "EventLoop", "Store", "ServerCore", "ServerRuntime",
                "CSpawn", "catrace-server",
            ]),
        tests("SimulationTests", ["RaceModel", "Simulation", "catrace-simulate"]),
        tests("ClientCoreTests", ["RaceModel", "WireProtocol", "Fairness", "Records", "ClientCore"]),
        tests(
            "ClientRuntimeTests",
            [
                "RaceModel", "WireProtocol", "ClientCore", "ClientRuntime", "EventLoop", "CSpawn",
                "catrace", "catrace-server",
            ]),
        tests(
            "LoadHarnessTests",
            [
                "RaceModel", "WireProtocol", "ClientCore", "EventLoop", "Lobby", "Records", "Store",
                "ServerCore", "LoadHarness", "CSpawn", "catrace-load", "catrace-server",
            ]),
        tests(
            "EndToEndTests", ["CSpawn", "catrace", "catrace-load", "catrace-server", "flooder"],
            exclude: ["Scripts"]),
    ]
)
