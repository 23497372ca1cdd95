import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sectionsOf } from './sections.ts'

test('sectionsOf() gives the chapters in order, without pictures', () => {
  assert.deepEqual(
    sectionsOf(
      '# Guide\n\nIntro\n\n## Draw\n\n![x](y.webp)\n\nA flow.\n\n<picture><img></picture>\n\n### More\n\n## Keys & more\n\nk',
    ),
    [
      { id: 'draw', title: 'Draw', text: 'A flow.\n\n\n### More' },
      { id: 'keys-more', title: 'Keys & more', text: 'k' },
    ],
  )
})

test('the guide has a chapter for each thing that a person does in the first hour', () => {
  const guide = readFileSync(new URL('../../../docs/guide.md', import.meta.url), 'utf8')
  assert.deepEqual(
    sectionsOf(guide).map(({ title }) => title),
    ['Start', 'Draw', 'Load', 'Ask', 'Agent', 'Chains and prompts', 'Embed', 'Keys', 'Operate'],
  )
})
