/* Printing of types and attributes with aliases: what ir/print.c offers to the printer of ops. */
#ifndef VMC_IR_PRINT_H
#define VMC_IR_PRINT_H

#include "ir.h"

typedef enum TypeElision { TYPE_NEVER, TYPE_MAY /* i64 and f64 without their type */, TYPE_MUST } TypeElision;

typedef struct AttrPrinter {
    Text *out;
    const Map *aliases; /* Type or Attr -> text of its alias, sigil included; may be NULL */
    uint64_t elide_over;
    void (*on_elided)(void *user, const Attr *attr);
    void *user;
    uint32_t budget; /* nodes that may still be printed: shared trees are finite to store, not to write out */
} AttrPrinter;

#define VMC_PRINT_BUDGET (1u << 12) /* in messages */

void vmc_print_type_with(AttrPrinter *p, const Type *type);
void vmc_print_attr_with(AttrPrinter *p, const Attr *attr, TypeElision elision);
void vmc_print_attr_unaliased(AttrPrinter *p, const Attr *attr, TypeElision elision); /* the right side of an alias definition */
void vmc_print_type_unaliased(AttrPrinter *p, const Type *type);
void vmc_print_named_attr(AttrPrinter *p, const char *name, const Attr *attr); /* name = attr; a unit is the name alone */
void vmc_print_quoted(Text *out, const char *text, size_t n);                  /* with escapes */
void vmc_print_symbol(Text *out, const char *name);                            /* @name or @"odd name" */
void vmc_print_keyword(Text *out, const char *name);                           /* bare where an identifier, else quoted */
void vmc_print_float(Text *out, const Type *type, uint64_t bits);              /* a literal that reads back to the bits */
void vmc_print_hex(Text *out, const void *data, size_t n);                     /* upper-case digits */
/* A floating-point literal never holds the names d0.. of an affine map, so both share this printer; names may be NULL. */
void vmc_print_affine_expr(Text *out, const AffineExpr *expr, void (*leaf)(Text *out, const AffineExpr *e, void *user), void *user);

#endif
