# The gateway as it runs in production. It writes nothing: run it with --read-only.
ARG NODE_IMAGE=node:26.10-bookworm-slim

# What it needs to run. The package for frontends is not here: npm would take its optional peers for dependencies.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/emulator/package.json packages/emulator/
COPY packages/probe/package.json packages/probe/
COPY packages/rest-outcome/package.json packages/rest-outcome/
RUN npm ci --omit=dev --workspace packages/contract --workspace packages/emulator --workspace packages/probe --workspace packages/rest-outcome --include-workspace-root --no-audit --no-fund

# What it needs to be built is left behind.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/emulator/package.json packages/emulator/
COPY packages/probe/package.json packages/probe/
COPY packages/rest-outcome/package.json packages/rest-outcome/
RUN npm ci --workspace packages/contract --workspace packages/emulator --workspace packages/probe --workspace packages/rest-outcome --include-workspace-root --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY packages packages
COPY src src
COPY codegen/explorer codegen/explorer
RUN node_modules/.bin/tsc --project packages/contract \
  && node_modules/.bin/tsc --project packages/emulator --paths null \
  && node_modules/.bin/tsc --project packages/probe \
  && node_modules/.bin/tsc --project packages/rest-outcome \
  && node_modules/.bin/tsc --project tsconfig.build.json --sourceMap false \
  && rm -r dist/.tsbuildinfo packages/*/dist/.tsbuildinfo packages/*/src packages/*/tsconfig.json \
  && node codegen/explorer/build.ts

FROM ${NODE_IMAGE}
WORKDIR /app
COPY package.json ./
COPY schema/trusted-documents.json schema/
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/packages packages
COPY --from=build /app/dist dist

ENV NODE_ENV=production HOST=0.0.0.0 METRICS_PORT=9464
EXPOSE 4000 9464
# The image's user "node", as a number: Kubernetes cannot tell by a name that it is not root.
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 4000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
