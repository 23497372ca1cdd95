import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/*
 * Builds dist/studio with Vite. An asset that compresses is stored as .br and .gz only, which halves the size of the
 * package. A build of the same sources is kept: built-from.txt holds their hash.
 */
const root = path.join(import.meta.dirname, '..')
const [studio, target] = [path.join(root, 'studio'), path.join(root, 'dist/studio')]
const stamp = path.join(target, 'built-from.txt')
const sources = sourcesHash()

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
  run('tools/with.ts', ['studio'])
  run('studio/node_modules/vite/bin/vite.js', [
    'build',
    '--config',
    'studio/vite.config.ts',
    '--logLevel',
    'warn',
  ])
  for (const file of filesOf(target)) compress(path.join(target, file))
  writeFileSync(stamp, sources)
}

function run(script: string, args: string[]): void {
  const { status, error } = spawnSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}

function compress(file: string): void {
  const bytes = readFileSync(file)
  if (!/\.(m?js|css|html|svg)$/.test(file) || bytes.length < 1000) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  if (!file.endsWith('.html')) rmSync(file)
}

/** The files of a folder by their paths in it, sorted; packages and tests are left out. */
function filesOf(folder: string): string[] {
  return globSync('**/*', { cwd: folder, exclude: ['node_modules'] })
    .filter((file) => !file.endsWith('.test.ts') && statSync(path.join(folder, file)).isFile())
    .sort()
}

function sourcesHash(): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const file of filesOf(studio)) hash.update(file).update(readFileSync(path.join(studio, file)))
  // The screen of the guide has its text.
  hash.update(readFileSync(path.join(root, 'docs/guide.md')))
  return hash.digest('hex')
}
