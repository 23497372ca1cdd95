import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environmentReads, importsOf } from './imports.ts'

test('importsOf() sees every way of importing, with its line', () => {
  const source = [
    "import a from './a.ts'",
    "import type { B } from './b.ts'",
    'import {',
    '  c,',
    '  type D,',
    "} from './c.ts'",
    "import * as e from './e.ts'",
    "import './f.ts'",
    "export { g } from './g.ts'",
    "export * from './h.ts'",
    "export type { I } from './i.ts'",
    "const { j } = await import('./j.ts')",
    "type K = import('./k.ts').K",
    "import type from './type.ts'",
  ].join('\n')
  assert.deepEqual(
    importsOf(source).map(({ specifier, line, kind }) => `${line} ${kind} ${specifier}`),
    [
      '1 value ./a.ts',
      '2 type ./b.ts',
      '6 value ./c.ts',
      '7 value ./e.ts',
      '8 value ./f.ts',
      '9 value ./g.ts',
      '10 value ./h.ts',
      '11 type ./i.ts',
      '12 dynamic ./j.ts',
      '13 dynamic ./k.ts',
      '14 value ./type.ts',
    ],
  )
})

test('importsOf() is not deceived by comments, texts and templates', () => {
  const source = [
    "// import './a.ts'",
    "/* import b from './b.ts' */",
    'const text = "import c from \'./c.ts\'"',
    "const code = `import d from './d.ts'`",
    "const pattern = /import '.\\/e.ts'/",
    'const url = new URL(import.meta.url)',
    "export const from = 'x'",
  ].join('\n')
  assert.deepEqual(importsOf(source), [])
})

test('importsOf() sees an import() inside a template', () => {
  assert.deepEqual(importsOf('`$'.concat('{await import("./a.ts")}`')), [
    { specifier: './a.ts', line: 1, kind: 'dynamic' },
  ])
})

test('environmentReads() sees each way of reaching the environment', () => {
  const source = [
    'process.env.PORT',
    'process?.env',
    "process['env']",
    'const { env } = process',
    "import { env as all } from 'node:process'",
  ].join('\n')
  assert.deepEqual(environmentReads(source), [1, 2, 3, 4, 5])
})

test('environmentReads() passes over comments, texts and other members', () => {
  const source = [
    '// process.env',
    "'process.env'",
    'process.exit(1)',
    'import.meta.env',
    "import { env } from './env.ts'",
  ].join('\n')
  assert.deepEqual(environmentReads(source), [])
})
