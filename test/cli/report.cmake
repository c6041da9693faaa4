# The tests of cli/report.c: its file, and the page in a browser.
foreach(name report report_page)
    add_executable(cli_${name} ${name}.c)
    target_link_libraries(cli_${name} PRIVATE test_support_f64 carom_cli_parts)
    target_compile_definitions(cli_${name} PRIVATE SOURCE_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")
    add_test(NAME cli_${name} COMMAND cli_${name})
    set_tests_properties(cli_${name} PROPERTIES TIMEOUT 600)
endforeach()
