import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { FileType } from '../../src/contract/file-parser.ts'
import type { ExpectedText } from '../../test/support/corpus-docs.ts'

/** To which types LibreOffice saves documents of a type. */
const TARGETS: readonly (readonly [from: FileType, to: readonly FileType[]])[] = [
  ['docx', ['odt', 'rtf', 'doc', 'epub']],
  ['xlsx', ['ods', 'xls']],
  ['pptx', ['odp']],
]

/**
 * Documents of the corpus, saved in other formats by LibreOffice in a folder, with the expected texts of their
 * originals. Empty without the program `soffice`. What LibreOffice loses, as equations without its module for them,
 * counts against every reader.
 */
export function convertedTexts(texts: readonly ExpectedText[], folder: string): ExpectedText[] {
  if (!hasProgram('soffice')) return []
  const profile = `-env:UserInstallation=file://${path.join(folder, 'profile')}`
  return TARGETS.flatMap(([from, targets]) => {
    const originals = texts.filter(({ type }) => type === from)
    return targets.flatMap((type) => {
      const out = path.join(folder, type)
      mkdirSync(out, { recursive: true })
      const files = originals.map(({ file }) => file)
      const args = ['--headless', profile, '--convert-to', type, '--outdir', out, ...files]
      if (files.length > 0) execFileSync('soffice', args, { stdio: 'ignore', timeout: 1_200_000 })
      return originals.flatMap(({ file, name, wanted }) => {
        const converted = path.join(out, `${path.basename(file, `.${from}`)}.${type}`)
        return existsSync(converted) ? [{ file: converted, name: `${name} as ${type}`, type, wanted }] : []
      })
    })
  })
}

/** Whether a program is installed. */
export const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)))
