# The production image of Platen. Configuration: docs/operators/deploy.md. The Node version matches the package `node` in
# package-lock.json. The digest is that of the tag's image index, so that every build uses the same base image.
FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS base
WORKDIR /app

# Runs no install scripts, and omits the optional packages, which contain an embedded PostgreSQL for each platform.
FROM base AS dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# Type declarations and source maps are more than half of the dependencies' bytes, and Node reads neither.
RUN find node_modules -type f -regex '.*\.\(map\|d\.[cm]?ts\)' -delete

# Builds the merchant's pages. Only the result is copied to the image.
FROM base AS pages
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build-admin.ts scripts/find-newest-change.ts ./scripts/
COPY src ./src
RUN npm run build:admin

# The base image without headers and package managers, which only builds need.
FROM base AS runtime
RUN rm -rf /opt /usr/local/include /usr/local/lib/node_modules \
    /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    /usr/local/bin/docker-entrypoint.sh

# Starts from scratch, because an image keeps the bytes that a later layer deletes.
FROM scratch
COPY --from=runtime / /
WORKDIR /app
LABEL org.opencontainers.image.title="Platen" \
      org.opencontainers.image.description="A Shopify app that sends paid orders to a print-on-demand service and adds their tracking codes to the store" \
      org.opencontainers.image.licenses="MIT"
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    HOME=/var/lib/platen \
    PLATEN_HOME=/var/lib/platen
# Platen writes only to the spool, where events wait during a database outage. The rest of the file system may be read-only.
RUN install -d -o 10001 -g 10001 -m 0700 /var/lib/platen
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY --from=pages /app/build ./build
COPY migrations ./migrations
COPY src ./src
# A checkout or a build tool may lose the executable bit of the command.
RUN chmod 0755 /app/src/cli/platen.js
RUN ln -s /app/src/cli/platen.js /usr/local/bin/platen
USER 10001:10001
VOLUME /var/lib/platen
EXPOSE 3000
STOPSIGNAL SIGTERM
# Checks only whether the process responds. During a database outage, the process still accepts events and must not be restarted. Workers
# also serve this endpoint.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Migrates the database on startup, under a lock.
CMD ["node", "src/main.ts"]
