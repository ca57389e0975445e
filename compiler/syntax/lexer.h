/* Tokens of MLIR text.  The lexer knows characters and words, never the name of an op. */
#ifndef VMC_LEXER_H
#define VMC_LEXER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum TokenKind {
    TOKEN_EOF,
    TOKEN_ERROR,   /* Token.message says why */
    TOKEN_WORD,    /* bare identifier, keyword, builtin type name */
    TOKEN_INTEGER, /* decimal or 0x hexadecimal, no sign */
    TOKEN_FLOAT,   /* decimal with a point, no sign */
    TOKEN_STRING,  /* quotes included, escapes as written */
    TOKEN_VALUE,   /* %name */
    TOKEN_BLOCK,   /* ^name */
    TOKEN_SYMBOL,  /* @name or @"name" */
    TOKEN_HASH,    /* #name */
    TOKEN_BANG,    /* !name */
    TOKEN_PUNCT,   /* ( ) [ ] { } < > , : :: = -> - + * / ? | ... {-# #-} and # before a digit */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    const char *start, *end;
    const char *message;
} Token;

/* The token at or after `at`, which lies in text that ends with a NUL at `limit`. */
Token vmc_lex(const char *at, const char *limit);
/* First character from `at` on that is neither blank nor comment. */
const char *vmc_skip_blanks(const char *at, const char *limit);

#endif
