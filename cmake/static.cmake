# With ZT_STATIC: a program that needs no library of the machine, not even the C library, so that one file runs
# on every Linux with the same processor. Included before libraries are looked for.
# Debian has no static OpenEXRCore: such a program refuses OpenEXR, and --version says so. It has no static
# libmeshoptimizer either: its source is Debian's, by its hash, and the two files with decoders are compiled.
# ZT_MESHOPTIMIZER_SOURCE is the archive; without it apt-get downloads it from where packages come from.
if(ZT_OPENEXR)
  message(FATAL_ERROR "a static program reads no OpenEXR: configure with -DZT_OPENEXR=OFF, or use the preset static")
endif()
if(ZT_BUILD_TESTS OR ZT_BUILD_BENCH)
  message(FATAL_ERROR "the tests and benchmarks link shared libraries: configure them without ZT_STATIC")
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
# Position-independent all the same: the kernel puts the program anywhere.
add_link_options("$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-static-pie;LINKER:--gc-sections>")

find_library(MESHOPT_LIBRARY meshoptimizer)
if(NOT MESHOPT_LIBRARY)
  enable_language(CXX)
  set(ZT_MESHOPTIMIZER_SOURCE "" CACHE FILEPATH "meshoptimizer_0.18+dfsg.orig.tar.xz of Debian's source package")
  set(archive "${ZT_MESHOPTIMIZER_SOURCE}")
  if(NOT archive)
    set(archive ${CMAKE_BINARY_DIR}/meshoptimizer_0.18+dfsg.orig.tar.xz)
    if(NOT EXISTS ${archive})
      execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/debian_source.sh meshoptimizer ${CMAKE_BINARY_DIR}
        RESULT_VARIABLE code)
      if(NOT code EQUAL 0 OR NOT EXISTS ${archive})
        message(FATAL_ERROR "the source of meshoptimizer 0.18 could not be downloaded: give its archive as ZT_MESHOPTIMIZER_SOURCE")
      endif()
    endif()
  endif()
  include(FetchContent)
  FetchContent_Declare(meshoptimizer
    URL ${archive}
    URL_HASH SHA256=881ea2cc687f1fef5ce70484e0ca6504e13856dd856677749f3763bc685956d3
    SOURCE_SUBDIR none # its own build is not run
    DOWNLOAD_EXTRACT_TIMESTAMP ON)
  FetchContent_MakeAvailable(meshoptimizer)
  add_library(meshoptimizer_decoders STATIC EXCLUDE_FROM_ALL
    ${meshoptimizer_SOURCE_DIR}/src/indexcodec.cpp ${meshoptimizer_SOURCE_DIR}/src/vertexcodec.cpp
    ${meshoptimizer_SOURCE_DIR}/src/allocator.cpp)
  set(MESHOPT_LIBRARY meshoptimizer_decoders)
  set(MESHOPT_INCLUDE_DIR ${meshoptimizer_SOURCE_DIR}/src)
endif()
