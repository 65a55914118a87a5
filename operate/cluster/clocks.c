/* Adds to the time of day what a file says: loaded before the C library of a server. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static volatile const long long *step;
static int (*real)(clockid_t, struct timespec *);
__attribute__((constructor)) static void begin(void) {
  const char *place = getenv("EVENKEEL_CLOCK");
  int file = place ? open(place, O_RDONLY) : -1;
  void *page = file < 0 ? MAP_FAILED : mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
  step = page == MAP_FAILED ? 0 : page;
}
int clock_gettime(clockid_t clock, struct timespec *out) {
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(clock, out);
  if (!failed && step && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    out->tv_sec += *step;
  return failed;
}
int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
