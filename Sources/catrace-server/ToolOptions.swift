import SQLiteStore
import ServerRuntime

/// What is asked of a verb: the programs beside the server, which look at its file while it runs or not.
enum ToolOptions: Equatable {
    case check(StorePlace)
    case verify(StorePlace)
    case backup(directory: String, file: String)

    /// Where the file is.
    enum StorePlace: Equatable {
        case directory(String)
        case file(String)
    }

    static let verbs = ["check", "verify", "backup"]
    private static let variable = "CATRACE_DATA"

    /// The arguments behind the verb.
    static func parse(
        _ verb: String, _ arguments: ArraySlice<String>, environment: [(String, String)] = []
    ) throws(SettingFault) -> ToolOptions {
        let inEnvironment = environment.first { $0.0 == Self.variable && !$0.1.isEmpty }?.1
        let standard = inEnvironment ?? ServerSettings.defaultDirectory
        var directory: String?
        var all = false
        var files: [String] = []
        var rest = arguments
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch parts[0] {
            case "--data":
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
                    throw SettingFault("--data needs a directory")
                }
                directory = value
            case "--all" where argument == "--all" && verb == "verify": all = true
            default:
                guard !argument.hasPrefix("-") else {
                    let flags = verb == "verify" ? "--data and --all" : "--data"
                    throw SettingFault(
                        "there is no flag '\(Options.printable(argument))' of \(verb): it takes \(flags), and of the"
                            + " settings knows only \(Self.variable)")
                }
                files.append(argument)
            }
        }
        if verb == "verify", !all {
            throw SettingFault(
                "verify goes through all races: say verify --all; `catrace verify FILE` takes one")
        }
        if verb == "backup" {
            guard files.count == 1, let file = files.first, !file.isEmpty else {
                throw SettingFault("backup needs one file to write to: backup --data DIR FILE")
            }
            return .backup(directory: directory ?? standard, file: file)
        }
        guard files.count <= 1, files.isEmpty || directory == nil, files.first != "" else {
            throw SettingFault("\(verb) takes --data DIR or one file, such as a backup")
        }
        let place =
            files.first.map { StorePlace.file($0) }
            ?? .directory(directory ?? standard)
        return verb == "check" ? .check(place) : .verify(place)
    }
}
