# The image holds the server, the load tester, the starter catalogue and the system libraries they need. It is
# configured by SUBGUARD_… variables. `make image-check` performs these very stages without a Docker engine;
# `make package` saves the result.
#
#   docker build --tag subguard .
#   docker run --detach --name subguard --read-only --volume subguard:/var/lib/subguard --publish 127.0.0.1:8080:8080 \
#       --env SUBGUARD_PUBLIC_URL=http://localhost:8080 subguard
#   docker logs subguard
#
# The first start imports the starter catalogue (SUBGUARD_CATALOGUE_IMPORT=never: it does not) and prints a link to the
# console.

FROM swift:6.3-bookworm AS build
WORKDIR /src
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libbrotli-dev libcurl4-openssl-dev libpq-dev libsqlite3-dev \
        libssl-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
# The packages are fetched again only when the manifest changes.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib -debug-info-format none -Xswiftc -enforce-exclusivity=unchecked \
    -Xcc -ffile-prefix-map=/src=. --explicit-target-dependency-import-check error --product subguardd
RUN swift build -c release --static-swift-stdlib -debug-info-format none -Xswiftc -enforce-exclusivity=unchecked \
    -Xcc -ffile-prefix-map=/src=. --explicit-target-dependency-import-check error --product subguard-load
RUN install --strip -D --target-directory .build/image .build/release/subguardd .build/release/subguard-load

FROM debian:bookworm-slim
# The data folder is made here because a new volume takes its owner from the image. What differs between two builds of
# the same packages is removed.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libbrotli1 libcurl4 libpq5 libsqlite3-0 libssl3 \
        libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig/aux-cache /var/log/* \
    && install --directory --owner=10001 --group=10001 --mode=0750 /var/lib/subguard
COPY --from=build /src/.build/image/subguardd /src/.build/image/subguard-load /usr/local/bin/
COPY Config/first-start /usr/lib/subguard/first-start
COPY Config/catalogue.csv /usr/share/subguard/catalogue.csv
ENV SUBGUARD_HOST=0.0.0.0 \
    SUBGUARD_PORT=8080 \
    SUBGUARD_DATABASE_URL=sqlite:/var/lib/subguard/subguard.sqlite
USER 10001:10001
WORKDIR /var/lib/subguard
VOLUME /var/lib/subguard
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 CMD ["/usr/local/bin/subguardd", "health"]
ENTRYPOINT ["/usr/lib/subguard/first-start"]
CMD ["serve"]
