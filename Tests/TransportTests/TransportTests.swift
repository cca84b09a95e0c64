import Testing

/// All suites here run one after another: they count descriptors, time and processor use of this process.
@Suite(.serialized)
struct TransportTests {}
