#pragma once
// libcrypto alone: hashes, keys, ciphers and certificates, without TLS.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Functions for macros that Swift cannot import.
static inline int subguard_certificates_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *subguard_certificates_at(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}
static inline STACK_OF(X509) *subguard_certificates_new(void) { return sk_X509_new_null(); }
/// Does not take ownership of `certificate`.
static inline int subguard_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline void subguard_certificates_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

// Lists of parameters, whose names must live as long as the lists.

/// Makes a MAC context use SHA-256.
static inline int subguard_mac_use_sha256(EVP_MAC_CTX *context) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(context, parameters);
}

/// RFC 5869 with SHA-256. An empty salt counts as none.
static inline int subguard_hkdf_sha256(EVP_KDF_CTX *context, const void *key, size_t key_count, const void *salt,
                                       size_t salt_count, const void *info, size_t info_count, unsigned char *target,
                                       size_t count) {
    OSSL_PARAM parameters[5], *next = parameters;
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0);
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count);
    if (salt_count > 0) *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count);
    if (info_count > 0) *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count);
    *next = OSSL_PARAM_construct_end();
    return EVP_KDF_derive(context, target, count, parameters);
}

static inline EVP_PKEY *subguard_public_key(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// A public key on P-256 from an uncompressed point of 65 bytes. NULL unless the point is on the curve.
static inline EVP_PKEY *subguard_p256_public_key(const unsigned char *point) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65),
        OSSL_PARAM_construct_end(),
    };
    return subguard_public_key("EC", parameters);
}

/// A public RSA key from numbers with the most significant byte first.
static inline EVP_PKEY *subguard_rsa_public_key(const unsigned char *modulus, int modulus_count,
                                                const unsigned char *exponent, int exponent_count) {
    EVP_PKEY *key = NULL;
    BIGNUM *n = BN_bin2bn(modulus, modulus_count, NULL), *e = BN_bin2bn(exponent, exponent_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (n != NULL && e != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
        OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
        if (parameters != NULL) key = subguard_public_key("RSA", parameters);
        OSSL_PARAM_free(parameters);
    }
    OSSL_PARAM_BLD_free(builder);
    BN_free(n);
    BN_free(e);
    return key;
}

static inline void subguard_free(void *memory) { OPENSSL_free(memory); }
static inline int subguard_error_reason(unsigned long error) { return ERR_GET_REASON(error); }
