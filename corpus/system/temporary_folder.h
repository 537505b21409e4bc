// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder that lives as long as its object: for a database that nobody asked
// to keep, for what another program reads, and for tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace corpus {

class TemporaryFolder {
public:
  /// Throws when the system has no room for temporary files.
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "irsieve-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("cannot make a folder such as " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }
  std::string file(const std::string &name) const {
    return (path_ / name).string();
  }
  /// Makes the file, and says where it is.
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return file(name);
  }

private:
  std::filesystem::path path_;
};

} // namespace corpus
