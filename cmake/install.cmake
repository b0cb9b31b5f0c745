# Install rules: program, header, both libraries, pkg-config and CMake package files, man pages,
# completions, licences and documentation. The components are those of the packages (cmake/package.cmake):
# program, library, development, documentation.
include(CMakePackageConfigHelpers)

install(TARGETS zoetrope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# File managers show thumbnails of models (docs/desktop.md).
install(FILES ${PROJECT_SOURCE_DIR}/cmake/desktop/zoetrope.thumbnailer
  DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/desktop/zoetrope.xml
  DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT program)

# The links of README.md work in the installed copy: docs/ keeps its name.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD-PARTY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licences)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
# For editors: "# yaml-language-server: $schema=/usr/share/zoetrope/scene.schema.json".
install(FILES ${PROJECT_SOURCE_DIR}/docs/scene.schema.json ${PROJECT_SOURCE_DIR}/docs/suite.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zoetrope COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
  PATTERN "gallery.sh" EXCLUDE PATTERN "sheets.sh" EXCLUDE PATTERN "scene_schema.py" EXCLUDE PATTERN "*.in" EXCLUDE)
if(ZT_STATIC)
  return() # its libraries are those of the machine that built it
endif()

install(FILES ${PROJECT_SOURCE_DIR}/include/zoetrope/zoetrope.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zoetrope COMPONENT development)
install(TARGETS zoetrope_shared zoetrope_static EXPORT zoetrope-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)

set(zt_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Zoetrope)
install(EXPORT zoetrope-targets NAMESPACE Zoetrope:: FILE zoetrope-targets.cmake
  DESTINATION ${zt_cmake_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ZoetropeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ZoetropeConfig.cmake INSTALL_DESTINATION ${zt_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ZoetropeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ZoetropeConfig.cmake
  ${PROJECT_BINARY_DIR}/ZoetropeConfigVersion.cmake
  DESTINATION ${zt_cmake_dir} COMPONENT development)

# Paths relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH zt_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(ZT_DRACO)
  set(zt_pc_draco "-ldraco -lstdc++ ")
endif()
if(ZT_OPENEXR)
  set(zt_pc_openexr "-lOpenEXRCore ")
endif()
if(ZT_GIF)
  set(zt_pc_gif "-lgif ")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/zoetrope.pc.in ${PROJECT_BINARY_DIR}/zoetrope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/zoetrope.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
