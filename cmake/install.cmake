# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` and `cpack -G DEB` take. A program finds its workers
# beside its real path, so all of them are in lib/irsieve, and bin has a link.

include(GNUInstallDirs)
set(folder ${CMAKE_INSTALL_LIBDIR}/irsieve)
get_property(workers GLOBAL PROPERTY irsieve_workers)
get_property(plugins GLOBAL PROPERTY irsieve_plugins)
install(TARGETS irsieve irsieve-guard ${workers} ${plugins}
  RUNTIME DESTINATION ${folder} LIBRARY DESTINATION ${folder})
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  file(CREATE_LINK ../${folder}/irsieve
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/irsieve\" SYMBOLIC)")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY corpus/known DESTINATION ${CMAKE_INSTALL_DATADIR}/irsieve
  PATTERN CMakeLists.txt EXCLUDE PATTERN "*.cpp" EXCLUDE PATTERN "*.h" EXCLUDE)

# Told by the options themselves.
foreach(form bash zsh man)
  set(text ${CMAKE_BINARY_DIR}/completion/irsieve.${form})
  add_custom_command(OUTPUT ${text} DEPENDS irsieve VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/completion
    COMMAND irsieve completion ${form} > ${text})
  list(APPEND texts ${text})
endforeach()
add_custom_target(irsieve_completion ALL DEPENDS ${texts})
install(FILES ${CMAKE_BINARY_DIR}/completion/irsieve.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME irsieve)
install(FILES ${CMAKE_BINARY_DIR}/completion/irsieve.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _irsieve)
install(FILES ${CMAKE_BINARY_DIR}/completion/irsieve.man
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME irsieve.1)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR irsieve)
set(CPACK_PACKAGE_CONTACT "irsieve maintainers <maintainers@irsieve.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "sends every small LLVM IR function through the optimizer and checks the result")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# Workers hold all of LLVM: gigabytes for xz, seconds for zstd.
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
# Of each worker the libraries, libLLVM too where it does not hold it; opt is for what a report
# says to run.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
