# Open CASCADE, for the reader of STEP, IGES and BREP and the program that makes files for its tests.
#
#   carom_find_open_cascade()                    sets OpenCASCADE_FOUND
#   carom_link_open_cascade(target library ...)  every library that holds what the target calls
#
# Libraries are linked by their files: the package's targets would also ask for the development packages of TBB, X11 and
# OpenGL, which Debian's packages of Open CASCADE do not bring.

macro(carom_find_open_cascade)
    find_package(OpenCASCADE CONFIG QUIET COMPONENTS FoundationClasses ModelingData ModelingAlgorithms Visualization
        ApplicationFramework DataExchange)
endmacro()

function(carom_link_open_cascade target)
    target_include_directories(${target} SYSTEM PRIVATE ${OpenCASCADE_INCLUDE_DIR})
    foreach(library IN LISTS ARGN)
        target_link_libraries(${target} PRIVATE $<TARGET_FILE:${library}>)
    endforeach()
endfunction()
