# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# irsieve with all its LLVM releases, on Debian 12:
#   docker build -t irsieve . && docker run --rm irsieve run i2x2 --passes=instcombine
# Keep what a campaign writes: docker run --rm -v "$PWD:/work" irsieve hunt --budget 1h
FROM debian:12 AS build
COPY . /irsieve
RUN cd /irsieve && ci/install-deps all \
  && ci/build release -DIRSIEVE_TESTS=OFF && cd build && cpack -G DEB

FROM debian:12
COPY --from=build /irsieve/build/irsieve_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/irsieve_*.deb \
  && rm -rf /tmp/irsieve_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["irsieve"]
CMD ["--help"]
