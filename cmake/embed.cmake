# Puts the report's page together and turns it into C arrays; run at build time:
#   cmake -DPAGE=cli/report -DTHREE=/usr/share/javascript/three -DOUT=report_page.c -P embed.cmake
# THREE may be empty: then the page has no 3D view and says so.
# The page is one file that loads nothing. Its policy names each script and the style by hash, so that nothing else can
# run, whatever a part is called.
cmake_minimum_required(VERSION 3.18)

set(ours data.js geometry.js shaders.js view.js pick.js list.js details.js page.js)
set(theirs examples/js/controls/OrbitControls.js examples/js/lines/LineSegmentsGeometry.js
    examples/js/lines/LineMaterial.js examples/js/lines/LineSegments2.js)

# The SHA-256 of a text in base64, as a content security policy wants it.
function(policy_hash text out)
    set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
    string(SHA256 hex "${text}")
    set(result "")
    foreach(at RANGE 0 63 6)
        string(SUBSTRING "${hex}00" ${at} 6 three_bytes)
        foreach(shift 18 12 6 0)
            math(EXPR digit "(0x${three_bytes} >> ${shift}) & 63")
            string(SUBSTRING ${alphabet} ${digit} 1 letter)
            string(APPEND result ${letter})
        endforeach()
    endforeach()
    string(SUBSTRING ${result} 0 43 result)
    set(${out} "sha256-${result}=" PARENT_SCOPE)
endfunction()

# Appends one script element to SCRIPTS and its hash to HASHES.
function(add_script text)
    if("${text}" MATCHES "</[sS][cC][rR][iI][pP][tT]|<!--")
        message(FATAL_ERROR "a script of the report contains an end of script or a comment of HTML")
    endif()
    policy_hash("${text}" hash)
    set(HASHES "${HASHES} '${hash}'" PARENT_SCOPE)
    set(SCRIPTS "${SCRIPTS}<script>${text}</script>\n" PARENT_SCOPE)
endfunction()

function(read_text path out)
    file(READ ${path} text)
    string(REPLACE "\r" "" text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(HASHES "")
set(SCRIPTS "")
if(THREE)
    set(three ${THREE}/three.min.js)
    if(NOT EXISTS ${three})
        set(three ${THREE}/three.js)
    endif()
    read_text(${three} text)
    read_text(${PAGE}/three-license.txt notice)
    add_script("/*\n${notice}*/\n${text}")
    foreach(name IN LISTS theirs)
        read_text(${THREE}/${name} text)
        add_script("${text}")
    endforeach()
endif()
set(page "")
foreach(name IN LISTS ours)
    read_text(${PAGE}/${name} text)
    string(APPEND page "${text}\n")
endforeach()
add_script("(() => {\n'use strict';\n${page}})();\n")

read_text(${PAGE}/page.css style)
policy_hash("${style}" style_hash)
read_text(${PAGE}/page.html html)
string(REPLACE "@SCRIPT_HASHES@" "${HASHES}" html "${html}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" html "${html}")
string(REPLACE "@STYLE@" "${style}" html "${html}")
string(REPLACE "@SCRIPTS@" "${SCRIPTS}" html "${html}")
string(FIND "${html}" "@DATA@" cut)
string(SUBSTRING "${html}" 0 ${cut} head)
math(EXPR cut "${cut} + 6")
string(SUBSTRING "${html}" ${cut} -1 tail)

set(code "/* Made by cmake/embed.cmake from cli/report and three.js. */\n#include <stddef.h>\n")
foreach(half head tail)
    string(HEX "${${half}}" bytes)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND code "extern const unsigned char report_page_${half}[];\nextern const size_t report_page_${half}_size;\n"
        "const unsigned char report_page_${half}[] = {${bytes}};\n"
        "const size_t report_page_${half}_size = sizeof report_page_${half};\n")
endforeach()
file(WRITE ${OUT} "${code}")
