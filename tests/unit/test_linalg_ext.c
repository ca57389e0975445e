/* iree_linalg_ext, flow and globals: texts that read back, mistakes that are reported where they stand.  Results of programs are
 * tested by tests/cases. */
#include "compiler_context.h"

/* Around the op under test: one value of each type that the rows below use. */
static void as_module(char *source, size_t size, const char *op)
{
    snprintf(
        source, size,
        "util.global private @fixed = 5 : i32\nutil.global private mutable @kept : tensor<4xf32>\n"
        "func.func @f(%%n: index, %%x: f32, %%t: tensor<4x6xf32>, %%u: tensor<6xf32>, %%v: tensor<4xf32>, %%w: tensor<4xi32>, "
        "%%i: tensor<3x1xi32>, %%s: tensor<3x6xf32>, %%z: tensor<f32>, %%j: tensor<i32>, %%k: tensor<4xi1>, %%m: memref<4xf32>, "
        "%%a: tensor<2x2xf32>, %%b: tensor<1x6x6x1xf32>, %%c: tensor<8x8x1x1x1x1xf32>, %%d: tensor<?xi8>, %%g: i32) {\n%s\n"
        "return\n}\n",
        op);
}

#define LESS "{\n^bb0(%p: f32, %q: f32):\n%r = arith.cmpf olt, %p, %q : f32\niree_linalg_ext.yield %r : i1\n}"
#define SUM  "{\n^bb0(%p: f32, %q: f32):\n%r = arith.addf %p, %q : f32\niree_linalg_ext.yield %r : f32\n}"
#define SAME "{\n^bb0(%p: f32):\niree_linalg_ext.yield %p : f32\n}"
#define MAPS(m)                                                                                                                    \
    "{indexing_maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (l, k)>, affine_map<(m, n, k, l) -> (l, "    \
    "n)>, affine_map<(m, n, k, l) -> ()>, affine_map<(m, n, k, l) -> " m ">]}"
#define ATTENTION " ins(%a, %a, %a, %x : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, f32) outs(%a : tensor<2x2xf32>) "

static const char *const mistakes[][2] = {
    {"%0 = iree_linalg_ext.gather dimension_map = [1] ins(%t, %i : tensor<4x6xf32>, tensor<3x1xi32>) outs(%s : tensor<3x6xf32>) -> "
     "tensor<3x6xf32>",
     "permutes the first 1 dimensions"},
    {"%0 = iree_linalg_ext.gather dimension_map = [0, 0] ins(%t, %i : tensor<4x6xf32>, tensor<3x1xi32>) outs(%v : tensor<4xf32>) "
     "-> tensor<4xf32>",
     "permutes the first 2 dimensions"},
    {"%0 = iree_linalg_ext.gather dimension_map = [0] ins(%t, %s : tensor<4x6xf32>, tensor<3x6xf32>) outs(%s : tensor<3x6xf32>) -> "
     "tensor<3x6xf32>",
     "integer indices"},
    {"%0 = iree_linalg_ext.gather dimension_map = [0] ins(%t, %i, %k : tensor<4x6xf32>, tensor<3x1xi32>, tensor<4xi1>) outs(%s : "
     "tensor<3x6xf32>) -> tensor<3x6xf32>",
     "a mask of integers with the batch shape"},
    {"iree_linalg_ext.gather dimension_map = [0] ins(%t, %i : tensor<4x6xf32>, tensor<3x1xi32>) outs(%s : tensor<3x6xf32>)",
     "a result for each tensor"},
    {"%0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : tensor<3x6xf32>, tensor<3x1xi32>) outs(%t "
     ": tensor<4x6xf32>) " LESS " -> tensor<4x6xf32>",
     "another type than expected"},
    {"%0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%s, %i : tensor<3x6xf32>, tensor<3x1xi32>) outs(%t "
     ": tensor<4x6xf32>) " SAME " -> tensor<4x6xf32>",
     "one block with 2 arguments"},
    {"%0 = iree_linalg_ext.sort dimension(2) outs(%t : tensor<4x6xf32>) " LESS " -> tensor<4x6xf32>",
     "a dimension below the rank 2"},
    {"%0:2 = iree_linalg_ext.sort dimension(0) outs(%u, %v : tensor<6xf32>, tensor<4xf32>) {\n^bb0(%p: f32, %q: f32, %o: f32, %y: "
     "f32):\n%r = arith.cmpf olt, %p, %q : f32\niree_linalg_ext.yield %r : i1\n} -> tensor<6xf32>, tensor<4xf32>",
     "does not fit that of the input"},
    {"%0 = iree_linalg_ext.sort dimension(0) ins(%n : index) outs(%v : tensor<4xf32>) " LESS " -> tensor<4xf32>", "no ins"},
    {"%0:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%t : tensor<4x6xf32>) outs(%t, %v : tensor<4x6xf32>, "
     "tensor<4xf32>) " SUM " -> tensor<4x6xf32>, tensor<4xf32>",
     "the shape of the accumulator"},
    {"%0:2 = iree_linalg_ext.topk dimension(0) ins(%v : tensor<4xf32>) outs(%v, %v : tensor<4xf32>, tensor<4xf32>) " LESS
     " -> tensor<4xf32>, tensor<4xf32>",
     "indices of one integer type"},
    {"%0 = iree_linalg_ext.topk_v2 dimension(0) ins(%v, %w : tensor<4xf32>, tensor<4xi32>) outs(%v : tensor<4xf32>) " LESS
     " -> tensor<4xf32>",
     "indices of one integer type"},
    {"%0:2 = iree_linalg_ext.arg_compare dimension(0) ins(%v, %w : tensor<4xf32>, tensor<4xi32>) outs(%z, %j : tensor<f32>, "
     "tensor<i32>) index_base(%n : index) " LESS " -> tensor<f32>, tensor<i32>",
     "no index_base"},
    {"%0:2 = iree_linalg_ext.arg_compare dimension(0) ins(%v : tensor<4xf32>) outs(%z, %j : tensor<f32>, tensor<i32>) " SUM
     " -> tensor<f32>, tensor<i32>",
     "another type than expected"},
    {"%0 = iree_linalg_ext.map_load %v into %u {\n^bb0(%p: index):\niree_linalg_ext.yield %p, %n : index, index\n} : tensor<4xf32> "
     "into tensor<6xf32> -> tensor<6xf32>",
     "another type than expected"},
    {"iree_linalg_ext.map_store %v into %m {\n^bb0(%p: index):\n%r = arith.constant true\niree_linalg_ext.yield %p, %r : index, "
     "i1\n"
     "} : tensor<4xf32> into memref<4xf32>",
     "tensors or memrefs, not both"},
    {"%0 = iree_linalg_ext.attention " MAPS("(m, k)") ATTENTION SAME " -> tensor<2x2xf32>", "form an attention"},
    {"%0 = iree_linalg_ext.attention " MAPS("(m)") ATTENTION SAME " -> tensor<2x2xf32>", "form an attention"},
    {"%0 = iree_linalg_ext.attention {indexing_maps = []}" ATTENTION SAME " -> tensor<2x2xf32>", "form an attention"},
    {"%0 = iree_linalg_ext.attention " MAPS("(m, n)") ATTENTION SUM " -> tensor<2x2xf32>", "one argument of float type"},
    {"%0 = iree_linalg_ext.index 0 : index", "must stand in an attention"},
    {"%0 = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%b : "
     "tensor<1x6x6x1xf32>) outs(%c : tensor<8x8x1x1x1x1xf32>) -> tensor<8x8x1x1x1x1xf32>",
     "output tiles of 6"},
    {"%0 = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([0, 1]) ins(%b : "
     "tensor<1x6x6x1xf32>) outs(%c : tensor<8x8x1x1x1x1xf32>) -> tensor<8x8x1x1x1x1xf32>",
     "[1, 2] or [2, 3]"},
    {"%0 = linalg.winograd_filter_transform m(3) r(3) ins(%b : tensor<1x6x6x1xf32>) outs(%b : tensor<1x6x6x1xf32>) -> "
     "tensor<1x6x6x1xf32>",
     "m and r of 2 and 3"},
    {"%0 = linalg.winograd_filter_transform m(4) r(3) ins(%b : tensor<1x6x6x1xf32>) outs(%b : tensor<1x6x6x1xf32>) -> "
     "tensor<1x6x6x1xf32>",
     "kernels of the static size 3"},
    {"%0 = iree_linalg_ext.im2col strides = [1] dilations = [1, 1] kernel_size = [1] offsets = [0] output_sizes = [[4]] batch_pos "
     "= "
     "[] m_pos = [0] k_pos = [] input_k_perm = [0] output_perm = [0] ins(%v : tensor<4xf32>) outs(%v : tensor<4xf32>) -> "
     "tensor<4xf32>",
     "lists that fit each other"},
    {"%0 = iree_linalg_ext.im2col strides = [1] dilations = [1] kernel_size = [1] offsets = [0, 0] output_sizes = [[4], [1]] "
     "batch_pos = [] m_pos = [0] k_pos = [] input_k_perm = [0] output_perm = [1, 1] ins(%v : tensor<4xf32>) outs(%t : "
     "tensor<4x6xf32>) -> tensor<4x6xf32>",
     "lists that fit each other"},
    {"%0 = flow.tensor.reshape %w : tensor<4xi32> -> tensor<4xf32>", "does not change the element type"},
    {"%0 = flow.tensor.bitcast %d : tensor<?xi8> -> tensor<4xf32>", "1 dynamic dimensions, but 0 sizes"},
    {"%0 = flow.tensor.dynamic_constant dense<1> : tensor<4xi32> -> tensor<3xi32>", "a shape of the result"},
    {"%0 = util.global.load @nothing : i32", "does not name a util.global"},
    {"%0 = util.global.load @fixed : i64", "the type of the global"},
    {"util.global.store %g, @fixed : i32", "is not mutable"},
    {"%0 = ml_program.global_load @fixed : i32", "does not name a ml_program.global"},
};

START_TEST(mistake_is_reported)
{
    char source[4096];
    as_module(source, sizeof source, mistakes[_i][0]);
    context_refuses(source, mistakes[_i][1], 4);
}
END_TEST

/* What has a printer of its own, in both forms. */
static const char *const texts[] = {
    "%0 = linalg.winograd_filter_transform fmr(F_2_5) ins(%b : tensor<1x6x6x1xf32>) outs(%b : tensor<1x6x6x1xf32>) -> "
    "tensor<1x6x6x1xf32>",
    "%0 = iree_linalg_ext.im2col {note} strides = [2] dilations = [3] kernel_size = [%n] offsets = [%n, 0] output_sizes = [[%n], "
    "[2, "
    "3]] batch_pos = [] m_pos = [0] k_pos = [1] input_k_perm = [1, 0] output_perm = [1, 0] input_pad_low = [0, %n] input_pad_high "
    "= "
    "[1, 0] output_pad_low = [0, 0] output_pad_high = [%n, %n] pad_value(%x : f32) ins(%t : tensor<4x6xf32>) outs(%t : "
    "tensor<4x6xf32>) -> tensor<4x6xf32>",
    "%0 = flow.tensor.bitcast %d : tensor<?xi8>{%n} -> tensor<?x2xi4>{%n}",
    "%0 = util.global.load immutable @fixed : i32\nutil.global.store %v, @kept : tensor<4xf32>",
    "%0 = iree_linalg_ext.topk_v2 dimension(0) is_sorted ins(%v : tensor<4xf32>) outs(%v : tensor<4xf32>) " LESS
    " -> tensor<4xf32>",
};

START_TEST(text_reads_back)
{
    char source[4096];
    as_module(source, sizeof source, texts[_i]);
    if (strstr(texts[_i], "winograd")) { /* shapes do not matter to the grammar: only parsed and printed */
        Context *ctx = context_new(source);
        const ParseOptions options = {0};
        ck_assert_msg(vmc_parse_module(ctx, &options), "%s", context_messages(ctx));
        ck_assert_ptr_nonnull(strstr(context_print(ctx, false), "m(2) r(5)"));
        context_free(ctx);
        return;
    }
    context_reads_back(source, NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("linalg_ext");
    TCase *tc = tcase_create("linalg_ext");
    tcase_add_loop_test(tc, mistake_is_reported, 0, sizeof mistakes / sizeof mistakes[0]);
    tcase_add_loop_test(tc, text_reads_back, 0, sizeof texts / sizeof texts[0]);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
