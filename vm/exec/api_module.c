/* The public face of modules: loading from memory and files, exports and imports, names of things. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bytecode/file.h"
#include "exec.h"

#define DEFAULT_MODULE_BYTES (UINT64_C(16) << 30)

const char *bufvm_status_name(BufvmStatus status)
{
    static const char *const names[] = {
        [BUFVM_OK] = "ok",
        [BUFVM_INVALID_ARGUMENT] = "invalid argument",
        [BUFVM_INVALID_MODULE] = "invalid module",
        [BUFVM_VERSION] = "other version",
        [BUFVM_NOT_FOUND] = "not found",
        [BUFVM_OUT_OF_MEMORY] = "out of memory",
        [BUFVM_LIMIT] = "limit reached",
        [BUFVM_TRAP] = "trap",
        [BUFVM_INTERRUPTED] = "interrupted",
        [BUFVM_BUSY] = "busy",
        [BUFVM_IO] = "input or output failed",
        [BUFVM_HOST] = "host function failed",
    };
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown status";
}

size_t bufvm_elem_bytes(BufvmElem elem)
{
    return bvm_elem_bytes(elem);
}

const char *bufvm_elem_name(BufvmElem elem)
{
    return bvm_elem_name(elem);
}

uint64_t bufvm_buffer_address(const BufvmBuffer *buffer)
{
    return buffer ? atomic_load_explicit(&buffer->address, memory_order_relaxed) : 0;
}

/* -- loading ----------------------------------------------------------------------------------------- */

static BufvmModule *module_new(const BufvmLoadOptions *options)
{
    BufvmAllocator a = bvm_mem_allocator(options ? options->allocator : NULL);
    BufvmModule *module = bvm_mem_zalloc(&a, sizeof *module);
    if (module) {
        module->allocator = a;
        atomic_init(&module->refs, 1);
    }
    return module;
}

static void free_bytes(BufvmModule *module)
{
    if (module->map)
        munmap(module->map, module->map_bytes);
    bvm_mem_free(&module->allocator, module->copy, module->copy_bytes);
}

static void module_destroy(BufvmModule *module)
{
    BufvmAllocator a = module->allocator;
    free_bytes(module);
    bvm_mem_free(&a, module, sizeof *module);
}

static uint64_t max_bytes(const BufvmLoadOptions *options)
{
    return options && options->max_module_bytes ? options->max_module_bytes : DEFAULT_MODULE_BYTES;
}

/* Takes the module with the bytes that it owns, or destroys it. */
static BufvmStatus finish(BufvmModule *module, const void *data, size_t size, const BufvmLoadOptions *options, BufvmModule **out,
                          BufvmError *error)
{
    BufvmStatus status = bvm_module_read(&module->allocator, data, size, max_bytes(options), &module->m, error);
    if (!status) {
        status = bvm_decode_module(module, error);
        if (status) {
            bvm_decode_free(module);
            bvm_module_free(&module->m);
        }
    }
    if (status) {
        module_destroy(module);
        return status;
    }
    *out = module;
    return BUFVM_OK;
}

static BufvmStatus too_large(uint64_t size, const BufvmLoadOptions *options, BufvmError *error)
{
    return bvm_error(error, BUFVM_LIMIT, "module of %" PRIu64 " bytes: the limit is %" PRIu64, size, max_bytes(options));
}

BufvmStatus bufvm_module_load(const void *data, size_t size, const BufvmLoadOptions *options, BufvmModule **out, BufvmError *error)
{
    if (!out || (!data && size))
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_module_load: %s", out ? "no data" : "no place for the module");
    *out = NULL;
    if (size > max_bytes(options))
        return too_large(size, options, error);
    BufvmModule *module = module_new(options);
    if (!module)
        return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: loading a module");
    if ((uintptr_t)data & 7) {
        module->copy = bvm_mem_alloc(&module->allocator, size);
        if (!module->copy) {
            module_destroy(module);
            return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: copy of a module of %zu bytes", size);
        }
        module->copy_bytes = size;
        memcpy(module->copy, data, size);
        data = module->copy;
    }
    return finish(module, data, size, options, out, error);
}

/* A stream that has no end is refused when enough is there to tell: at its header, or a byte behind the size that it says. */
static bool is_enough(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[8] = BVM_MAGIC;
    return size >= BVM_HEADER_BYTES && (memcmp(bytes, magic, sizeof magic) != 0 || size > bvm_get64(bytes + 16));
}

/* Reads to the end of the file, or as far as it can be a module. */
static BufvmStatus read_all(BufvmModule *module, int fd, const char *path, size_t *size, const BufvmLoadOptions *options,
                            BufvmError *error)
{
    for (*size = 0;;) {
        if (*size == module->copy_bytes) {
            size_t more = module->copy_bytes ? module->copy_bytes * 2 : 65536;
            void *grown = module->allocator.realloc(module->allocator.user, module->copy, module->copy_bytes, more);
            if (!grown)
                return bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: reading %s", path);
            module->copy = grown;
            module->copy_bytes = more;
        }
        ssize_t n = read(fd, (char *)module->copy + *size, module->copy_bytes - *size);
        if (n == 0)
            return BUFVM_OK;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return bvm_error(error, BUFVM_IO, "%s: %s", path, strerror(errno));
        *size += (size_t)n;
        if (*size > max_bytes(options))
            return too_large(*size, options, error);
        if (is_enough(module->copy, *size))
            return BUFVM_OK;
    }
}

static BufvmStatus open_bytes(BufvmModule *module, int fd, const char *path, const void **data, size_t *size,
                              const BufvmLoadOptions *options, BufvmError *error)
{
    struct stat st;
    if (fstat(fd, &st))
        return bvm_error(error, BUFVM_IO, "%s: %s", path, strerror(errno));
    if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max_bytes(options))
        return too_large((uint64_t)st.st_size, options, error);
    if (S_ISREG(st.st_mode) && st.st_size > 0 && !(options && options->no_mmap)) {
        void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) {
            module->map = map;
            *data = map;
            *size = module->map_bytes = (size_t)st.st_size;
            return BUFVM_OK;
        }
    }
    BufvmStatus status = read_all(module, fd, path, size, options, error);
    *data = module->copy;
    return status;
}

BufvmStatus bufvm_module_load_file(const char *path, const BufvmLoadOptions *options, BufvmModule **out, BufvmError *error)
{
    if (!out || !path)
        return bvm_error(error, BUFVM_INVALID_ARGUMENT, "bufvm_module_load_file: %s", out ? "no path" : "no place for the module");
    *out = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return bvm_error(error, errno == ENOENT ? BUFVM_NOT_FOUND : BUFVM_IO, "%s: %s", path, strerror(errno));
    BufvmModule *module = module_new(options);
    const void *data = NULL;
    size_t size = 0;
    BufvmStatus status;
    if (!module)
        status = bvm_error(error, BUFVM_OUT_OF_MEMORY, "out of memory: loading %s", path);
    else if ((status = open_bytes(module, fd, path, &data, &size, options, error)))
        module_destroy(module);
    close(fd);
    return status ? status : finish(module, data, size, options, out, error);
}

void bufvm_module_retain(BufvmModule *module)
{
    if (module)
        atomic_fetch_add_explicit(&module->refs, 1, memory_order_relaxed);
}

void bufvm_module_release(BufvmModule *module)
{
    if (!module || atomic_fetch_sub_explicit(&module->refs, 1, memory_order_acq_rel) != 1)
        return;
    bvm_decode_free(module);
    bvm_module_free(&module->m);
    module_destroy(module);
}

/* -- contents ----------------------------------------------------------------------------------------- */

uint32_t bufvm_module_exports(const BufvmModule *module)
{
    return module ? module->m.nexports : 0;
}

const BufvmSignature *bufvm_module_export(const BufvmModule *module, uint32_t i)
{
    return module && i < module->m.nexports ? &module->m.exports[i].api : NULL;
}

bool bufvm_module_find(const BufvmModule *module, const char *name, uint32_t *export_number)
{
    uint32_t number;
    if (!module || !name || !bvm_module_find_export(&module->m, name, &number))
        return false;
    if (export_number)
        *export_number = number;
    return true;
}

const char *bufvm_module_attribute(const BufvmModule *module, const char *key)
{
    return module && key ? bvm_module_find_attribute(&module->m, key) : NULL;
}

uint32_t bufvm_module_imports(const BufvmModule *module)
{
    return module ? module->m.nimports : 0;
}

const BufvmSignature *bufvm_module_import(const BufvmModule *module, uint32_t i)
{
    return module && i < module->m.nimports ? &module->m.imports[i].api : NULL;
}
