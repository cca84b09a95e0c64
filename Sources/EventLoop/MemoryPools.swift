import CEpoll

/// The allocator gives threads pools of memory of their own, up to eight for each processor, and what one pool has
/// had is none of the others'. A queue goes from thread to thread: what it needs at its busiest would be kept for it
/// in each pool.
package enum MemoryPools {
    /// To be called before there are threads.
    package static func limit(to count: Int) { catrace_limit_memory_pools(Int32(clamping: count)) }
}
