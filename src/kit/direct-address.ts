import type { Config } from './config.ts'

/** The PostgreSQL database of an installation, by its address without a pooler; undefined where the data is in DATA_DIR. */
export const directAddress = ({
  DATABASE_URL,
  DATABASE_DIRECT_URL = DATABASE_URL,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string | undefined =>
  DATABASE_URL === undefined ? undefined : DATABASE_DIRECT_URL
