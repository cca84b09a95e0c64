#include "CTLS.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct catrace_tls_context {
    SSL_CTX *ssl;
};

struct catrace_tls {
    SSL *ssl;
    // Set for the time of one call.
    const unsigned char *input;
    unsigned long left;
    struct catrace_tls_output *output;
    // Behind the handshake: how many more of its records are borne.
    bool stands;
    unsigned int late_left;
    bool has_too_many;
    // What went wrong first.
    int fault;
    char details[256];
};

// MARK: Buffers as OpenSSL sees them. Its own memory BIOs would keep a buffer for each idle connection.

void catrace_tls_output_clear(struct catrace_tls_output *output, unsigned long keep) {
    output->count = 0;
    if (output->room <= keep) return;
    free(output->bytes);
    output->bytes = NULL;
    output->room = 0;
}

static int bio_read(BIO *bio, char *bytes, size_t room, size_t *got) {
    struct catrace_tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *got = 0;
    if (tls->has_too_many) return 0;
    *got = room < tls->left ? room : tls->left;
    if (*got == 0) {
        BIO_set_retry_read(bio);
        return 0;
    }
    memcpy(bytes, tls->input, *got);
    tls->input += *got;
    tls->left -= *got;
    return 1;
}

static int bio_write(BIO *bio, const char *bytes, size_t count, size_t *taken) {
    struct catrace_tls_output *output = ((struct catrace_tls *)BIO_get_data(bio))->output;
    BIO_clear_retry_flags(bio);
    *taken = 0;
    if (output == NULL) return 0;
    if (output->room - output->count < count) {
        unsigned long room = output->room < 4096 ? 4096 : output->room;
        while (room - output->count < count) room *= 2;
        unsigned char *grown = realloc(output->bytes, room);
        if (grown == NULL) return 0;
        output->bytes = grown;
        output->room = room;
    }
    memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
    *taken = count;
    return 1;
}

static long bio_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *bio_method;
static pthread_once_t bio_method_once = PTHREAD_ONCE_INIT;

static void make_bio_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "catrace");
    if (method == NULL) return;
    BIO_meth_set_read_ex(method, bio_read);
    BIO_meth_set_write_ex(method, bio_write);
    BIO_meth_set_ctrl(method, bio_control);
    bio_method = method;
}

// MARK: Contexts

// A key that is encrypted is refused: OpenSSL would ask for its password at the terminal.
static int no_password(char *room, int room_count, int writing, void *asked) {
    (void)room, (void)room_count, (void)writing;
    *(bool *)asked = true;
    return -1;
}

static SSL_CTX *new_context(const SSL_METHOD *method) {
    SSL_CTX *ssl = SSL_CTX_new(method);
    if (ssl == NULL) return NULL;
    SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
    // A session is never resumed: there is no cache to fill and no ticket key to keep.
    SSL_CTX_set_options(ssl, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(ssl, 0);
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
    // An idle connection keeps no buffers.
    SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
    return ssl;
}

static struct catrace_tls_context *context_of(SSL_CTX *ssl, int *fault) {
    struct catrace_tls_context *context = ssl == NULL ? NULL : malloc(sizeof *context);
    if (context == NULL) {
        if (*fault == 0) *fault = catrace_tls_no_memory;
        SSL_CTX_free(ssl);
        return NULL;
    }
    context->ssl = ssl;
    return context;
}

/// Sets the certificate and those behind it; 0, or why not.
static int use_certificates(SSL_CTX *ssl, BIO *pem) {
    X509 *leaf = PEM_read_bio_X509_AUX(pem, NULL, NULL, NULL);
    if (leaf == NULL) return catrace_tls_no_certificate;
    int taken = SSL_CTX_use_certificate(ssl, leaf);
    X509_free(leaf);
    if (taken != 1) return catrace_tls_certificate_refused;
    X509 *next;
    while ((next = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
        if (SSL_CTX_add0_chain_cert(ssl, next) != 1) {
            X509_free(next);
            return catrace_tls_certificate_refused;
        }
    }
    return 0;
}

static int use_key(SSL_CTX *ssl, BIO *pem) {
    bool asked = false;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(pem, NULL, no_password, &asked);
    if (key == NULL) return asked ? catrace_tls_key_encrypted : catrace_tls_no_key;
    X509 *leaf = SSL_CTX_get0_certificate(ssl);
    bool matches = leaf != NULL && X509_check_private_key(leaf, key) == 1;
    bool taken = matches && SSL_CTX_use_PrivateKey(ssl, key) == 1;
    EVP_PKEY_free(key);
    if (!matches) return catrace_tls_mismatch;
    return taken ? 0 : catrace_tls_no_key;
}

struct catrace_tls_context *catrace_tls_server(
    const unsigned char *certificate, unsigned long certificate_count, const unsigned char *key,
    unsigned long key_count, int *fault) {
    *fault = 0;
    SSL_CTX *ssl = new_context(TLS_server_method());
    BIO *certificate_pem = BIO_new_mem_buf(certificate, (int)certificate_count);
    BIO *key_pem = BIO_new_mem_buf(key, (int)key_count);
    if (ssl == NULL || certificate_pem == NULL || key_pem == NULL) {
        *fault = catrace_tls_no_memory;
    } else {
        *fault = use_certificates(ssl, certificate_pem);
        if (*fault == 0) *fault = use_key(ssl, key_pem);
    }
    BIO_free(certificate_pem);
    BIO_free(key_pem);
    ERR_clear_error();
    if (*fault != 0) {
        SSL_CTX_free(ssl);
        return NULL;
    }
    return context_of(ssl, fault);
}

static int use_authorities(SSL_CTX *ssl, const unsigned char *authorities, unsigned long count) {
    BIO *pem = BIO_new_mem_buf(authorities, (int)count);
    if (pem == NULL) return catrace_tls_no_memory;
    X509_STORE *store = SSL_CTX_get_cert_store(ssl);
    int fault = catrace_tls_no_authority;
    X509 *authority;
    while ((authority = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
        fault = X509_STORE_add_cert(store, authority) == 1 ? 0 : catrace_tls_no_memory;
        X509_free(authority);
        if (fault != 0) break;
    }
    BIO_free(pem);
    return fault;
}

/// Keeps the first thing that is wrong with a certificate, in words too.
static int check(int fine, X509_STORE_CTX *store);

struct catrace_tls_context *catrace_tls_client(
    const unsigned char *authorities, unsigned long count, int *fault) {
    *fault = 0;
    SSL_CTX *ssl = new_context(TLS_client_method());
    if (ssl != NULL) {
        SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER, check);
        if (authorities != NULL) {
            *fault = use_authorities(ssl, authorities, count);
        } else if (SSL_CTX_set_default_verify_paths(ssl) != 1) {
            *fault = catrace_tls_no_authority;
        }
    }
    ERR_clear_error();
    if (*fault != 0) {
        SSL_CTX_free(ssl);
        return NULL;
    }
    return context_of(ssl, fault);
}

void catrace_tls_context_free(struct catrace_tls_context *context) {
    SSL_CTX_free(context->ssl);
    free(context);
}

// MARK: Connections

// New keys, or a handshake that is asked for again, cost far more than they take to send.
static void count_record(
    int sent, int version, int type, const void *bytes, size_t count, SSL *ssl, void *pointer) {
    (void)version, (void)ssl;
    struct catrace_tls *tls = pointer;
    // In TLS 1.3 the header says nothing of what is inside.
    if (sent || !tls->stands || count == 0) return;
    if (type != SSL3_RT_HEADER && type != SSL3_RT_INNER_CONTENT_TYPE) return;
    if (*(const unsigned char *)bytes != SSL3_RT_HANDSHAKE) return;
    if (tls->late_left == 0) tls->has_too_many = true;
    else tls->late_left--;
}

static struct catrace_tls *new_tls(struct catrace_tls_context *context, unsigned int late) {
    pthread_once(&bio_method_once, make_bio_method);
    struct catrace_tls *tls = calloc(1, sizeof *tls);
    if (tls == NULL) return NULL;
    tls->ssl = SSL_new(context->ssl);
    BIO *bio = bio_method == NULL ? NULL : BIO_new(bio_method);
    if (tls->ssl == NULL || bio == NULL) {
        BIO_free(bio);
        SSL_free(tls->ssl);
        free(tls);
        ERR_clear_error();
        return NULL;
    }
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(tls->ssl, bio, bio);
    SSL_set_app_data(tls->ssl, tls);
    SSL_set_msg_callback(tls->ssl, count_record);
    SSL_set_msg_callback_arg(tls->ssl, tls);
    tls->late_left = late;
    return tls;
}

struct catrace_tls *catrace_tls_accepting(struct catrace_tls_context *context, unsigned int late) {
    struct catrace_tls *tls = new_tls(context, late);
    if (tls != NULL) SSL_set_accept_state(tls->ssl);
    return tls;
}

struct catrace_tls *catrace_tls_connecting(
    struct catrace_tls_context *context, unsigned int late, const char *host) {
    struct catrace_tls *tls = new_tls(context, late);
    if (tls == NULL) return NULL;
    SSL_set_connect_state(tls->ssl);
    X509_VERIFY_PARAM *demands = SSL_get0_param(tls->ssl);
    X509_VERIFY_PARAM_set_hostflags(demands, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // Digits are no name: they are not sent, and must stand in the certificate as an address.
    bool holds = X509_VERIFY_PARAM_set1_ip_asc(demands, host) == 1
        || (SSL_set1_host(tls->ssl, host) == 1 && SSL_set_tlsext_host_name(tls->ssl, host) == 1);
    ERR_clear_error();
    if (holds) return tls;
    catrace_tls_free(tls);
    return NULL;
}

void catrace_tls_free(struct catrace_tls *tls) {
    SSL_free(tls->ssl);
    free(tls);
}

// MARK: What goes wrong

/// Adds a word to the details, if there is room.
static void say(struct catrace_tls *tls, const char *word, unsigned long count) {
    unsigned long length = strlen(tls->details);
    unsigned long comma = length > 0 ? 2 : 0;
    if (length + comma + count >= sizeof tls->details) return;
    if (comma > 0) memcpy(tls->details + length, ", ", 2);
    memcpy(tls->details + length + comma, word, count);
    tls->details[length + comma + count] = 0;
}

static void say_names(struct catrace_tls *tls, X509 *certificate) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
        if (name->type == GEN_DNS) {
            say(tls, (const char *)ASN1_STRING_get0_data(name->d.dNSName),
                (unsigned long)ASN1_STRING_length(name->d.dNSName));
        } else if (name->type == GEN_IPADD) {
            const unsigned char *bytes = ASN1_STRING_get0_data(name->d.iPAddress);
            int count = ASN1_STRING_length(name->d.iPAddress);
            char text[64] = "";
            for (int place = 0; place < count && count <= 16; place += count == 4 ? 1 : 2) {
                unsigned long end = strlen(text);
                if (count == 4) {
                    BIO_snprintf(text + end, sizeof text - end, place ? ".%u" : "%u", bytes[place]);
                } else if (place + 1 < count) {
                    BIO_snprintf(text + end, sizeof text - end, place ? ":%x" : "%x",
                        bytes[place] << 8 | bytes[place + 1]);
                }
            }
            say(tls, text, strlen(text));
        }
    }
    bool has_none = sk_GENERAL_NAME_num(names) <= 0;
    GENERAL_NAMES_free(names);
    if (!has_none) return;
    char name[128];
    int count = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
    if (count > 0) say(tls, name, strlen(name));
}

static void say_time(struct catrace_tls *tls, const ASN1_TIME *time) {
    BIO *memory = BIO_new(BIO_s_mem());
    if (memory != NULL && ASN1_TIME_print(memory, time) == 1) {
        char *text;
        long count = BIO_get_mem_data(memory, &text);
        say(tls, text, (unsigned long)count);
    }
    BIO_free(memory);
}

static int check(int fine, X509_STORE_CTX *store) {
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct catrace_tls *tls = ssl == NULL ? NULL : SSL_get_app_data(ssl);
    X509 *certificate = X509_STORE_CTX_get_current_cert(store);
    if (fine || tls == NULL || tls->fault != 0) return fine;
    int code = X509_STORE_CTX_get_error(store);
    switch (code) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        tls->fault = catrace_tls_other_host;
        if (certificate != NULL) say_names(tls, certificate);
        break;
    case X509_V_ERR_CERT_HAS_EXPIRED:
        tls->fault = catrace_tls_expired;
        if (certificate != NULL) say_time(tls, X509_get0_notAfter(certificate));
        break;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        tls->fault = catrace_tls_not_yet_valid;
        if (certificate != NULL) say_time(tls, X509_get0_notBefore(certificate));
        break;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        tls->fault = catrace_tls_untrusted;
        break;
    default: {
        tls->fault = catrace_tls_bad_certificate;
        const char *text = X509_verify_cert_error_string(code);
        say(tls, text, strlen(text));
    }
    }
    return 0;
}

static long fail(struct catrace_tls *tls) {
    unsigned long error = ERR_peek_error();
    int reason = ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : 0;
    if (tls->fault == 0) {
        switch (reason) {
        case SSL_R_WRONG_VERSION_NUMBER:
        case SSL_R_HTTP_REQUEST:
        case SSL_R_HTTPS_PROXY_REQUEST:
        case SSL_R_BAD_RECORD_TYPE:
        case SSL_R_PACKET_LENGTH_TOO_LONG:
        case SSL_R_RECORD_LENGTH_MISMATCH:
            tls->fault = catrace_tls_not_tls;
            break;
        case SSL_R_UNSUPPORTED_PROTOCOL:
        case SSL_R_NO_SHARED_CIPHER:
        case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
        case SSL_R_VERSION_TOO_LOW:
            tls->fault = catrace_tls_no_common_version;
            break;
        default:
            // Alerts of the peer are numbered from there.
            tls->fault = reason >= SSL_AD_REASON_OFFSET ? catrace_tls_peer_refused : catrace_tls_protocol_error;
        }
        const char *text = ERR_reason_error_string(error);
        if (text != NULL) say(tls, text, strlen(text));
    }
    ERR_clear_error();
    return catrace_tls_failed;
}

int catrace_tls_fault(const struct catrace_tls *tls) { return tls->fault; }

const char *catrace_tls_details(const struct catrace_tls *tls) { return tls->details; }

// MARK: Bytes

static void begin(
    struct catrace_tls *tls, const unsigned char *input, unsigned long count, struct catrace_tls_output *output) {
    ERR_clear_error();
    tls->input = input;
    tls->left = count;
    tls->output = output;
}

static unsigned long end(struct catrace_tls *tls) {
    unsigned long left = tls->left;
    tls->input = NULL;
    tls->left = 0;
    tls->output = NULL;
    return left;
}

long catrace_tls_handshake(
    struct catrace_tls *tls, const unsigned char *input, unsigned long count, unsigned long *taken,
    struct catrace_tls_output *output) {
    begin(tls, input, count, output);
    int result = SSL_do_handshake(tls->ssl);
    int error = SSL_get_error(tls->ssl, result);
    *taken = count - end(tls);
    if (result == 1) {
        tls->stands = true;
        return catrace_tls_done;
    }
    return error == SSL_ERROR_WANT_READ ? catrace_tls_more : fail(tls);
}

long catrace_tls_read(
    struct catrace_tls *tls, const unsigned char *input, unsigned long count, unsigned long *taken, void *room,
    unsigned long room_count, struct catrace_tls_output *output) {
    begin(tls, input, count, output);
    size_t got = 0;
    int result = SSL_read_ex(tls->ssl, room, room_count, &got);
    int error = SSL_get_error(tls->ssl, result);
    *taken = count - end(tls);
    if (tls->has_too_many && tls->fault == 0) {
        tls->fault = catrace_tls_too_much;
        return fail(tls);
    }
    if (result == 1) return (long)got;
    if (error == SSL_ERROR_WANT_READ) return catrace_tls_more;
    return error == SSL_ERROR_ZERO_RETURN ? catrace_tls_ended : fail(tls);
}

bool catrace_tls_write(
    struct catrace_tls *tls, const void *bytes, unsigned long count, struct catrace_tls_output *output) {
    begin(tls, NULL, 0, output);
    size_t taken = 0;
    int result = SSL_write_ex(tls->ssl, bytes, count, &taken);
    end(tls);
    if (result == 1 && taken == count) return true;
    fail(tls);
    return false;
}

void catrace_tls_close(struct catrace_tls *tls, struct catrace_tls_output *output) {
    begin(tls, NULL, 0, output);
    SSL_shutdown(tls->ssl);
    end(tls);
    ERR_clear_error();
}
