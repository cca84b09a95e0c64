import Glibc

/// Monotonic seconds.
func elapsed() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Asks again and again until it holds; false after the time, which is far more than any machine needs.
func eventually(within seconds: Double = 30, _ condition: () throws -> Bool) rethrows -> Bool {
    let start = elapsed()
    while elapsed() - start < seconds {
        if try condition() { return true }
        usleep(2000)
    }
    return try condition()
}

/// Whether something is as quick as it should be: at one of a few tries, since a machine that is busy with other
/// things makes some of them slow, and makes none of them quick.
/// - Parameter body: one try; the seconds it took.
func isPrompt(within seconds: Double, tries: Int = 8, _ body: () throws -> Double) rethrows -> Bool {
    for _ in 1...tries {
        if try body() < seconds { return true }
    }
    return false
}

/// The seconds that it takes.
func time(_ body: () throws -> Void) rethrows -> Double {
    let start = elapsed()
    try body()
    return elapsed() - start
}
