import { spawnSync } from 'node:child_process'

/** The program that tests alert rules; undefined where it is not there. */
export const promtoolPath = (): string | undefined =>
  spawnSync('promtool', ['--version']).status === 0 ? 'promtool' : undefined
