/* Small programs: text with $M and $N, compiled in this process, called with arguments that stay. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 8 };

struct Program {
    BufvmcOutput code;
    BufvmModule *module;
    BufvmContext *context;
    const BufvmSignature *signature;
    uint32_t number;
    BufvmValue args[MOST_VALUES], results[MOST_VALUES];
};

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL, *grown;
    size_t n = 0, room = 0;
    while (in && !feof(in) && !ferror(in)) {
        if (n + 4096 > room) {
            grown = realloc(text, room = 2 * room + 8192);
            if (!grown)
                break;
            text = grown;
        }
        n += fread(text + n, 1, room - n - 1, in);
    }
    if (in)
        fclose(in);
    if (text)
        text[n] = 0;
    return text;
}

/* $M and $N become numbers. */
static char *fill_in(const char *template, long m, long n)
{
    char *out = malloc(8 * strlen(template) + 1), *at = out;
    while (out && *template) {
        if (*template == '$' && (template[1] == 'M' || template[1] == 'N')) {
            at += sprintf(at, "%ld", template[1] == 'M' ? m : n);
            template += 2;
        } else {
            *at++ = *template ++;
        }
    }
    if (out)
        *at = 0;
    return out;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static void fill_elements(uint8_t *p, uint64_t count, BufvmElem elem, double scale)
{
    uint64_t state = count;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = next_random(&state);
        float x = (float)(scale * ((double)bits / 0x1p31 - 1));
        uint32_t word;
        memcpy(&word, &x, sizeof word);
        uint16_t half;
        switch (elem) {
        case BUFVM_F32:
            memcpy(p + 4 * i, &x, sizeof x);
            break;
        case BUFVM_I32:
            memcpy(p + 4 * i, &bits, sizeof bits);
            break;
        case BUFVM_BF16:
            half = (uint16_t)(word >> 16);
            memcpy(p + 2 * i, &half, sizeof half);
            break;
        case BUFVM_F16: /* signs and mantissas at random, magnitudes of 1/4 to 2 */
            half = (uint16_t)((bits & 0x83ff) | (0x3400 + ((bits >> 16) % 3 << 10)));
            memcpy(p + 2 * i, &half, sizeof half);
            break;
        default:
            p[i] = (uint8_t)bits;
        }
    }
}

static bool make_arg(const BufvmType *type, double scale, BufvmValue *value, BufvmError *error)
{
    uint64_t count = 1;
    *value = (BufvmValue){.kind = BUFVM_VIEW, .view = {.elem = type->elem, .rank = type->rank}};
    for (uint32_t d = 0; d < type->rank; d++) {
        value->view.dims[d] = type->dims[d];
        count *= (uint64_t)type->dims[d];
    }
    if (bufvm_buffer_alloc(NULL, count * bufvm_elem_bytes(type->elem), &value->view.buffer, error)) {
        value->kind = BUFVM_NOTHING;
        return false;
    }
    uint8_t *data = bufvm_buffer_data(value->view.buffer);
    if (scale > 0)
        fill_elements(data, count, type->elem, scale);
    else /* touched: fresh pages would be one page of zeros */
        memset(data, 0, count * bufvm_elem_bytes(type->elem));
    return true;
}

static bool load(Program *p, const char *text, const ProgramOptions *options, BufvmError *error)
{
    BufvmcOptions how = {.file_name = options->file, .fp = options->fp, .fp_given = true};
    if (bufvmc_compile(text, strlen(text), &how, &p->code)) {
        snprintf(error->text, sizeof error->text, "%.900s", p->code.diagnostics ? p->code.diagnostics : "out of memory");
        return false;
    }
    BufvmLimits limits = {.cpu = getenv("BUFVM_CPU")};
    if (bufvm_module_load(p->code.data, p->code.size, NULL, &p->module, error) ||
        bufvm_context_new(p->module, &limits, NULL, 0, NULL, &p->context, error))
        return false;
    if (!bufvm_module_find(p->module, options->function, &p->number)) {
        snprintf(error->text, sizeof error->text, "no function @%s", options->function);
        return false;
    }
    p->signature = bufvm_module_export(p->module, p->number);
    for (uint32_t i = 0; i < p->signature->nargs; i++)
        if (!make_arg(&p->signature->args[i], options->scale, &p->args[i], error))
            return false;
    return !bufvm_call(p->context, p->number, p->args, p->signature->nargs, p->results, p->signature->nresults, error);
}

char *bench_program_text(const Bench *bench, const char *file, long m, long n)
{
    char path[1100];
    snprintf(path, sizeof path, "%.900s/tests/bench/programs/%.100s", bench->source, file);
    char *template = read_text(path), *text = template ? fill_in(template, m, n) : NULL;
    free(template);
    return text;
}

Program *program_new(const Bench *bench, const ProgramOptions *options)
{
    BufvmError error = {0};
    char *text = bench_program_text(bench, options->file, options->m, options->n);
    Program *p = calloc(1, sizeof *p);
    bool ok = text && p && load(p, text, options, &error);
    free(text);
    if (ok)
        return p;
    bench_skip("@%s of %s: %s", options->function, options->file, error.text);
    program_free(p);
    return NULL;
}

void program_free(Program *p)
{
    if (!p)
        return;
    for (int i = 0; i < MOST_VALUES; i++) {
        bufvm_value_release(&p->args[i]);
        bufvm_value_release(&p->results[i]);
    }
    bufvm_context_free(p->context);
    bufvm_module_release(p->module);
    bufvmc_output_free(&p->code);
    free(p);
}

void *program_arg(const Program *p, unsigned i)
{
    return bufvm_buffer_data(p->args[i].view.buffer);
}

uint64_t program_arg_bytes(const Program *p, unsigned i)
{
    return bufvm_buffer_bytes(p->args[i].view.buffer);
}

double program_run(void *program, long calls)
{
    Program *p = program;
    uint32_t nargs = p->signature->nargs, nresults = p->signature->nresults;
    double start = bench_cpu_now();
    for (long k = 0; k < calls; k++) {
        for (uint32_t i = 0; i < nresults; i++)
            bufvm_value_release(&p->results[i]);
        if (bufvm_call(p->context, p->number, p->args, nargs, p->results, nresults, NULL))
            return -1;
    }
    return bench_cpu_now() - start;
}

bool program_agrees(Program *p, const float *expected, double tolerance)
{
    program_run(p, 1);
    uint32_t nargs = p->signature->nargs, nresults = p->signature->nresults;
    const BufvmView *view = nresults ? &p->results[nresults - 1].view : &p->args[nargs - 1].view;
    const uint8_t *data = bufvm_buffer_data(view->buffer) + view->offset;
    uint64_t count = 1;
    for (uint32_t d = 0; d < view->rank; d++)
        count *= (uint64_t)view->dims[d];
    for (uint64_t i = 0; i < count; i++) {
        float x;
        memcpy(&x, data + 4 * i, sizeof x);
        if (!(fabs((double)x - (double)expected[i]) <= tolerance * (1 + fabs((double)expected[i]))))
            return false;
    }
    return true;
}
