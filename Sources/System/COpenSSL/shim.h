#pragma once
// libssl and libcrypto, with functions for macros that Swift cannot import.
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

static inline int subguard_tls_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline int subguard_tls_set_groups(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

static inline void subguard_tls_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }

static inline void subguard_tls_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }

/// Disables the session table: a client sends its session in its ticket.
static inline void subguard_tls_disable_session_table(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// Takes ownership of `certificate` if it returns 1.
static inline int subguard_tls_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add0_chain_cert(context, certificate);
}

/// 80 bytes; see SSL_CTX_set_tlsext_ticket_keys(3).
static inline int subguard_tls_set_ticket_keys(SSL_CTX *context, const void *keys, long count) {
    return (int)SSL_CTX_set_tlsext_ticket_keys(context, (void *)keys, count);
}

static inline void subguard_bio_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void subguard_bio_set_retry_write(BIO *bio) { BIO_set_retry_write(bio); }
static inline void subguard_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline uint64_t subguard_tls_server_options(void) {
    return SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
           SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF;
}
