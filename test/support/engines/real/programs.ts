import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder that `tools/provide-NAME.sh` has filled, where it has. */
const providedFolder = (name: string) => (): string | undefined => {
  const script = path.join(import.meta.dirname, `../../../../tools/provide-${name}.sh`)
  const where = spawnSync(script, ['--where'], { encoding: 'utf8' })
  const folder = where.status === 0 ? where.stdout.trim() : ''
  return existsSync(path.join(folder, 'complete')) ? folder : undefined
}

export const openSearchPrograms = providedFolder('opensearch')
export const elasticsearchPrograms = providedFolder('elasticsearch')
export const chromaPrograms = providedFolder('chroma')
