import { spawnSync } from 'node:child_process'
import { cpSync, globSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

/*
 * The release step: src/ as JavaScript in dist/, with everything in it that is no TypeScript beside it. A checkout
 * never needs this: Node runs src/ as it stands, but refuses TypeScript inside node_modules.
 */
const root = path.join(import.meta.dirname, '..')
const [source, target] = [path.join(root, 'src'), path.join(root, 'dist')]

rmSync(target, { recursive: true, force: true })

const compiler = path.join(root, 'test/node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', path.join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1

for (const file of globSync('**/*', { cwd: source }))
  if (!file.endsWith('.ts') && statSync(path.join(source, file)).isFile())
    cpSync(path.join(source, file), path.join(target, file))
