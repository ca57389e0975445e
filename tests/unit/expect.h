/* Assertions for loops of millions: unlike Check's own they write nothing while they hold. */
#ifndef EXPECT_H
#define EXPECT_H

#include <check.h>

#define EXPECT(condition, ...)                                                                                                     \
    do {                                                                                                                           \
        if (!(condition))                                                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                                                             \
    } while (0)
#define EXPECT_TRUE(condition) EXPECT(condition, "%s", #condition)
#define EXPECT_EQ(a, b)        EXPECT_EQ_(a, b, #a " is %lld, not " #b " = %lld")
#define EXPECT_EQ_(a, b, text)                                                                                                     \
    do {                                                                                                                           \
        long long got_ = (long long)(a), want_ = (long long)(b);                                                                   \
        EXPECT(got_ == want_, text, got_, want_);                                                                                  \
    } while (0)

#endif
