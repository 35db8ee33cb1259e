# What CMakeLists.txt builds: gridftp_sources, gridftp_headers and
# gridftp_tests, and the folders in which the headers lie, gridftp_folders and
# gridftp_test_folders. Empty rooms and files outside of all rooms are errors.

# rooms.txt lists the folders with sources; a line is "room: rooms that it may
# include".
set(gridftp_rooms_file ${CMAKE_CURRENT_SOURCE_DIR}/rooms.txt)
set_property(
  DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${gridftp_rooms_file}
)
file(STRINGS ${gridftp_rooms_file} gridftp_rooms REGEX "^[a-z]")
list(TRANSFORM gridftp_rooms REPLACE ":.*" "")

# Every source in the folders of the first level. The next build notices what
# has come or gone.
set(gridftp_patterns ${gridftp_rooms})
list(TRANSFORM gridftp_patterns REPLACE "/.*" "")
list(REMOVE_DUPLICATES gridftp_patterns)
list(TRANSFORM gridftp_patterns REPLACE "(.+)" "\\1/*.cc;\\1/*.h")
file(GLOB_RECURSE gridftp_files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
     CONFIGURE_DEPENDS ${gridftp_patterns}
)

set(gridftp_folders)
set(gridftp_test_folders)
foreach(room IN LISTS gridftp_rooms)
  if(room MATCHES "^test")
    list(APPEND gridftp_test_folders ${CMAKE_CURRENT_SOURCE_DIR}/${room})
  else()
    list(APPEND gridftp_folders
         $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${room}>
    )
  endif()
endforeach()

set(gridftp_sources)
set(gridftp_headers)
set(gridftp_tests)
set(gridftp_empty_rooms ${gridftp_rooms})
foreach(source IN LISTS gridftp_files)
  get_filename_component(room ${source} DIRECTORY)
  if(NOT room IN_LIST gridftp_rooms)
    message(FATAL_ERROR "gridftp: ${source} lies in no folder of rooms.txt")
  endif()
  list(REMOVE_ITEM gridftp_empty_rooms ${room})
  if(room MATCHES "^test")
    list(APPEND gridftp_tests ${source})
  elseif(source MATCHES "[.]h$")
    list(APPEND gridftp_headers ${source})
  else()
    list(APPEND gridftp_sources ${source})
  endif()
endforeach()
if(gridftp_empty_rooms)
  message(
    FATAL_ERROR "gridftp: rooms.txt: no sources in ${gridftp_empty_rooms}"
  )
endif()
list(FILTER gridftp_tests EXCLUDE REGEX "[.]h$")
# ns-3 brings its own test runner.
list(REMOVE_ITEM gridftp_tests test/test-runner.cc)
