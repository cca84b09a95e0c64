#ifndef CATRACE_DIGEST_H
#define CATRACE_DIGEST_H

// SHA-256, by the system's libcrypto. No header of OpenSSL shows through to Swift.

/// Of `count` bytes in one go.
void catrace_sha256(const unsigned char *bytes, unsigned long count, unsigned char digest[32]);

/// A digest that is fed piece by piece; a plain value, so a copy goes on independently.
struct catrace_sha256_state {
    unsigned long long words[14];
};

void catrace_sha256_begin(struct catrace_sha256_state *state);
void catrace_sha256_feed(struct catrace_sha256_state *state, const unsigned char *bytes, unsigned long count);
void catrace_sha256_end(struct catrace_sha256_state *state, unsigned char digest[32]);

#endif
