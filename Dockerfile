# The image holds the binary, the starter catalogue and the system libraries they need. It is configured by SUBGUARD_…
# variables or by arguments, never by a shell. `make image-check` performs these very stages without a Docker engine.
#
#   docker build --tag subguard .
#   docker run --rm --volume subguard:/var/lib/subguard subguard migrate
#   docker run --rm --volume subguard:/var/lib/subguard subguard catalogue import /usr/share/subguard/catalogue.csv
#   docker run --rm --volume subguard:/var/lib/subguard subguard token create --role owner --name me
#   docker run --detach --read-only --volume subguard:/var/lib/subguard --publish 127.0.0.1:8080:8080 \
#       --env SUBGUARD_PUBLIC_URL=http://localhost:8080 subguard

FROM swift:6.3-bookworm AS build
WORKDIR /src
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libbrotli-dev libcurl4-openssl-dev libpq-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
# The packages are fetched again only when the manifest changes.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib -debug-info-format none -Xswiftc -enforce-exclusivity=unchecked --explicit-target-dependency-import-check error --product subguardd
RUN install --strip -D .build/release/subguardd .build/image/subguardd

FROM debian:bookworm-slim
# The data folder is made here because a new volume takes its owner from the image.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libbrotli1 libcurl4 libpq5 libsqlite3-0 libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=10001 --group=10001 --mode=0750 /var/lib/subguard
COPY --from=build /src/.build/image/subguardd /usr/local/bin/subguardd
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
ENTRYPOINT ["/usr/local/bin/subguardd"]
CMD ["serve"]
