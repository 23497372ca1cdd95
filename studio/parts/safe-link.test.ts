import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeLink } from './safe-link.ts'

test('safeLink() lets web and mail addresses through, and nothing that runs', () => {
  assert.equal(safeLink('https://example.com/a?b=c'), 'https://example.com/a?b=c')
  assert.equal(safeLink('mailto:ada@example.com'), 'mailto:ada@example.com')
  for (const address of [
    'javascript:alert(1)',
    ' jAvaScript:alert(1)',
    'data:text/html,x',
    '/flows',
    'x',
    '',
  ])
    assert.equal(safeLink(address), undefined)
})
