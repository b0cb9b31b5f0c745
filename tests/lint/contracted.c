// SPDX-License-Identifier: MIT
/// Holds, on purpose, what isa_symbols.sh forbids: compiled with contraction on.
float contracted_multiply_add(float a, float b, float c);
float contracted_estimate(float a);
long double contracted_x87(long double a, long double b);

float contracted_multiply_add(float a, float b, float c) { return a * b + c; }

float contracted_estimate(float a)
{
#if defined(__x86_64__)
    __asm__("rsqrtss %0, %0" : "+x"(a));
#elif defined(__aarch64__)
    __asm__("frsqrte %s0, %s0" : "+w"(a));
#endif
    return a;
}

long double contracted_x87(long double a, long double b) { return a * b; }
