# The service in an image: docker build --tag saldo .
FROM node:26-alpine AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.base.json LICENSE ./
COPY packages/ packages/
COPY fixtures/ fixtures/
COPY docs/guide.md docs/guide.md
COPY scripts/ scripts/
RUN npm ci --omit=dev --ignore-scripts
RUN node scripts/bundle.mjs
RUN node scripts/bundle-web.mjs
RUN node scripts/collect-image.mjs image
RUN mkdir data

FROM node:26-alpine
COPY --from=build /build/image/ /saldo/
# A new volume takes over that it is the user's own.
COPY --from=build --chown=node:node /build/data/ /data/
ENV NODE_ENV=production \
    SALDO_HOST=0.0.0.0 \
    SALDO_PORT=7253 \
    SALDO_DATA_DIR=/data
USER node
WORKDIR /saldo
VOLUME ["/data"]
EXPOSE 7253
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.SALDO_PORT + '/api/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/cli/bin/saldo.js"]
CMD ["serve"]
