#include "CEpoll.h"

#include <sys/ioctl.h>
#include <termios.h>

int subguard_bytes_in_kernel(int descriptor) {
    int count = 0;
    return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : 0;
}
