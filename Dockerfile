# The gateway as it runs in production. It writes nothing: run it with --read-only.
ARG NODE_IMAGE=node:26.10-bookworm-slim

# The package for frontends is not here: npm would take its optional peers for dependencies.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/emulator/package.json packages/emulator/
COPY packages/planned-execution/package.json packages/planned-execution/
COPY packages/rest-outcome/package.json packages/rest-outcome/
RUN npm ci --workspace packages/contract --workspace packages/emulator --workspace packages/planned-execution --workspace packages/rest-outcome --include-workspace-root --no-audit --no-fund
COPY tsconfig.json ./
COPY packages packages
COPY src src
COPY codegen/bundle codegen/bundle
COPY codegen/explorer codegen/explorer
RUN npm run --silent bundle

# One file with all packages, its source map, V8's code cache, the licences and the SBOM; the explorer's files beside it.
FROM ${NODE_IMAGE}
WORKDIR /app
COPY package.json ./
COPY schema/trusted-documents.json schema/
COPY --from=build /app/bundle dist
COPY --from=build /app/dist/explorer dist/explorer

ENV NODE_ENV=production HOST=0.0.0.0 METRICS_PORT=9464
# Bytes from which glibc takes memory from the kernel, and gives it back. By default glibc raises this limit, and keeps what
# long responses leave: under attack 690 MiB in place of 460.
ENV MALLOC_MMAP_THRESHOLD_=1048576
EXPOSE 4000 9464
# The image's user "node", as a number: Kubernetes cannot tell by a name that it is not root.
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 4000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
