# Debian packages, one for each component, by CPack: zoetrope (program), libzoetropeX.Y (library),
# libzoetrope-dev (development) and zoetrope-doc (documentation). cmake/release.sh builds them.
#   cmake --preset package && cmake --build --preset package
option(ZT_PACKAGE "Lay out what is installed as Debian's policy asks for" OFF)
if(NOT ZT_PACKAGE)
  return()
endif()
set(ZT_MAINTAINER "The Zoetrope authors <zoetrope@packages.invalid>" CACHE STRING
  "Who answers for the packages: NAME <ADDRESS>")
set(zt_library_package libzoetrope${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME zoetrope)
set(CPACK_PACKAGE_CONTACT ${ZT_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development documentation)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

# zt_package(COMPONENT PACKAGE SECTION SUMMARY TEXT)
macro(zt_package component package section summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  # Policy 12.5 and 12.7: copyright and changelog of each package.
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian_copyright RENAME copyright
    DESTINATION ${folder} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/package/changelog.gz DESTINATION ${folder} COMPONENT ${component})
endmacro()
set(zt_about "Zoetrope renders 3D models with their animations to pictures and
films. It runs on the CPU and needs no graphics card, no OpenGL and no
display. The same input gives the same pixels, bit for bit, on every machine.")
zt_package(program zoetrope graphics "headless CPU renderer of animated 3D models"
  "${zt_about}\n.\nThis package has the program, its man pages and completions for shells.")
zt_package(library ${zt_library_package} libs "headless CPU renderer of animated 3D models - library"
  "${zt_about}\n.\nThis package has the shared library.")
zt_package(development libzoetrope-dev libdevel "headless CPU renderer of animated 3D models - development"
  "${zt_about}\n.\nThis package has the header, the static library, and files for pkg-config
and CMake.")
zt_package(documentation zoetrope-doc doc "headless CPU renderer of animated 3D models - documentation"
  "${zt_about}\n.\nThis package has the documentation, with pictures.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY >=)
# A trigger instead of the scripts that CPack would write: none is written when the list names one, and a file
# that does not exist is left out.
set(zt_control ${PROJECT_BINARY_DIR}/package)
file(WRITE ${zt_control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  ${zt_control}/triggers ${zt_control}/none/postinst ${zt_control}/none/postrm)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, zoetrope-doc")
# What the files for pkg-config and CMake name: the static library needs it.
set(zt_depends "${zt_library_package} (= ${PROJECT_VERSION})" libpng-dev libyaml-dev libjpeg62-turbo-dev
  libwebp-dev libzstd-dev libdeflate-dev libmeshoptimizer-dev)
if(ZT_DRACO)
  list(APPEND zt_depends libdraco-dev)
endif()
if(ZT_OPENEXR)
  list(APPEND zt_depends libopenexr-dev)
endif()
if(ZT_GIF)
  list(APPEND zt_depends libgif-dev)
endif()
list(JOIN zt_depends ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "pkg-config, zoetrope-doc")

# The date is that of the commit when cmake/release.sh builds (SOURCE_DATE_EPOCH).
string(TIMESTAMP zt_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog "zoetrope (${PROJECT_VERSION}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; CHANGELOG.md in zoetrope-doc says what is new.

 -- ${ZT_MAINTAINER}  ${zt_date}
")
find_program(ZT_GZIP gzip REQUIRED)
execute_process(COMMAND ${ZT_GZIP} -9nkf changelog WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/package
  COMMAND_ERROR_IS_FATAL ANY)
# Policy 12.1: man pages are compressed.
install(CODE "
  file(GLOB pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/*.1\")
  execute_process(COMMAND ${ZT_GZIP} -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
include(CPack)
