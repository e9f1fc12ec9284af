// SPDX-License-Identifier: MIT
// The part of libtracefs that msgring uses, declared here: the library's own header (1.6 to 1.8)
// has inline functions that are C, but not C++. See libtracefs(3).
#pragma once

#include <event-parse.h>
#include <sched.h>

extern "C" {

struct tracefs_instance;

int tracefs_set_tracing_dir(char* folder);
tracefs_instance* tracefs_instance_create(const char* name);
int tracefs_instance_destroy(tracefs_instance* instance);
void tracefs_instance_free(tracefs_instance* instance);
int tracefs_instance_file_write(tracefs_instance* instance, const char* file, const char* text);
int tracefs_instance_file_append(tracefs_instance* instance, const char* file, const char* text);
char* tracefs_instance_file_read(tracefs_instance* instance, const char* file, int* size);
int tracefs_instance_file_open(tracefs_instance* instance, const char* file, int mode);
int tracefs_trace_off(tracefs_instance* instance);
int tracefs_trace_on_fd(int fd);
int tracefs_trace_off_fd(int fd);
tep_handle* tracefs_local_events_system(const char* tracing_folder, const char* const* systems);
int tracefs_iterate_raw_events(tep_handle* formats, tracefs_instance* instance, cpu_set_t* cpus,
                               int cpus_size, int (*callback)(tep_event*, tep_record*, int, void*),
                               void* context);

}  // extern "C"
