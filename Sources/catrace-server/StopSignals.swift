import Glibc

/// SIGTERM, SIGINT, SIGHUP and SIGUSR1, waited for by the main thread: they are blocked in every thread, so no
/// handler ever runs, and whatever mask or dispositions the parent left, also as process 1, they arrive here once
/// each.
///
/// (Dispatch's signal sources have had faults on Linux, and `dispatchMain` would unblock every signal.)
struct StopSignals {
    enum Asked {
        case stop, reload, census
    }

    private var set = sigset_t()

    /// Before any other thread begins.
    init() {
        unsafe sigemptyset(&self.set)
        unsafe sigaddset(&self.set, SIGTERM)
        unsafe sigaddset(&self.set, SIGINT)
        unsafe sigaddset(&self.set, SIGUSR1)
        unsafe sigaddset(&self.set, SIGHUP)
        unsafe pthread_sigmask(SIG_SETMASK, &self.set, nil)
        // A shell starts background jobs with SIGINT ignored.
        signal(SIGTERM, SIG_DFL)
        signal(SIGINT, SIG_DFL)
        signal(SIGUSR1, SIG_DFL)
        signal(SIGHUP, SIG_DFL)
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is the store's trouble, and no reason to die.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Whether the server is asked to stop once more within so long.
    mutating func waitForStop(seconds: Int) -> Bool {
        while let asked = self.wait(seconds: seconds) { if asked == .stop { return true } }
        return false
    }

    /// Waits for one of them; nil: the time is up.
    mutating func wait(seconds: Int? = nil) -> Asked? {
        while true {
            var limit = timespec(tv_sec: seconds ?? 86_400, tv_nsec: 0)
            switch unsafe sigtimedwait(&self.set, nil, &limit) {
            case SIGHUP: return .reload
            case SIGUSR1: return .census
            case 1...: return .stop
            // Interrupted by a stop and its end, or it was a day.
            default: if errno == EAGAIN, seconds != nil { return nil }
            }
        }
    }
}
