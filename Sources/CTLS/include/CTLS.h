#ifndef CATRACE_TLS_H
#define CATRACE_TLS_H

// TLS 1.2 and 1.3 by the system's OpenSSL, between buffers of the caller: no socket, no file and no waiting in here.
// No header of OpenSSL shows through to Swift.

#include <stdbool.h>

struct catrace_tls_context;
struct catrace_tls;

/// Ciphertext that is to be sent. Grows as needed; the caller sends and clears it behind every call.
struct catrace_tls_output {
    unsigned char *bytes;
    unsigned long count;
    unsigned long room;
};

/// Forgets the bytes, and gives the memory back when it is more than `keep`.
void catrace_tls_output_clear(struct catrace_tls_output *output, unsigned long keep);

/// Why a context could not be made.
static const int catrace_tls_no_certificate = 1;
static const int catrace_tls_no_key = 2;
static const int catrace_tls_key_encrypted = 3;
static const int catrace_tls_mismatch = 4;
static const int catrace_tls_certificate_refused = 5;
static const int catrace_tls_no_authority = 6;
static const int catrace_tls_no_memory = 7;

/// For servers: a certificate with the chain behind it, and its key, both in PEM. NULL with a `fault`.
struct catrace_tls_context *catrace_tls_server(
    const unsigned char *certificate, unsigned long certificate_count, const unsigned char *key,
    unsigned long key_count, int *fault);

/// For clients: trusts the authorities in this PEM, or the system's when there is none. NULL with a `fault`.
struct catrace_tls_context *catrace_tls_client(
    const unsigned char *authorities, unsigned long count, int *fault);

void catrace_tls_context_free(struct catrace_tls_context *context);

/// A server's side, which bears so many records of handshakes once its own is done: new keys, mostly.
/// NULL: no memory. It stays what it is when the context is freed.
struct catrace_tls *catrace_tls_accepting(struct catrace_tls_context *context, unsigned int late);

/// A client's side, which asks for this host and holds the certificate to it: a name, or the digits of an address.
struct catrace_tls *catrace_tls_connecting(
    struct catrace_tls_context *context, unsigned int late, const char *host);

void catrace_tls_free(struct catrace_tls *tls);

/// What the calls below give when there is nothing to give a count of.
static const long catrace_tls_more = 0;
static const long catrace_tls_failed = -1;
static const long catrace_tls_ended = -2;
static const long catrace_tls_done = 1;

/// Goes on with the handshake. `taken` tells how much of the input was used; all of it, when more is needed.
long catrace_tls_handshake(
    struct catrace_tls *tls, const unsigned char *input, unsigned long count, unsigned long *taken,
    struct catrace_tls_output *output);

/// Plaintext into `room`: its count, `more`, `ended` (the peer closed in order) or `failed`.
long catrace_tls_read(
    struct catrace_tls *tls, const unsigned char *input, unsigned long count, unsigned long *taken, void *room,
    unsigned long room_count, struct catrace_tls_output *output);

/// All of it becomes output; false: it can't.
bool catrace_tls_write(
    struct catrace_tls *tls, const void *bytes, unsigned long count, struct catrace_tls_output *output);

/// Says that nothing more comes.
void catrace_tls_close(struct catrace_tls *tls, struct catrace_tls_output *output);

/// What went wrong.
static const int catrace_tls_other_host = 1;
static const int catrace_tls_expired = 2;
static const int catrace_tls_not_yet_valid = 3;
static const int catrace_tls_untrusted = 4;
static const int catrace_tls_bad_certificate = 5;
static const int catrace_tls_not_tls = 6;
static const int catrace_tls_no_common_version = 7;
static const int catrace_tls_peer_refused = 8;
static const int catrace_tls_protocol_error = 9;
static const int catrace_tls_too_much = 10;
int catrace_tls_fault(const struct catrace_tls *tls);

/// In words: the names a certificate is for, the day it expired on, or what OpenSSL says.
const char *catrace_tls_details(const struct catrace_tls *tls);

#endif
