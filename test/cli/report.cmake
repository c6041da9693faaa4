# The tests of the pages: cli/page/report.c's file, and both pages in a browser. Those of the player run the command.
foreach(name report report_page managed_page group_page fields_page play_page robot_page)
    add_executable(cli_${name} ${name}.c)
    target_link_libraries(cli_${name} PRIVATE test_support_f64 carom_cli_parts test_programs)
    target_compile_definitions(cli_${name} PRIVATE SOURCE_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}"
        SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")
    add_test(NAME cli_${name} COMMAND cli_${name})
    set_tests_properties(cli_${name} PROPERTIES TIMEOUT ${limit} COST 100 # they take longest, and are not to be started last
        ENVIRONMENT "CAROM_COMMAND=$<TARGET_FILE:carom_cli>")
endforeach()
foreach(name group_page fields_page play_page robot_page)
    target_link_libraries(cli_${name} PRIVATE test_cli_support)
endforeach()
find_package(ZLIB REQUIRED)
foreach(name report play_page)
    target_link_libraries(cli_${name} PRIVATE ZLIB::ZLIB)
endforeach()
