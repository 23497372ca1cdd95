import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { findBinaries } from './postgres.ts'

/** Runs a program of the PostgreSQL of the tests, such as `pg_dump`; what it writes. @throws where it fails, with its message */
export const postgresTool = (name: string, args: readonly string[], input?: string): string =>
  execFileSync(path.join(findBinaries(), name), args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  })
