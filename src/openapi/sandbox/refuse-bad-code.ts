import { Script } from 'node:vm'
import { reasonOf } from '../../kit/errors.ts'
import { wrapAsFunction } from './prelude.ts'

/**
 * Refuses code of a flow that does not parse. The code is compiled and never run.
 *
 * @throws Error with the reason and the line
 */
export function refuseBadCode(code: string): void {
  try {
    new Script(wrapAsFunction(code), { filename: 'custom-code.js' })
  } catch (error) {
    const line = error instanceof Error ? /^custom-code\.js:(\d+)/.exec(error.stack ?? '')?.[1] : undefined
    throw new Error(
      `the code does not parse${line === undefined ? '' : ` at line ${line}`}: ${reasonOf(error)}`,
      { cause: error },
    )
  }
}
