import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../contract/data-files.ts'

const addressFile = (directory: string) => path.join(directory, DATA_FILES.address)

/** Notes where the server of a data directory listens. On a full disk nothing is noted, which stops no server. */
export function noteAddress(directory: string, url: string): void {
  try {
    writeFileSync(addressFile(directory), `${url}\n`, { mode: 0o600 })
  } catch {
    deleteAddress(directory)
  }
}

/** The address that a server has noted; undefined where there is none, or where it was not written to its end. */
export function notedAddress(directory: string): string | undefined {
  try {
    const text = readFileSync(addressFile(directory), 'utf8')
    return text.endsWith('\n') && URL.canParse(text.trim()) ? text.trim() : undefined
  } catch {
    return undefined
  }
}

export const deleteAddress = (directory: string): void => rmSync(addressFile(directory), { force: true })
