// SPDX-License-Identifier: MIT
/// C++ takes memory from malloc, not from a sanitizer's operators: see fuzz_memory.c.
#include <cstdlib>
#include <new>

void *operator new(std::size_t size)
{
    void *block = std::malloc(size ? size : 1);
    if (!block)
        throw std::bad_alloc();
    return block;
}

void *operator new[](std::size_t size) { return operator new(size); }

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
    return std::malloc(size ? size : 1);
}

void *operator new[](std::size_t size, const std::nothrow_t &) noexcept
{
    return std::malloc(size ? size : 1);
}

void operator delete(void *block) noexcept { std::free(block); }

void operator delete[](void *block) noexcept { std::free(block); }

void operator delete(void *block, std::size_t) noexcept { std::free(block); }

void operator delete[](void *block, std::size_t) noexcept { std::free(block); }
