# Breccia with a Vulkan loader and Mesa's drivers.   docker build -t breccia .
#
# NVIDIA:  docker run --rm --gpus all -v "$PWD:/data" breccia run accretion
#          needs the NVIDIA Container Toolkit, which brings the driver in; it mounts the Vulkan part only with the
#          capability `graphics`, set below
# AMD, Intel:  docker run --rm --device /dev/dri --group-add "$(getent group render | cut -d: -f3)" -v "$PWD:/data" breccia run accretion
#          Mesa inside the image drives the GPU
# no GPU:  docker run --rm -v "$PWD:/data" breccia run accretion_small
#          Mesa's lavapipe computes on the CPU
#
# Results belong to the user if `--user "$(id -u):$(id -g)"` is added. `breccia doctor` in place of `run` says what is missing.

FROM rust:1-slim-bookworm AS build
WORKDIR /breccia
# without rust-toolchain.toml the compiler of the image is taken; with --build-arg BRECCIA_COMMIT=$(git rev-parse --short HEAD)
# `breccia --version` tells the commit
ARG BRECCIA_COMMIT
COPY Cargo.toml Cargo.lock ./
COPY benches benches
COPY docs/examples docs/examples
COPY pipelines pipelines
COPY scenarios scenarios
COPY src src
COPY wgsl wgsl
RUN cargo build --release --locked --bin breccia

FROM debian:trixie-slim
# The loader, Mesa's drivers with lavapipe, and the library of X that NVIDIA's driver loads even without a screen. Newer
# drivers are better ones, so no version is fixed.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libvulkan1 mesa-vulkan-drivers libxext6 libegl1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /breccia/target/release/breccia /usr/local/bin/breccia
COPY LICENSE-MIT LICENSE-APACHE /usr/local/share/doc/breccia/
ENV NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility \
    NODEVICE_SELECT=1
WORKDIR /data
ENTRYPOINT ["breccia"]
CMD ["--help"]
