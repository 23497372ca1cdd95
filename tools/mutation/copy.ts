import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripTypeScriptTypes } from 'node:module'

/** `scratch` is a folder for what its tests write: a test that is ended leaves its folders. */
export type Copy = { directory: string; scratch: string; remove(): void }

/** A copy of a checkout in which sources can be changed while the checkout stays as it is. */
export function copyOf(root: string): Copy {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sluice-mutation-'))
  for (const name of ['src', 'test', 'package.json'])
    cpSync(path.join(root, name), path.join(directory, name), {
      recursive: true,
      filter: (from) => path.basename(from) !== 'node_modules',
    })
  const scratch = path.join(directory, 'scratch')
  mkdirSync(scratch)
  for (const name of ['node_modules', 'models', 'examples', 'tools', 'test/node_modules'])
    symlinkSync(path.join(root, name), path.join(directory, name))
  return { directory, scratch, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Whether a changed source is still TypeScript: a change that no parser takes proves nothing about the tests. */
export function parses(source: string): boolean {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}
