import { LEDGER_TABLES } from './ledger-tables.ts'
import { PLATFORM_TABLES } from './platform-tables.ts'
import { SEARCH_TABLES } from './search-tables.ts'

/** The first schema. A `checksum` is of the content of its row, see `contents.ts`. */
export const FIRST_SCHEMA = `${PLATFORM_TABLES}${LEDGER_TABLES}${SEARCH_TABLES}`
