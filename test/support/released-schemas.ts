import { fileURLToPath } from 'node:url'

/** The folder with a dump for each step of the schema that a release ended with. */
export const RELEASED_SCHEMAS = fileURLToPath(new URL('../fixtures/postgres-schemas/', import.meta.url))
