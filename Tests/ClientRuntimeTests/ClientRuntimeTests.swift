import Testing

/// They run real programs and look at the clock: one after another.
@Suite(.serialized) struct ClientRuntimeTests {}
