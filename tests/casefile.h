/* What the comments of a case file say: calls, wanted results, options.  The grammar is at the head of caserun.c. */
#ifndef CASEFILE_H
#define CASEFILE_H

#include "../compiler/bufvmc.h"
#include "../vm/tools/tools.h"

typedef struct CaseWords {
    char *at[128];
    size_t n;
} CaseWords;

/* Splits at blanks outside brackets and parentheses; changes `line`. */
void case_split_words(char *line, CaseWords *words);
/* The next comment line with this key, from *at on; its text, NUL-terminated, to be freed, or NULL. */
char *case_next_line(char **at, const char *key, char **text);
/* --sanitize[=race] as BufvmLimits.sanitize; 0: something else. */
unsigned case_sanitize_flag(const char *arg);
/* What `// options:` says; the result is what it says of --sanitize; *keep holds the texts that the options point to and is to be freed. */
unsigned case_file_options(char *source, BufvmcOptions *o, char **keep);
/* The words of a call behind its name as the arguments of `s`. */
bool case_parse_args(const CaseWords *call, const BufvmSignature *s, ToolValue *args, ToolError *error);

#endif
