# The target carom_report_page: the pages of `carom check --report` and `carom simulate --report` as C arrays, made from
# cli/page/shared, cli/page/report, cli/page/play and three.js.
# CAROM_THREE_DIR: the folder with three.js or three.min.js and examples/js, as Debian's libjs-three installs it
# (r110 to r147). Without it the command still builds; its pages then have the lists, but no 3D view.
find_path(CAROM_THREE_DIR examples/js/controls/OrbitControls.js
    PATHS /usr/share/javascript/three /usr/share/nodejs/three /usr/local/share/javascript/three
    DOC "three.js for the 3D view of the report" NO_DEFAULT_PATH)
set(three "")
if(EXISTS "${CAROM_THREE_DIR}/three.min.js" OR EXISTS "${CAROM_THREE_DIR}/three.js")
    set(three ${CAROM_THREE_DIR})
else()
    message(WARNING "three.js not found (libjs-three, or CAROM_THREE_DIR): the reports will have no 3D view")
endif()

set(page_shared ${PROJECT_SOURCE_DIR}/cli/page/shared)
file(GLOB page_shared_sources CONFIGURE_DEPENDS ${page_shared}/*)
set(page_codes "")
# page_of(NAME TITLE scripts...): cli/page/NAME as NAME_page_head and NAME_page_tail.
function(page_of name title)
    set(folder ${PROJECT_SOURCE_DIR}/cli/page/${name})
    set(code ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}_page.c)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*)
    add_custom_command(OUTPUT ${code}
        COMMAND ${CMAKE_COMMAND} "-DPAGE=${name}" "-DTITLE=${title}" "-DFOLDER=${folder}" "-DSHARED=${page_shared}" "-DSCRIPTS=${ARGN}"
            "-DSHARED_SCRIPTS=buffer.js;mesh.js;shaders.js;scene.js;list.js;shell.js" "-DTHREE=${three}" "-DOUT=${code}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${sources} ${page_shared_sources} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        COMMENT "Embedding the page of cli/page/${name}" VERBATIM)
    set(page_codes ${page_codes} ${code} PARENT_SCOPE)
endfunction()
page_of(report "carom report" data.js bounds.js cut.js view.js batches.js pick.js groups.js review.js filters.js fields.js details.js page.js)
page_of(play "carom simulation" data.js robot.js poses.js materials.js view.js layers.js plots.js compare.js details.js page.js)
add_library(carom_report_page STATIC ${page_codes})
