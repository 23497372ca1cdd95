# syntax=docker/dockerfile:1

# The studio, and src/ as JavaScript.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build

# The packages of the product alone. npm ci keeps to the overrides of package.json, which an installed package would not.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/no-canvas tools/no-canvas
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.licenses="Apache-2.0"
# With OCR_LANGUAGES="eng deu" scanned pages of PDFs are read: the program tesseract and these languages.
ARG OCR_LANGUAGES=""
RUN if [ -n "$OCR_LANGUAGES" ]; then \
      apt-get update \
      && apt-get install --yes --no-install-recommends tesseract-ocr $(printf 'tesseract-ocr-%s ' $OCR_LANGUAGES | tr _ -) \
      && rm -rf /var/lib/apt/lists/*; \
    fi
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /build/dist dist
COPY bin bin
COPY models models
COPY examples examples
COPY package.json LICENSE NOTICE README.md ./
# The user node of the base image. Only the data directory is writable for it.
RUN mkdir --mode=0700 /data && chown 1000:1000 /data
USER 1000:1000
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/sluice.js"]
CMD ["start"]
