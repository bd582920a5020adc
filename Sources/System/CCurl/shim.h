#pragma once
// libcurl, with fixed-argument wrappers of variadic functions, which Swift cannot import.
#include <curl/curl.h>

static inline CURLcode subguard_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the text.
static inline CURLcode subguard_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// The buffer has CURL_ERROR_SIZE bytes and must outlive the transfer.
static inline CURLcode subguard_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

/// The list must outlive the transfer.
static inline CURLcode subguard_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

/// The address must outlive the transfer.
static inline CURLcode subguard_curl_set_address(CURL *handle, CURLU *value) {
    return curl_easy_setopt(handle, CURLOPT_CURLU, value);
}

typedef size_t (*subguard_curl_writer)(char *, size_t, size_t, void *);
typedef size_t (*subguard_curl_reader)(char *, size_t, size_t, void *);
typedef int (*subguard_curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef curl_socket_t (*subguard_curl_opener)(void *, curlsocktype, struct curl_sockaddr *);

/// All callbacks receive `context`; `header` has the form of `writer`.
static inline void subguard_curl_set_callbacks(CURL *handle, void *context, subguard_curl_writer writer,
                                               subguard_curl_reader reader, subguard_curl_progress progress,
                                               subguard_curl_opener opener, subguard_curl_writer header) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, reader);
    curl_easy_setopt(handle, CURLOPT_READDATA, context);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

static inline long subguard_curl_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

/// OpenSSL's reason (X509_V_ERR_…) why a certificate is not trusted. 0 or 1 when libcurl itself refused its name.
static inline long subguard_curl_certificate_fault(CURL *handle) {
    long fault = 0;
    return curl_easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, &fault) == CURLE_OK ? fault : 0;
}

/// The seconds in `Retry-After`; 0 without that field.
static inline long long subguard_curl_retry_after(CURL *handle) {
    curl_off_t seconds = 0;
    return curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? seconds : 0;
}

static inline const struct sockaddr *subguard_curl_peer(const struct curl_sockaddr *address) { return &address->addr; }
