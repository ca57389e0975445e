/* memref, tensor, linalg, affine and bufferization: grammar both ways, named ops and their bodies, diagnostics, what a kernel or a
 * strip takes.  Results of programs are tested by tests/cases. */
#include "../../compiler/bufvmc.h"
#include "../../compiler/dialects/linalg.h"
#include "../../compiler/dialects/shapes.h"
#include "compiler_context.h"

/* ---- texts ------------------------------------------------------------------ */

static char *read_file(const char *name)
{
    char path[4096];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/unit/%s", srcdir ? srcdir : ".", name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    char *text = calloc(1, 1 << 20);
    ck_assert(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

static char *printed(const char *source, bool generic)
{
    Context *ctx = context_parse(source);
    char *text = strdup(context_print(ctx, generic));
    context_free(ctx);
    return text;
}

/* Both forms of every op read back as the same module. */
START_TEST(text_reads_back)
{
    char *source = read_file("buffer_ops.mlir");
    char *custom = printed(source, false), *generic = printed(source, true);
    char *again = printed(custom, false), *from_generic = printed(generic, false);
    ck_assert_str_eq(again, custom);
    ck_assert_str_eq(from_generic, custom);
    free(source);
    free(custom);
    free(generic);
    free(again);
    free(from_generic);
}
END_TEST

static char *compiled(const char *text, const char *passes, BufvmcEmit emit, int optimize)
{
    BufvmcOptions options = {.emit = emit, .passes = passes, .optimize = optimize};
    BufvmcOutput out;
    BufvmcStatus status = bufvmc_compile(text, strlen(text), &options, &out);
    ck_assert_msg(status == BUFVMC_OK, "%s\n%s", text, out.diagnostics ? out.diagnostics : "out of memory");
    char *result = strndup(out.data, out.size);
    bufvmc_output_free(&out);
    return result;
}

static void must_hold(const char *text, const char *part, const char *source)
{
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in\n%s\nmade from\n%s", part, text, source);
}

/* Older and newer spellings that mean one thing. */
static const char *const spellings[][2] = {
    {"%0 = linalg.init_tensor [4, %n] : tensor<4x?xf32>", "linalg.init_tensor [4, %"},
    {"%0 = bufferization.to_buffer %t : tensor<4x4xf32> to memref<4x4xf32>", "bufferization.to_memref %"},
    {"%0 = bufferization.to_tensor %m : memref<4x4xf32> to tensor<4x4xf32>", " : memref<4x4xf32>\n"},
    {"%0 = memref.buffer_cast %t : memref<4x4xf32>", "bufferization.to_memref %"},
    {"%0 = memref.tensor_load %m : memref<4x4xf32>", "bufferization.to_tensor %"},
    {"%0 = memref.expand_shape %m [[0, 1], [2]] : memref<4x4xf32> into memref<2x2x4xf32>",
     "[[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>"},
    {"%0 = memref.assume_alignment %m, 64 : memref<4x4xf32>", "= memref.assume_alignment %"},
    {"memref.tensor_store %t, %m : memref<4x4xf32>", "memref.tensor_store %"},
    {"%0 = linalg.reduce { arith.addf } ins(%t : tensor<4x4xf32>) outs(%v : tensor<4xf32>) dimensions = [1]", "arith.addf %"},
    {"%0 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) "
     "-> (i, "
     "j)>] ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>",
     "affine_map<(d0, d1, d2) -> (d2, d0)>"},
    {"%0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> "
     "tensor<4x4xf32>",
     "linalg.elementwise kind = #linalg.elementwise_kind<exp>"},
    {"%0 = linalg.generic {iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], indexing_maps = "
     "[affine_map<(i, j) -> (i, j)>]} outs(%t : tensor<4x4xf32>) {\n^bb0(%o: f32):\nlinalg.yield %o : f32\n} -> tensor<4x4xf32>",
     "iterator_types = [\"parallel\", \"parallel\"]"},
    {"%0 = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) {foo = 1 : i64} -> "
     "tensor<4x4xf32>",
     "linalg.matmul {foo = 1 : i64} ins(%"},
};

#define FUNCTION_HEAD                                                                                                              \
    "func.func @f(%n: index, %t: tensor<4x4xf32>, %v: tensor<4xf32>, %m: memref<4x4xf32>, %d: memref<?x?xf32>) {\n"

START_TEST(spelling_is_accepted)
{
    char source[2048];
    snprintf(source, sizeof source, "%s%s\nreturn\n}\n", FUNCTION_HEAD, spellings[_i][0]);
    char *custom = printed(source, false);
    must_hold(custom, spellings[_i][1], source);
    char *again = printed(custom, false);
    ck_assert_str_eq(again, custom);
    free(custom);
    free(again);
}
END_TEST

/* ---- named ops -------------------------------------------------------------------- */

typedef struct NamedText {
    const char *name, *loops, *maps, *body;
} NamedText;
static const NamedText named[] = {
#define NAMED(name, loops, maps, body, attrs, doc) {name, loops, maps, body},
#include "../../compiler/dialects/linalg_named.def"
#undef NAMED
};
enum { NUM_NAMED = sizeof named / sizeof named[0] };

/* A row speaks of loops and operands that it has; each loop is the subscript of some operand by itself. */
START_TEST(row_is_well_formed)
{
    const NamedText *row = &named[_i];
    size_t operands = 1;
    bool fixed = row->loops[0] != '*' && row->loops[0] != '?', plain[128] = {false};
    for (const char *p = row->maps; *p; p++) {
        operands += *p == ',' || *p == ':';
        if (*p == '[') { /* terms letter or letter*[sd]digit, joined by + */
            for (p++; *p != ']'; p++) {
                ck_assert_msg(strchr(row->loops, *p) != NULL, "%s: no loop %c", row->name, *p);
                if (p[1] == '*') {
                    ck_assert_msg((p[2] == 's' || p[2] == 'd') && p[3] >= '0' && p[3] <= '2', "%s: bad window", row->name);
                    p += 3;
                }
                ck_assert_msg(p[1] == '+' || p[1] == ']', "%s: bad window", row->name);
                if (p[1] == '+')
                    p++;
            }
        } else if (fixed && *p != ',' && *p != ':' && *p != '.') {
            ck_assert_msg(strchr(row->loops, *p) != NULL, "%s: no loop %c", row->name, *p);
            plain[(unsigned char)*p] = true;
        }
    }
    for (const char *p = row->loops; fixed && *p; p++)
        ck_assert_msg(plain[(unsigned char)*p], "%s: loop %c has no size", row->name, *p);
    for (const char *p = row->body; *row->maps && *p; p++)
        if (p[1] == ',' || p[1] == ')' || !p[1])
            ck_assert_msg(*p == ')' || (size_t)(*p - 'a') < operands, "%s: no operand %c", row->name, *p);
}
END_TEST

/* Expansions, compared with those of mlir-opt 19. */
static const struct {
    const char *op, *maps, *body;
} expansions[] = {
    {"linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x5xi8>) outs(%c : tensor<4x5xi32>) -> tensor<4x5xi32>",
     "affine_map<(d0, d1, d2) -> (d0, d2)>|affine_map<(d0, d1, d2) -> (d2, d1)>|affine_map<(d0, d1, d2) -> (d0, d1)>",
     "arith.extsi arith.extsi arith.muli arith.addi"},
    {"linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x5xi8>) outs(%c : "
     "tensor<4x5xi32>) -> "
     "tensor<4x5xi32>",
     "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]", "arith.extui arith.extui arith.muli arith.addi"},
    {"linalg.matmul ins(%a, %b : tensor<4x8xi1>, tensor<8x5xi1>) outs(%c : tensor<4x5xi1>) -> tensor<4x5xi1>",
     "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]", "arith.andi arith.ori"},
    {"linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf16>, tensor<2x8x5xf16>) outs(%c : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>",
     "affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>|affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>|affine_map<(d0, d1, d2, d3) -> "
     "(d0, d1, "
     "d2)>",
     "arith.extf arith.extf arith.mulf arith.addf"},
    {"linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %b : "
     "tensor<1x7x10x2xf32>, tensor<3x4x2x5xf32>) outs(%c : tensor<1x3x3x5xf32>) -> tensor<1x3x3x5xf32>",
     "affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 3 + d5, d6)>|affine_map<(d0, d1, d2, d3, d4, d5, d6) -> "
     "(d4, d5, "
     "d6, d3)>|affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>",
     "arith.mulf arith.addf"},
    {"linalg.pooling_nchw_max ins(%a, %b : tensor<1x2x6x6xf32>, tensor<2x2xf32>) outs(%c : tensor<1x2x5x5xf32>) -> "
     "tensor<1x2x5x5xf32>",
     "affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>|affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>",
     "arith.maximumf"},
    {"linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%c : tensor<4x2x3xf32>) permutation = [2, 0, 1]",
     "affine_map<(d0, d1, d2) -> (d1, d2, d0)>|affine_map<(d0, d1, d2) -> (d0, d1, d2)>", ""},
    {"linalg.broadcast ins(%a : tensor<3xf32>) outs(%c : tensor<2x3x4xf32>) dimensions = [0, 2]",
     "affine_map<(d0, d1, d2) -> (d1)>|affine_map<(d0, d1, d2) -> (d0, d1, d2)>", ""},
    {"linalg.reduce { arith.subf } ins(%a : tensor<3x4xf32>) outs(%c : tensor<4xf32>) dimensions = [0]",
     "affine_map<(d0, d1) -> (d0, d1)>|affine_map<(d0, d1) -> (d1)>|iterator_types = [\"reduction\", \"parallel\"]", "arith.subf"},
    {"linalg.elemwise_binary {fun = #linalg.binary_fn<max_unsigned>} ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%c : "
     "tensor<4xi32>) "
     "-> tensor<4xi32>",
     "iterator_types = [\"parallel\"]", "arith.maxui"},
};
enum { NUM_EXPANSIONS = sizeof expansions / sizeof expansions[0] };

/* Types in `ins(%a, %b : T, T) outs(%c : T)` as the arguments of a function. */
static void as_function(char *out, size_t size, const char *op)
{
    const char *ins = strchr(strstr(op, "ins("), ':') + 2, *ins_end = strchr(ins, ')');
    const char *outs = strchr(strstr(op, "outs("), ':') + 2, *outs_end = strchr(outs, ')');
    const char *comma = strstr(ins, ">, ");
    bool two = comma && comma < ins_end;
    int first = (int)(two ? comma + 1 - ins : ins_end - ins);
    snprintf(out, size, "func.func @f(%%a: %.*s%s%.*s, %%c: %.*s) -> %.*s {\n%%r = %s\nreturn %%r : %.*s\n}\n", first, ins,
             two ? ", %b: " : "", two ? (int)(ins_end - comma - 3) : 0, two ? comma + 3 : "", (int)(outs_end - outs), outs,
             (int)(outs_end - outs), outs, op, (int)(outs_end - outs), outs);
}

START_TEST(named_op_expands)
{
    char source[2048], name[64];
    as_function(source, sizeof source, expansions[_i].op);
    char *text = compiled(source, "generalize", BUFVMC_CORE, 1);
    must_hold(text, "linalg.generic", source);
    for (const char *p = expansions[_i].maps; *p;) { /* maps may be printed as aliases: each part by itself */
        char part[512];
        size_t n = strcspn(p, "|");
        snprintf(part, sizeof part, "%.*s", (int)n, p);
        must_hold(text, part, source);
        p += n;
        p += *p == '|';
    }
    const char *at = strstr(text, "^bb0");
    ck_assert_ptr_nonnull(at);
    for (const char *p = expansions[_i].body; *p;) {
        size_t n = strcspn(p, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        at = strstr(at, name);
        ck_assert_msg(at != NULL, "no %s in its place in\n%s", name, text);
        at++;
        p += n;
        p += *p == ' ';
    }
    free(text);
}
END_TEST

/* ---- diagnostics ---------------------------------------------------------------------- */

static const char *const mistakes[][2] = {
    {"%0 = memref.load %m[%n] : memref<4x4xf32>", "incorrect number of indices"},
    {"%0 = memref.alloc() : memref<?xf32>", "dimension operand count"},
    {"%0 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32>", "'memref<2x2xf32, strided<[4, 1]>>'"},
    {"%0 = memref.subview %m[0, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>", "offset: 1"},
    {"%0 = memref.subview %m[0] [2] [1] : memref<4x4xf32> to memref<2xf32>", "for each dimension of the source"},
    {"%0 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32>", "expected result type"},
    {"%0 = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<15xf32>", "sizes of a group"},
    {"%0 = memref.collapse_shape %m [[1, 0]] : memref<4x4xf32> into memref<16xf32>", "reassociation"},
    {"%0 = memref.subview %m[0, 0] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>\n"
     "%1 = memref.collapse_shape %0 [[0, 1]] : memref<4x2xf32, strided<[4, 1]>> into memref<8xf32>",
     "do not lie contiguously"},
    {"%0 = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 2, 4] : memref<4x4xf32> into memref<3x2x4xf32>",
     "sizes of a group"},
    {"%0 = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<4x4xf32> to memref<4xf32>",
     "offset differs"},
    {"%0 = memref.transpose %m (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32>", "strided<[1, 4]>"},
    {"%0 = memref.cast %m : memref<4x4xf32> to memref<5x4xf32>", "cast from"},
    {"%0 = memref.get_global @nothing : memref<4xf32>", "does not name"},
    {"memref.copy %m, %d : memref<4x4xf32> to memref<?x?xf32>\nmemref.store %n, %d[%n, %n] : memref<?x?xf32>", "%n"},
    {"%0 = tensor.extract_slice %t[0, 3] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>", "runs out of bounds: 4 >= 4"},
    {"%0 = tensor.extract_slice %t[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4xf32>", "a slice of type"},
    {"%0 = tensor.insert_slice %v into %t[0, 0] [4, 2] [1, 1] : tensor<4xf32> into tensor<4x4xf32>", "a slice of type"},
    {"%0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<17xf32>", "sizes of a group"},
    {"%0 = tensor.empty(%n) : tensor<4xf32>", "dynamic sizes"},
    {"%0 = tensor.from_elements %n : tensor<2xindex>", "as many operands"},
    {"%0 = tensor.concat dim(2) %t, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>", "dimension within their rank"},
    {"%0 = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%v : tensor<4xf32>) -> tensor<4xf32>",
     "fit each other"},
    {"%0 = linalg.add ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>",
     "its loops need"},
    {"%0 = linalg.add ins(%i, %t : tensor<4x4xi32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>", "has no body"},
    {"%0 = linalg.conv_1d ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>) -> tensor<4xf32>",
     "its loops need 7"},
    {"%0 = linalg.index 0 : index", "structured op around"},
    {"%0 = linalg.reduce { arith.addf } ins(%t : tensor<4x4xf32>) outs(%v : tensor<4xf32>) dimensions = [2]", "fit each other"},
    {"affine.for %k = 0 to 4 step 0 {\n}", "positive step"},
    {"%0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%n)", "expected 2 dimension"},
    {"%0 = bufferization.to_memref %t : memref<5x4xf32>", "tensor<5x4xf32>"},
    {"%r:2 = \"memref.assume_alignment\"(%m) {alignment = 1 : i32} : (memref<4x4xf32>) -> (memref<4x4xf32>, memref<4x4xf32>)",
     "has 2 results, expected at most 1"},
    {"\"scf.execute_region\"() ({ \"cf.br\"() : () -> () }) : () -> ()", "has 0 successors, expected 1"},
    {"\"memref.tensor_store\"(%e, %m) : (tensor<4x5xf32>, memref<4x4xf32>) -> ()", "equal shape and element type"},
    {"%0 = tensor.empty() : tensor<2x2x3x2xf32>\n%1 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [3, 2] into %0 : "
     "tensor<4x4xf32> -> tensor<2x2x3x2xf32>",
     "needs a padding value: size 4 of dimension 0"},
    {"%0 = \"tensor.reshape\"(%t, %v) : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x2x2x2xf32>", "shape operand of rank 1"},
    {"%0 = \"arith.addi\"(%n, %n) {overflowFlags = #arith.fastmath<fast>} : (index, index) -> index",
     "must be a list of flags #arith.overflow<...>"},
    {"%0 = \"arith.addi\"(%n, %n) {overflowFlags = #arith.overflow<nsw, no>} : (index, index) -> index", "must be a list of flags #arith.overflow<...>"},
    {"%0 = vector.transfer_read %t[%n, %n], %f : tensor<4x4xf32>, vector<4x4xf32>\n%1 = linalg.copy ins(%0 : vector<4x4xf32>) "
     "outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>",
     "expected ins of scalar"},
    {"\"vector.print\"() {punctuation = 3} : () -> ()", "must be an attribute of a dialect"},
    {"\"iree_linalg_ext.attention\"() ({\n%0 = iree_linalg_ext.index 0 : index\niree_linalg_ext.yield %n : index\n}) : () -> ()",
     "number of operands"},
};

START_TEST(mistake_is_reported)
{
    char source[2048];
    snprintf(source, sizeof source,
             "func.func @f(%%n: index, %%f: f32, %%t: tensor<4x4xf32>, %%e: tensor<4x5xf32>, %%i: tensor<4x4xi32>, %%v: "
             "tensor<4xf32>, %%m: "
             "memref<4x4xf32>, %%d: memref<?x?xf32>) {\n%s\nreturn\n}\n",
             mistakes[_i][0]);
    Context *ctx = context_new(source);
    const ParseOptions options = {0};
    bool ok = vmc_parse_module(ctx, &options) && vmc_verify(ctx, ctx->module);
    ck_assert_msg(!ok, "accepted: %s", mistakes[_i][0]);
    const char *messages = context_messages(ctx);
    must_hold(messages, mistakes[_i][1], source);
    must_hold(messages, "test.mlir:", source);
    ck_assert_uint_eq(ctx->diag.errors, 1);
    context_free(ctx);
}
END_TEST

/* ---- kernels and strips ------------------------------------------------------------------ */

#define MAP1 "affine_map<(d0) -> (d0)>"
#define MAP2 "affine_map<(d0, d1) -> (d0, d1)>"
static const struct {
    const char *what, *body, *expected, *unexpected;
} choices[] = {
    {"matmul", "linalg.matmul ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)",
     "name = \"contract\"", "scf.for"},
    {"matmul of bytes",
     "linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%i, %i : memref<32x32xi8>, memref<32x32xi8>) outs(%j : "
     "memref<32x32xi32>)",
     "flags = 6", "scf.for"},
    {"fill", "linalg.fill ins(%x : f32) outs(%c : memref<32x32xf32>)", "name = \"fill\"", "scf.for"},
    {"a constant body fills",
     "linalg.generic {indexing_maps = [" MAP2 "], iterator_types = [\"parallel\", \"parallel\"]} outs(%c : memref<32x32xf32>) {\n"
     "^bb0(%o: f32):\n%k = arith.constant 2.0 : f32\nlinalg.yield %k : f32\n}",
     "operands = array<i64: 1, 0>", "scf.for"},
    {"transposition between allocations",
     "%p = memref.alloc() : memref<32x32xf32>\n%q = memref.alloc() : memref<32x32xf32>\n"
     "linalg.transpose ins(%p : memref<32x32xf32>) outs(%q : memref<32x32xf32>) permutation = [1, 0]",
     "name = \"copy\"", "scf.for"},
    {"arguments may share memory, and a copy kernel reads first",
     "linalg.transpose ins(%a : memref<32x32xf32>) outs(%c : memref<32x32xf32>) permutation = [1, 0]", "bufvm.strip",
     "name = \"copy\""},
    {"row sums", "linalg.reduce { arith.addf } ins(%a : memref<32x32xf32>) outs(%v : memref<32xf32>) dimensions = [1]",
     "combiner = \"addf\"", "scf.for"},
    {"a difference is no combiner; its lanes run over the other dimension",
     "linalg.reduce { arith.subf } ins(%a : memref<32x32xf32>) outs(%v : memref<32xf32>) dimensions = [0]", "bufvm.strip = 1",
     "bufvm.kernel"},
    {"elementwise", "linalg.add ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)", "bufvm.strip = 1",
     "scf.for"},
    {"lanes of one element are none",
     "linalg.generic {indexing_maps = [" MAP1
     ", affine_map<(d0) -> (0)>], iterator_types = [\"parallel\"]} ins(%v : memref<32xf32>) "
     "outs(%v : memref<32xf32>) {\n^bb0(%e: f32, %o: f32):\n%s = arith.subf %o, %e : f32\nlinalg.yield %s : f32\n}",
     "scf.for", "bufvm.strip"},
    {"a subscript that is not linear",
     "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, " MAP1 "], iterator_types = [\"parallel\"]} ins(%v : "
     "memref<32xf32>) outs(%w : memref<32xf32>) {\n^bb0(%e: f32, %o: f32):\nlinalg.yield %e : f32\n}",
     "scf.for", "bufvm.kernel"},
    {"sizes that differ at run time are an assertion",
     "linalg.add ins(%d, %d : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<32x32xf32>)", "cf.assert", "nothing"},
};

START_TEST(choice_is_made)
{
    char source[2048];
    snprintf(source, sizeof source,
             "func.func @f(%%a: memref<32x32xf32>, %%b: memref<32x32xf32>, %%c: memref<32x32xf32>, %%i: memref<32x32xi8>, %%j: "
             "memref<32x32xi32>, %%v: memref<32xf32>, %%w: memref<32xf32>, %%x: f32, %%d: memref<?x?xf32>) {\n%s\nreturn\n}\n",
             choices[_i].body);
    char *text = compiled(source, NULL, BUFVMC_SCHEDULE, 0);
    must_hold(text, choices[_i].expected, choices[_i].what);
    ck_assert_msg(strstr(text, choices[_i].unexpected) == NULL, "%s: '%s' in\n%s", choices[_i].what, choices[_i].unexpected, text);
    /* At -O0 only kernels and loops are left of linalg. */
    free(text);
    text = compiled(source, NULL, BUFVMC_SCHEDULE, 1);
    ck_assert_ptr_null(strstr(text, "bufvm.strip"));
    free(text);
}
END_TEST

/* ---- services -------------------------------------------------------------------------------- */

START_TEST(linear_subscripts)
{
    Context *ctx = context_new("");
    int64_t coefficients[2], constant;
    const AffineExpr *d0 = vmc_affine_dim(ctx, 0), *d1 = vmc_affine_dim(ctx, 1);
    const AffineExpr *e = vmc_affine_binary(ctx, AFFINE_ADD, vmc_affine_binary(ctx, AFFINE_MUL, d0, vmc_affine_const(ctx, 3)),
                                            vmc_affine_binary(ctx, AFFINE_ADD, d1, vmc_affine_const(ctx, -2)));
    ck_assert(vmc_linear_subscript(e, 2, coefficients, &constant));
    ck_assert_int_eq(coefficients[0], 3);
    ck_assert_int_eq(coefficients[1], 1);
    ck_assert_int_eq(constant, -2);
    ck_assert(!vmc_linear_subscript(vmc_affine_binary(ctx, AFFINE_MOD, d0, vmc_affine_const(ctx, 3)), 2, coefficients, &constant));
    ck_assert(!vmc_linear_subscript(vmc_affine_binary(ctx, AFFINE_MUL, d0, vmc_affine_symbol(ctx, 0)), 2, coefficients, &constant));
    context_free(ctx);
}
END_TEST

START_TEST(rank_reduction)
{
    static const struct {
        uint32_t full_rank, rank;
        int64_t full[4], reduced[4];
        bool ok, kept[4];
    } rows[] = {
        {3, 2, {1, 4, 1}, {4, 1}, true, {false, true, true}},         {3, 1, {1, 4, 1}, {4}, true, {false, true, false}},
        {3, 3, {1, 4, 1}, {1, 4, 1}, true, {true, true, true}},       {2, 1, {2, 4}, {4}, false, {false}},
        {3, 1, {1, 1, 1}, {1}, true, {false, false, true}},           {2, 0, {1, 1}, {0}, true, {false, false}},
        {2, 1, {VMC_DYNAMIC, 1}, {VMC_DYNAMIC}, true, {true, false}}, {2, 2, {1, 4}, {4, 1}, false, {false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool kept[4] = {false};
        bool ok = vmc_reduced_dims(rows[i].full_rank, rows[i].full, rows[i].rank, rows[i].reduced, kept);
        ck_assert_msg(ok == rows[i].ok, "row %zu", i);
        uint32_t n = 0;
        for (uint32_t k = 0; ok && k < rows[i].full_rank; k++)
            n += kept[k];
        ck_assert_msg(!ok || n == rows[i].rank, "row %zu keeps %u", i, n);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("linalg");
    TCase *tc = tcase_create("linalg");
    tcase_add_test(tc, text_reads_back);
    tcase_add_loop_test(tc, spelling_is_accepted, 0, sizeof spellings / sizeof spellings[0]);
    tcase_add_loop_test(tc, row_is_well_formed, 0, NUM_NAMED);
    tcase_add_loop_test(tc, named_op_expands, 0, NUM_EXPANSIONS);
    tcase_add_loop_test(tc, mistake_is_reported, 0, sizeof mistakes / sizeof mistakes[0]);
    tcase_add_loop_test(tc, choice_is_made, 0, sizeof choices / sizeof choices[0]);
    tcase_add_test(tc, linear_subscripts);
    tcase_add_test(tc, rank_reduction);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
