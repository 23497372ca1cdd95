import { spawnSync } from 'node:child_process'
import { cpSync, globSync, statSync } from 'node:fs'
import path from 'node:path'

/*
 * The release step: src/ as JavaScript in dist/, or in the folder that is given, with everything in it that is no TypeScript
 * beside it. A checkout never needs this: Node runs src/ as it stands, but refuses TypeScript inside node_modules.
 */
const root = path.join(import.meta.dirname, '..')
const source = path.join(root, 'src')
const target = path.resolve(process.argv[2] ?? path.join(root, 'dist'))

const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'studio/node_modules/vite/bin/vite.js'),
    'build',
    '--config',
    path.join(root, 'tools/build.config.ts'),
    '--outDir',
    target,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1

for (const file of globSync('**/*', { cwd: source }))
  if (!file.endsWith('.ts') && statSync(path.join(source, file)).isFile())
    cpSync(path.join(source, file), path.join(target, file))
