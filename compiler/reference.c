/* The op reference: every row of every dialect, in Markdown. */
#include "reference.h"

#include "dialects/dialect.h"

static void field(Text *out, const char *title, const char *text)
{
    if (text && text[0])
        vmc_text_fmt(out, "- %s: `%s`\n", title, text);
}

static size_t dialect_length(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

void vmc_op_reference(Text *out)
{
    vmc_text_str(out, "# IR operations\n\nGenerated from the rows in compiler/dialects; the notation of the fields is explained in "
                      "compiler/dialects/dialect.h.\n");
    const char *previous = "";
    for (uint32_t i = 0; i < vmc_num_defs(); i++) {
        const OpDef *def = vmc_def_at(i);
        size_t n = dialect_length(def->name);
        if (dialect_length(previous) != n || strncmp(previous, def->name, n) != 0)
            vmc_text_fmt(out, "\n## %.*s\n", (int)n, def->name);
        previous = def->name;
        vmc_text_fmt(out, "\n### %s\n%s\n", def->name, def->doc ? def->doc : "");
        field(out, "operands", def->operands_text);
        field(out, "results", def->results_text);
        field(out, "attributes", def->attrs_text);
        field(out, "regions", def->regions_text);
        field(out, "format", def->format);
        field(out, "also spelled", def->aliases);
    }
}
