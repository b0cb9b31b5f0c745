# The target doxygen: the reference as HTML in BUILD/doxygen/html. Not part of the default build.
find_program(ZT_DOXYGEN doxygen)
mark_as_advanced(ZT_DOXYGEN)
if(ZT_DOXYGEN)
  configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  add_custom_target(doxygen COMMAND ${ZT_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()
