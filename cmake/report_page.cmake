# The target carom_report_page: the page of `carom check --report` as C arrays, made from cli/report and three.js.
# CAROM_THREE_DIR: the folder with three.js or three.min.js and examples/js, as Debian's libjs-three installs it
# (r110 to r147). Without it the command still builds; its report then has the list, but no 3D view.
find_path(CAROM_THREE_DIR examples/js/controls/OrbitControls.js
    PATHS /usr/share/javascript/three /usr/share/nodejs/three /usr/local/share/javascript/three
    DOC "three.js for the 3D view of the report" NO_DEFAULT_PATH)
set(three "")
if(EXISTS "${CAROM_THREE_DIR}/three.min.js" OR EXISTS "${CAROM_THREE_DIR}/three.js")
    set(three ${CAROM_THREE_DIR})
else()
    message(WARNING "three.js not found (libjs-three, or CAROM_THREE_DIR): the report will have no 3D view")
endif()

set(page ${PROJECT_SOURCE_DIR}/cli/report)
set(page_code ${CMAKE_CURRENT_BINARY_DIR}/embedded_report_page.c)
file(GLOB page_sources CONFIGURE_DEPENDS ${page}/*)
add_custom_command(OUTPUT ${page_code}
    COMMAND ${CMAKE_COMMAND} "-DPAGE=${page}" "-DTHREE=${three}" "-DOUT=${page_code}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding the report's page" VERBATIM)
add_library(carom_report_page STATIC ${page_code})
