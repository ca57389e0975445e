/* See casefile.h. */
#include "casefile.h"

#include <stdlib.h>
#include <string.h>

void case_split_words(char *line, CaseWords *words)
{
    words->n = 0;
    for (char *p = line; *p && words->n < 128;) {
        while (*p == ' ' || *p == '\t')
            p++;
        if (!*p)
            break;
        words->at[words->n++] = p;
        for (int depth = 0; *p && (depth > 0 || (*p != ' ' && *p != '\t')); p++)
            depth += (*p == '[' || *p == '(') - (*p == ']' || *p == ')');
        if (*p)
            *p++ = 0;
    }
}

char *case_next_line(char **at, const char *key, char **text)
{
    char *p = *at;
    for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, "// ", 3) != 0)
            continue;
        size_t n = strlen(key);
        if (strncmp(p + 3, key, n) != 0)
            continue;
        char *start = p + 3 + n;
        size_t length = strcspn(start, "\n");
        *at = start + length + (start[length] == '\n');
        *text = strndup(start, length);
        return *text;
    }
    return NULL;
}

unsigned case_sanitize_flag(const char *arg)
{
    if (strcmp(arg, "--sanitize=race") == 0)
        return BUFVM_SANITIZE | BUFVM_SANITIZE_RACE;
    return strcmp(arg, "--sanitize") == 0 ? BUFVM_SANITIZE : 0;
}

unsigned case_file_options(char *source, BufvmcOptions *o, char **keep)
{
    char *at = source;
    unsigned sanitize = 0;
    if (!case_next_line(&at, "options:", keep))
        return 0;
    CaseWords words;
    case_split_words(*keep, &words);
    for (size_t k = 0; k < words.n; k++) {
        const char *w = words.at[k];
        if (strncmp(w, "--fp=", 5) == 0) {
            o->fp = strcmp(w + 5, "contract") == 0 ? BUFVMC_CONTRACT : strcmp(w + 5, "fast") == 0 ? BUFVMC_FAST : BUFVMC_STRICT;
            o->fp_given = true;
        } else if (strcmp(w, "-g") == 0 || case_sanitize_flag(w)) {
            o->debug = true;
            sanitize |= case_sanitize_flag(w);
        } else if (strncmp(w, "--elided=", 9) == 0) {
            o->elided = w + 9;
        }
    }
    return sanitize;
}

bool case_parse_args(const CaseWords *call, const BufvmSignature *s, ToolValue *args, ToolError *error)
{
    if (call->n - 1 != s->nargs)
        return tool_fail(error, TOOL_USAGE, "%zu arguments given, %u taken", call->n - 1, s->nargs);
    for (uint32_t k = 0; k < s->nargs; k++) {
        if (!tool_value_parse(call->at[k + 1], &s->args[k], &args[k], error))
            return false;
        ElemFormat wanted;
        if (tool_elem_of_written(s->args[k].written, &wanted) && wanted.kind == 'i' && args[k].format.kind == 'i' &&
            wanted.width != args[k].format.width)
            return tool_fail(error, TOOL_USAGE, "argument %u is no %s", k, s->args[k].written);
    }
    return true;
}
