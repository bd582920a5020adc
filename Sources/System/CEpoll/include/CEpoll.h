#pragma once
// Swift's Glibc module exports neither epoll nor accept4 (Swift 6.3), so this header does.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC: needs _GNU_SOURCE, which a header cannot set for its importer.
int subguard_accept_nonblocking(int listener, struct sockaddr *address, socklen_t *length);

/// Bytes written to a socket that its peer has not acknowledged. Wraps ioctl, which is variadic and cannot be called
/// from Swift.
int subguard_bytes_in_kernel(int descriptor);
