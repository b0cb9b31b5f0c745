# The commit that is built, for zt_version(). Included by src/CMakeLists.txt, this file defines the
# target zt_commit, which runs this same file as a script in every build. The script writes
# zt_commit.h, one line, and only when that line changes: nothing is compiled again without need.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(ZT_COMMIT_DIR ${PROJECT_BINARY_DIR}/generated)
  find_package(Git QUIET)
  add_custom_target(zt_commit
    COMMAND ${CMAKE_COMMAND} -D "GIT=${GIT_EXECUTABLE}" -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
      -D FILE=${ZT_COMMIT_DIR}/zt_commit.h -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${ZT_COMMIT_DIR}/zt_commit.h
    COMMENT "Looking for the commit" VERBATIM)
  return()
endif()

# Sources without a repository of their own (a tarball, a copy inside another project) have no commit.
cmake_policy(VERSION 3.25)
set(commit "")
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0)
    # What was changed since is a part: pictures are known by the version (src/render/frame_job.c).
    if(found MATCHES "-dirty$")
      execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} diff HEAD
        COMMAND ${GIT} -C ${SOURCE_DIR} hash-object --stdin
        OUTPUT_VARIABLE changes ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
      string(SUBSTRING "${changes}-" 0 8 changes)
      string(APPEND found "-${changes}")
    endif()
    set(commit " (g${found})")
  endif()
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "#define ZT_COMMIT \"${commit}\"\n")
