import { readFileSync } from 'node:fs'

/**
 * Imported before a program (`node --import`): its wall clock is off by the milliseconds that the file CLOCK_FILE holds,
 * so that a test can set the clock of a running process. The monotonic clock stays as it is, as in an operating system.
 */
const file = process.env.CLOCK_FILE!
const Real = globalThis.Date
const now = () => Real.now() + Number(readFileSync(file, 'utf8'))

globalThis.Date = class Moved extends Real {
  constructor(...given: [] | [value: number | string | Date]) {
    if (given.length === 0) super(now())
    else super(...(given as [value: number]))
  }

  static override now = now
} as DateConstructor
