# The commands coredata and momc in a small image.
#   docker build -t opencoredata .
#   docker run --rm -v "$PWD":/data opencoredata store info Music.sqlite
#   docker run --rm -v "$PWD":/data --entrypoint momc opencoredata Music.xcdatamodeld Music.momd

FROM swift:6.3-bookworm AS build
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    libsqlite3-dev zlib1g-dev libpq-dev pkg-config >/dev/null && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN swift build -c release --static-swift-stdlib --product coredata \
    && swift build -c release --static-swift-stdlib --product momc \
    && install -D --strip --target-directory /result .build/release/coredata .build/release/momc

FROM debian:bookworm-slim
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    libsqlite3-0 zlib1g libpq5 libstdc++6 tzdata ca-certificates >/dev/null && rm -rf /var/lib/apt/lists/*
COPY --from=build /result/ /usr/local/bin/
WORKDIR /data
ENTRYPOINT ["coredata"]
