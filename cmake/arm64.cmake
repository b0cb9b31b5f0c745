# Toolchain: cross build for arm64 Linux. The environment variable ZT_SYSROOT names the folder that
# arm64_sysroot.sh filled; libraries, headers and .pc files are taken from there alone.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_SYSROOT "$ENV{ZT_SYSROOT}")
if(NOT EXISTS "${CMAKE_SYSROOT}/lib/ld-linux-aarch64.so.1")
  message(FATAL_ERROR "ZT_SYSROOT names no arm64 sysroot: '${CMAKE_SYSROOT}'")
endif()
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# -DZT_CROSS_CLANG=ON: clang, with the linker and the compiler's own library of the cross gcc.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZT_CROSS_CLANG)
if(ZT_CROSS_CLANG)
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
  set(CMAKE_C_FLAGS_INIT "--gcc-toolchain=/usr")
else()
  set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
  set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
endif()

set(CMAKE_FIND_ROOT_PATH "${CMAKE_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
  "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_PATH} "")

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${CMAKE_SYSROOT}")
