import Glibc
import SQLiteStore

// For `make bench-store`:  store-bench fill|measure DIRECTORY PLAYERS RESULTS

let words = CommandLine.arguments
guard words.count == 5, let players = Int(words[3]), let results = Int(words[4]), players > 1, results > 0
else {
    print("usage: store-bench fill|measure DIRECTORY PLAYERS RESULTS")
    exit(2)
}
do {
    if words[1] == "fill" {
        var fill = try Fill(words[2], players: players, results: results)
        try fill.run()
    } else {
        var measure = try Measure(words[2], players: players, results: results)
        try measure.run()
    }
} catch let fault as StoreFault {
    print("store-bench: \(fault.sentence)")
    exit(1)
}
