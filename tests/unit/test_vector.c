/* vector: mistakes that are reported where they stand, texts that read back in both forms.  Results of programs are tested by
 * tests/cases, what vector.print prints by tests/cli.sh. */
#include "compiler_context.h"

/* Around the op under test: one value of each type that the rows below use. */
static void as_module(char *source, size_t size, const char *op)
{
    snprintf(
        source, size,
        "func.func @f(%%n: index, %%x: f32, %%i: i32, %%v: vector<4xf32>, %%w: vector<2x3xf32>, %%z: vector<f32>, %%k: "
        "vector<4xi32>, %%c: vector<4xi1>, %%d: vector<2x3xi1>, %%m: memref<5x6xf32>, %%l: memref<8xf32>, %%t: tensor<5x6xf32>, "
        "%%q: memref<2xvector<4xf32>>) {\n\n%s\nreturn\n}\n",
        op);
}

#define MAPS(a, b, c)                                                                                                              \
    "{indexing_maps = [affine_map<(i, j) -> " a ">, affine_map<(i, j) -> " b ">, affine_map<(i, j) -> " c ">], iterator_types = "
#define ROWS MAPS("(i, j)", "(j)", "(i)")

static const char *const mistakes[][2] = {
    {"%0 = vector.broadcast %i : i32 to vector<4xf32>", "no element of its result"},
    {"%0 = vector.broadcast %w : vector<2x3xf32> to vector<3x2x4xf32>", "does not repeat"},
    {"%0 = vector.from_elements %x, %x : vector<3xf32>", "has 2 elements"},
    {"%0 = vector.step : vector<4xi32>", "one-dimensional vector of index"},
    {"%0 = vector.reduction <add>, %w : vector<2x3xf32> into f32", "rank 0 or 1"},
    {"%0 = vector.reduction <and>, %v : vector<4xf32> into f32", "does not combine elements of type f32"},
    {"%0 = vector.reduction <minnumf>, %k : vector<4xi32> into i32", "does not combine elements of type i32"},
    {"%0 = vector.reduction <median>, %k : vector<4xi32> into i32", "unknown combining kind `median`"},
    {"%0 = vector.multi_reduction <add>, %w, %x [2] : vector<2x3xf32> to f32", "no dimension 2"},
    {"%0 = vector.multi_reduction <add>, %w, %x [0] : vector<2x3xf32> to f32", "another shape"},
    {"%0 = vector.multi_reduction <add>, %w, %x [1, 1] : vector<2x3xf32> to f32", "reduces it twice"},
    {"%0:2 = vector.scan <add>, %w, %v {inclusive = true, reduction_dim = 0} : vector<2x3xf32>, vector<4xf32>",
     "another shape than a slice"},
    {"%0:2 = vector.scan <add>, %w, %v {inclusive = true, reduction_dim = 2} : vector<2x3xf32>, vector<4xf32>", "no dimension 2"},
    {"%0 = vector.contract " ROWS "[\"parallel\", \"reduction\"]} %w, %v, %v : vector<2x3xf32>, vector<4xf32> into vector<4xf32>",
     "sizes that differ"},
    {"%0 = vector.contract " MAPS("(i + 1)", "(j)",
                                  "(i)") "[\"parallel\", \"reduction\"]} %v, %v, %v : vector<4xf32>, vector<4xf32> "
                                         "into vector<4xf32>",
     "do not fit its vectors"},
    {"%0 = vector.contract " MAPS("(i)", "(j)",
                                  "(i)") "[\"reduction\", \"reduction\"]} %v, %v, %v : vector<4xf32>, vector<4xf32> into "
                                         "vector<4xf32>",
     "each parallel dimension once"},
    {"%0 = vector.contract " MAPS("(i)", "(j)", "(i)") "[\"parallel\", \"window\"]} %v, %v, %v : vector<4xf32>, vector<4xf32> into "
                                                       "vector<4xf32>",
     "neither parallel nor reduction"},
    {"%0 = vector.contract " MAPS("(i)", "(j)",
                                  "(i)") "[\"parallel\", \"reduction\"]} %v, %k, %v : vector<4xf32>, vector<4xi32> into "
                                         "vector<4xf32>",
     "do not widen"},
    {"%0 = vector.outerproduct %w, %v : vector<2x3xf32>, vector<4xf32>", "expected a one-dimensional vector"},
    {"%0 = vector.outerproduct %v, %k : vector<4xf32>, vector<4xi32>", "than the product of its operands"},
    {"%0 = vector.matrix_multiply %v, %v {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, "
     "vector<4xf32>) -> vector<4xf32>",
     "as long as its rows and columns say"},
    {"%0 = vector.flat_transpose %v {rows = 3 : i32, columns = 2 : i32} : vector<4xf32> -> vector<4xf32>",
     "as long as its rows and columns say"},
    {"%0 = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32>", "chooses slice 8 of 8"},
    {"%0 = vector.shuffle %v, %k [0, 1] : vector<4xf32>, vector<4xi32>", "do not go together"},
    {"%0 = vector.interleave %v, %v : vector<4xf32> -> vector<6xf32>", "twice as wide as each operand"},
    {"%0, %1 = vector.deinterleave %w : vector<2x3xf32> -> vector<2x1xf32>", "twice as wide as each result"},
    {"%0 = vector.extractelement %w[%n : index] : vector<2x3xf32>", "rank 1 and a position"},
    {"%0 = vector.extractelement %v[%x : f32] : vector<4xf32>", "no integer"},
    {"%0 = vector.extract %w[2] : vector<3xf32> from vector<2x3xf32>", "position 2 in a dimension of size 2"},
    {"%0 = vector.extract %w[0] : vector<4xf32> from vector<2x3xf32>", "another type than the one at its position"},
    {"%0 = vector.extract %v[0, 0] : f32 from vector<4xf32>", "2 entries in a vector of rank 1"},
    {"%0 = vector.insert %i, %v[0] : i32 into vector<4xf32>", "another type than the one at its position"},
    {"%0 = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>",
     "not a part of its source"},
    {"%0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [2]} : vector<4xf32> to vector<2xf32>",
     "stride other than 1"},
    {"%0 = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [1]} : vector<4xf32> into vector<2x3xf32>",
     "does not lie in its destination"},
    {"%0 = vector.transpose %w, [0, 0] : vector<2x3xf32> to vector<2x2xf32>", "does not lead"},
    {"%0 = vector.shape_cast %w : vector<2x3xf32> to vector<5xf32>", "other elements than its source"},
    {"%0 = vector.bitcast %w : vector<2x3xf32> to vector<3x2xf32>", "other bits"},
    {"%0 = vector.type_cast %m : memref<5x6xf32> to memref<vector<6x5xf32>>", "the shape as a whole stays"},
    {"%0 = vector.constant_mask [5] : vector<4xi1>", "one size within the vector"},
    {"%0 = vector.create_mask %n : vector<2x3xi1>", "one size for each dimension"},
    {"%0 = vector.mask %c { vector.reduction <add>, %z : vector<f32> into f32 } : vector<4xi1> -> f32", "mask of another shape"},
    {"%0 = vector.mask %c, %v { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32", "%v"},
    {"%0 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi32> -> f32", "no vector of i1"},
    {"%0 = vector.transfer_read %m[%n], %x : memref<5x6xf32>, vector<4xf32>", "do not fit its types"},
    {"%0 = vector.transfer_read %m[%n, %n], %x {in_bounds = [true, true]} : memref<5x6xf32>, vector<4xf32>",
     "do not fit its types"},
    {"%0 = vector.transfer_read %m[%n, %n], %x {permutation_map = affine_map<(a, b) -> (a, a)>} : memref<5x6xf32>, vector<2x3xf32>",
     "do not fit its types"},
    {"vector.transfer_write %w, %m[%n, %n] {permutation_map = affine_map<(a, b) -> (a, 0)>} : vector<2x3xf32>, memref<5x6xf32>",
     "several elements to one place"},
    {"%0 = vector.load %m[%n] : memref<5x6xf32>, vector<4xf32>", "1 indices for a base of rank 2"},
    {"vector.store %k, %m[%n, %n] : memref<5x6xf32>, vector<4xi32>", "another type than those of its memref"},
    {"%0 = vector.maskedload %l[%n], %d, %v : memref<8xf32>, vector<2x3xi1>, vector<4xf32> into vector<4xf32>",
     "mask of another shape"},
    {"%0 = vector.expandload %m[%n, %n], %d, %w : memref<5x6xf32>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>",
     "one-dimensional vector"},
    {"%0 = vector.gather %l[%n] [%v], %c, %v : memref<8xf32>, vector<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
     "an integer distance for each element"},
    {"vector.print %m : memref<5x6xf32>", "prints vectors and numbers"},
    {"vector.print %v : vector<4xf32> punctuation <dash>", "other than no_punctuation"},
};

START_TEST(mistake_is_reported)
{
    char source[2048];
    as_module(source, sizeof source, mistakes[_i][0]);
    context_refuses(source, mistakes[_i][1], 3);
}
END_TEST

/* What has a grammar of its own; an older spelling and what it is printed as. */
static const char *const texts[][2] = {
    {"%0 = vector.extract %w[1] : vector<2x3xf32>", "vector.extract %arg4[1] : vector<3xf32> from vector<2x3xf32>"},
    {"%0 = vector.extract %w[%n, 2] : f32 from vector<2x3xf32>", "[%arg0, 2] : f32 from"},
    {"%0 = vector.insert %x, %w[0, %n] : f32 into vector<2x3xf32>", "vector.insert %arg1, %arg4 [0, %arg0] : f32 into"},
    {"%0 = vector.reduction \"maxf\", %v, %x : vector<4xf32> into f32", "vector.reduction <maxnumf>, %arg3, %arg1 :"},
    {"%0 = vector.reduction <add>, %v fastmath<reassoc,nnan> : vector<4xf32> into f32", "fastmath<reassoc,nnan>"},
    {"%0 = vector.outerproduct %v, %x, %v {kind = #vector.kind<minf>} : vector<4xf32>, f32", "{kind = #vector.kind<minnumf>}"},
    {"%0 = vector.contract " ROWS "[#vector.iterator_type<parallel>, \"reduction\"], kind = #vector.kind<add>} %w, %e, %b {note} : "
     "vector<2x3xf32>, vector<3xf32> into vector<2xf32>",
     "iterator_types = [\"parallel\", \"reduction\"], kind = #vector.kind<add>} %arg4, %0, %1 {note} :"},
    {"%0 = vector.mask %c, %v { vector.gather %l[%n] [%k], %c, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into "
     "vector<4xf32> } : vector<4xi1> -> vector<4xf32>",
     "vector.yield"},
    {"%0 = vector.transfer_read %m[%n, %n], %x, %d {in_bounds = [true, false], permutation_map = affine_map<(a, b) -> (b, a)>} : "
     "memref<5x6xf32>, vector<3x2xf32>",
     "], %arg1, %arg8 {in_bounds = [true, false], permutation_map = "},
    {"%0 = vector.transfer_write %w, %t[%n, %n], %d : vector<2x3xf32>, tensor<5x6xf32>",
     "vector.transfer_write %arg4, %arg11[%arg0, %arg0], %arg8 :"},
    {"vector.print %v : vector<4xf32> punctuation <comma>\nvector.print str \"a\\0A\"\nvector.print punctuation <open>",
     "vector.print punctuation <open>"},
};

START_TEST(text_reads_back)
{
    char source[2048], op[1024];
    snprintf(op, sizeof op, "%%e = vector.splat %%x : vector<3xf32>\n%%b = vector.splat %%x : vector<2xf32>\n%s", texts[_i][0]);
    as_module(source, sizeof source, op);
    context_reads_back(source, texts[_i][1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("vector");
    TCase *tc = tcase_create("vector");
    tcase_add_loop_test(tc, mistake_is_reported, 0, sizeof mistakes / sizeof mistakes[0]);
    tcase_add_loop_test(tc, text_reads_back, 0, sizeof texts / sizeof texts[0]);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
