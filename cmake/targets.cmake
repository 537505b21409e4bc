# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One line per library, test and benchmark; the compiler's rules stand here once.

add_library(irsieve_options INTERFACE)
target_compile_options(irsieve_options INTERFACE -Wall -Wextra)
option(IRSIEVE_WERROR "Treat warnings as errors" OFF)
if(IRSIEVE_WERROR)
  target_compile_options(irsieve_options INTERFACE -Werror)
endif()
if(IRSIEVE_SANITIZE)
  target_compile_options(irsieve_options INTERFACE
    -fsanitize=${IRSIEVE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    -fno-sanitize=vptr # it needs RTTI, which workers have not
    -Wno-deprecated-declarations) # clang: what std::stable_sort of libstdc++ 12 calls
  target_link_options(irsieve_options INTERFACE -fsanitize=${IRSIEVE_SANITIZE})
endif()

# Where headers cost more than our code, sources that include the same ones are compiled together, so
# many at a time, unless somebody wants to look at each (-DCMAKE_UNITY_BUILD=OFF). names_test says
# where two of them have a function of one name.
function(parse_headers_once target batch)
  if(NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

# irsieve_library(NAME [COLD] SOURCES... [LINK targets...]). COLD: it costs more to compile than to
# run, so headers are parsed once for several sources, and with sanitizers it is not optimized.
function(irsieve_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD" "" "LINK")
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  # For the workers that an opt loads.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE -fno-semantic-interposition)
  if(arg_COLD)
    parse_headers_once(${name} 8)
    if(IRSIEVE_SANITIZE)
      target_compile_options(${name} PRIVATE -O0)
    endif()
  endif()
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE irsieve_options)
endfunction()

# irsieve_test(NAME SOURCES... [LINK targets...] [LABELS labels...]): one GoogleTest program, one
# CTest entry; one of label `long` is begun first. CI runs those of label `memory` under
# address+undefined and those of label `threads` under thread sanitizers; the targets memory_tests
# and threads_tests build them.
foreach(label memory threads)
  add_custom_target(${label}_tests)
endforeach()
function(irsieve_test name)
  if(IRSIEVE_TESTS)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;LABELS")
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main irsieve_options)
    # Compiling the tests costs more than running them: less optimization, a third less time.
    set(level -O1)
    if(IRSIEVE_SANITIZE)
      set(level -O0)
    endif()
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:${level}>)
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
    if("long" IN_LIST arg_LABELS)
      set_tests_properties(${name} PROPERTIES COST 100)
    endif()
    list(REMOVE_ITEM arg_LABELS long)
    foreach(label IN LISTS arg_LABELS)
      add_dependencies(${label}_tests ${name})
    endforeach()
  endif()
endfunction()

# irsieve_benchmark(NAME SOURCES... [LINK targets...]): run by ci/bench.
function(irsieve_benchmark name)
  if(IRSIEVE_BENCHMARKS)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE ${arg_LINK} benchmark::benchmark_main irsieve_options)
  endif()
endfunction()
