# A static image, of the size of the program:
#
#     docker build -t ninefold .
#     docker run --rm -i ninefold solve < puzzles.txt
#     docker run --rm -v "$PWD:/data" ninefold solve puzzles.txt -o solutions.txt

FROM rust:1-alpine AS build
# musl-dev and gcc compile zstd, which is C.
RUN apk add --no-cache gcc musl-dev
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM scratch
COPY --from=build /src/target/release/ninefold /ninefold
WORKDIR /data
ENTRYPOINT ["/ninefold"]
CMD ["--help"]
