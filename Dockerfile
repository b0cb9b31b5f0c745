# Zoetrope in a container, built from this source:
#   docker build -t zoetrope .
#   docker run --rm --user "$(id -u)" -v "$PWD:/pictures" zoetrope thumbnail model.glb model.png
# One stage: the packages that building needs are gone again when its step ends.
FROM debian:12-slim
COPY . /source
RUN set -eu; \
    export DEBIAN_FRONTEND=noninteractive; \
    kept=$(apt-mark showmanual); \
    cd /source; \
    ./setup.sh install; \
    apt-get install -y -qq --no-install-recommends dpkg-dev file >/dev/null; \
    cmake --preset package; \
    cmake --build --preset package; \
    apt-mark auto '.*' >/dev/null; \
    apt-mark manual $kept >/dev/null; \
    apt-get install -y -qq --no-install-recommends ./build/package/zoetrope_*.deb >/dev/null; \
    apt-get autoremove --purge -y -qq -o APT::AutoRemove::RecommendsImportant=false \
        -o APT::AutoRemove::SuggestsImportant=false >/dev/null; \
    apt-get clean; \
    cd /; \
    rm -rf /source /var/lib/apt/lists/*; \
    zoetrope --version
WORKDIR /pictures
ENTRYPOINT ["zoetrope"]
