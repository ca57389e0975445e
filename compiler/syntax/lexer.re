/* The lexer; re2c makes lexer.c of it.  Long tokens (strings, comments) are passed with memchr. */
#include "compiler/syntax/lexer.h"

#include <string.h>

/* Behind the opening quote at `at` - 1.  A quote is escaped when an odd number of backslashes stands before it;
   each backslash is looked at once, for the runs before two quotes do not overlap. */
static Token string_token(Token token, const char *at, const char *limit)
{
    const char *from = at;
    for (;;) {
        const char *quote = memchr(from, '"', (size_t)(limit - from));
        const char *stop = quote ? quote : limit;
        const char *newline = memchr(from, '\n', (size_t)(stop - from));
        if (newline || !quote) {
            token.kind = TOKEN_ERROR;
            token.message = "this string is not closed on its line";
            token.end = newline ? newline : limit;
            return token;
        }
        size_t slashes = 0;
        while (quote - slashes > from && quote[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        from = quote + 1;
        if (slashes % 2 == 0) {
            token.end = from;
            return token;
        }
    }
}

const char *vmc_skip_blanks(const char *at, const char *limit)
{
    for (;;) {
        while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
            at++;
        if (at[0] != '/' || at[1] != '/')
            return at;
        const char *newline = memchr(at, '\n', (size_t)(limit - at));
        at = newline ? newline + 1 : limit;
    }
}

static Token made(TokenKind kind, const char *start, const char *end)
{
    return (Token){kind, start, end, NULL};
}

Token vmc_lex(const char *at, const char *limit)
{
    const char *YYCURSOR = vmc_skip_blanks(at, limit), *YYMARKER;
    const char *start = YYCURSOR;
    /*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:yyfill:enable = 0;
    re2c:indent:top = 1;
    re2c:yych:conversion = 1;

    digit  = [0-9];
    letter = [a-zA-Z];
    word   = (letter | "_") (letter | digit | [_$.])*;
    suffix = digit+ | (letter | [$._-]) (letter | digit | [$._-])*;
    float  = digit+ "." digit* ([eE] [-+]? digit+)?;

    word                 { return made(TOKEN_WORD, start, YYCURSOR); }
    "0x" [0-9a-fA-F]+    { return made(TOKEN_INTEGER, start, YYCURSOR); }
    digit+               { return made(TOKEN_INTEGER, start, YYCURSOR); }
    float                { return made(TOKEN_FLOAT, start, YYCURSOR); }
    "%" suffix           { return made(TOKEN_VALUE, start, YYCURSOR); }
    "^" suffix           { return made(TOKEN_BLOCK, start, YYCURSOR); }
    "@" (letter | "_") (letter | digit | [_$.-])* { return made(TOKEN_SYMBOL, start, YYCURSOR); }
    "@" ["]              { return string_token(made(TOKEN_SYMBOL, start, YYCURSOR), YYCURSOR, limit); }
    "#" (letter | [$._]) (letter | digit | [$._-])* { return made(TOKEN_HASH, start, YYCURSOR); }
    "!" suffix           { return made(TOKEN_BANG, start, YYCURSOR); }
    ["]                  { return string_token(made(TOKEN_STRING, start, YYCURSOR), YYCURSOR, limit); }
    "->" | "::" | "..." | "{-#" | "#-}" | [-(){}[\]<>,:=+*/?|#] { return made(TOKEN_PUNCT, start, YYCURSOR); }
    "\x00" {
        if (start >= limit)
            return made(TOKEN_EOF, limit, limit);
        Token token = made(TOKEN_ERROR, start, YYCURSOR);
        token.message = "a NUL byte is not part of any token";
        return token;
    }
    * {
        Token token = made(TOKEN_ERROR, start, YYCURSOR);
        token.message = "this character is not part of any token";
        return token;
    }
    */
}
