import Testing

/// Real programs of ours and of others at a real server, each test with a server of its own.
@Suite(.timeLimit(.minutes(12))) struct EndToEndTests {}
