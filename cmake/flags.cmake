# Compiler flags, said once. Everything that feeds a pixel links zt_flags.
add_library(zt_flags INTERFACE)

# No contraction, no fast maths: the rules behind "same scene, same pixels". -fno-trapping-math and
# -fno-math-errno change no value, they only free the optimiser from flags that nobody reads.
target_compile_options(zt_flags INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math)

target_compile_options(zt_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wundef -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -Wcast-qual -Wcast-align -Wwrite-strings -Wswitch-enum
  -Wimplicit-fallthrough -Wformat=2)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(zt_flags INTERFACE -Wlogical-op -Wduplicated-cond)
else()
  target_compile_options(zt_flags INTERFACE -Wcomma)
endif()

if(ZT_ASSERTS)
  target_compile_definitions(zt_flags INTERFACE ZT_ASSERTS=1)
endif()
# A target with the property ZT_UNCHECKED is linked with the sanitizers' library but is not checked itself.
set(zt_checked "$<NOT:$<BOOL:$<TARGET_PROPERTY:ZT_UNCHECKED>>>")
if(ZT_SANITIZE)
  string(REPLACE ";" "," zt_sanitizers "${ZT_SANITIZE}")
  target_compile_options(zt_flags INTERFACE
    "$<${zt_checked}:-fsanitize=${zt_sanitizers};-fno-sanitize-recover=all>" -fno-omit-frame-pointer)
  target_link_options(zt_flags INTERFACE -fsanitize=${zt_sanitizers})
endif()

# What makes faults in memory harder to abuse: everything but the kernels, which take arrays that
# others have checked and have no buffers on the stack. tests/lint/hardening.sh looks at the program.
# Sanitizers find more, and do not go with all of it.
include(CheckCCompilerFlag)
add_library(zt_hardening INTERFACE)
if(NOT ZT_SANITIZE AND NOT ZT_FUZZ)
  foreach(flag fstack-protector-strong fstack-clash-protection fcf-protection=full mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "ZT_HAS_${flag}" has)
    # clang warns about flags of other processors, which is no failure without -Werror.
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(-${flag} ${has})
    unset(CMAKE_REQUIRED_FLAGS)
    if(${has})
      target_compile_options(zt_hardening INTERFACE -${flag})
    endif()
  endforeach()
  # The C library checks sizes when it is compiled with optimisation; level 3 since gcc 12 and clang 9.
  set(zt_fortify 3)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
    set(zt_fortify 2)
  endif()
  target_compile_options(zt_hardening INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${zt_fortify}>)
  target_link_options(zt_hardening INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()

# libFuzzer steers by the branches that are taken in the library, and by what they compare if asked to.
if(ZT_FUZZ AND CMAKE_C_COMPILER_ID MATCHES "Clang")
  set(zt_coverage -fsanitize-coverage=inline-8bit-counters,pc-table)
  if(ZT_FUZZ_COMPARES)
    set(zt_coverage -fsanitize=fuzzer-no-link)
  endif()
  target_compile_options(zt_flags INTERFACE "$<${zt_checked}:${zt_coverage}>")
endif()

# POSIX 2008 for files and threads; nothing else of the GNU dialect.
target_compile_definitions(zt_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_include_directories(zt_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
