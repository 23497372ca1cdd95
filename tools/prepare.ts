import { spawnSync } from 'node:child_process'
import path from 'node:path'

/*
 * Part of `npm ci` in a checkout, where devDependencies are installed: builds the studio. The server works without it,
 * so a failure is reported and does not fail the installation.
 */
const build = path.join(import.meta.dirname, 'build-studio.ts')
const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' })
if (status !== 0) console.error('the studio was not built; try again with: npm run build:studio')
