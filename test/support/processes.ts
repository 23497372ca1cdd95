import { readdirSync, readFileSync } from 'node:fs'

/** The ids of all processes of this machine with a text in their command lines, wherever they hang. Linux only. */
export const processesOf = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
