import { SANDBOX_MODULES } from './prelude.ts'

/** A longer one is no name of a module. */
const LONGEST_MODULE = 200

/** The names of modules that code requires and that the sandbox does not have, each once. */
export const missingModules = (code: string): string[] =>
  requiredModules(code).filter((name) => !SANDBOX_MODULES.includes(name))

/** The length is no part of the pattern: so it is proven to take one pass. */
const requiredModules = (code: string): string[] => {
  const found = [...code.matchAll(/\brequire\(\s*['"`]([^'"`\n]+)['"`]\s*\)/g)].map((match) => match[1]!)
  return [...new Set(found)].filter(({ length }) => length <= LONGEST_MODULE)
}

const DATABASE = 'an HTTP API over the database, called with fetch'

/** What code can use in place of modules that flows of Flowise often require. */
const INSTEAD_OF_MODULES: readonly (readonly [names: RegExp, instead: string])[] = [
  [/^(axios|got|request|superagent|undici|https?|node:https?)$/, 'fetch'],
  [
    /^(mysql2?|pg|postgres|sqlite3?|better-sqlite3|mssql|oracledb|mongodb|redis|ioredis|typeorm|knex)(\/|$)/,
    DATABASE,
  ],
  [/^(moment|dayjs|luxon|date-fns)(\/|$)/, 'Date and its toLocaleString, which takes a time zone'],
  [
    /^(cheerio|puppeteer|playwright)(\/|$)/,
    'cheerioWebScraper to load pages, or fetch and the text of the page',
  ],
  [
    /^(node:)?(fs|path|os|child_process|net|dns|worker_threads)(\/|$)/,
    'documents of a vector store: code has no files and no programs',
  ],
  [/^langchain|^@langchain\//, 'the nodes of the flow: a model, a chain or a tool'],
]

/** What to use in place of a module, as a sentence. */
export function insteadOfModule(name: string): string {
  const instead = INSTEAD_OF_MODULES.find(([names]) => names.test(name))?.[1]
  return `Use ${instead ?? 'fetch and the language itself'}: code of flows has no module ${name}`
}
