// The core alone, without sockets: what a move costs it, and what it allocates.
//
//   core-bench MATCHES ACTIVE MOVES
//
// MATCHES races of two begin; then the first ACTIVE of them make MOVES moves, in turn. One line comes out:
// matches=10 active=10 moves=1000000 nanoseconds-per-move=500 allocations=0 allocations-before=4000
// (allocations: while the moves were made, and before).

import AllocationCount
import Glibc
import RaceModel
import ServerCore

let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
guard arguments.count == 3, arguments[0] > 0, (1...arguments[0]).contains(arguments[1]), arguments[2] > 0
else {
    print("usage: core-bench MATCHES ACTIVE MOVES")
    exit(2)
}
let (matches, active, moves) = (arguments[0], arguments[1], arguments[2])
var crowd = Crowd(matches: matches)
guard crowd.server.census.matches == matches else {
    print("core-bench: only \(crowd.server.census.matches) races began")
    exit(1)
}
// So that every buffer has the size it needs. The logs of few races are filled to their limit, too; with many that
// would take minutes, and they grow a little while the moves are made.
crowd.play(moves: active * (active <= 50 ? Limits.loggedEvents : 100), in: active)
let before = allocation_count()
let clock = ContinuousClock()
let start = clock.now
crowd.play(moves: moves, in: active)
let time = clock.now - start
let allocations = allocation_count() - before
let nanoseconds = Int(time / .nanoseconds(1)) / moves
print(
    "matches=\(matches) active=\(active) moves=\(moves) nanoseconds-per-move=\(nanoseconds) "
        + "allocations=\(allocations) allocations-before=\(before)")
