import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const files = globSync('routes/*.ts', { cwd: import.meta.dirname }).filter(
  (file) => !file.endsWith('.test.ts'),
)

test('the routes of every file of server/routes are mounted by app.ts, or by another of these files', () => {
  for (const file of files) {
    const [, name] = read(file).match(/export function (\w+Routes?)\(/) ?? []
    assert.ok(name, `src/server/${file} exports no function that ends with Routes`)
    const mounting = ['app.ts', ...files.filter((other) => other !== file)]
    assert.ok(
      mounting.some((other) => read(other).includes(`...${name}(`) || read(other).includes(` ${name}(`)),
      `${name} of src/server/${file} is not mounted: add it to the list of src/server/app.ts`,
    )
  }
})
