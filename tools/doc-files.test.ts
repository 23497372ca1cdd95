import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '..')
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })]

for (const page of PAGES)
  test(`${page} names files that exist, and links to pages and headings that do`, () => {
    const text = readFileSync(path.join(root, page), 'utf8')
    const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|json|md))`/g)].map(([, file]) => file!)
    const missing = named.filter(
      (file) =>
        !/[A-Z]{3}/.test(file) &&
        ![root, path.join(root, 'src')].some((at) => existsSync(path.join(at, file))),
    )
    assert.deepEqual(
      [...new Set(missing)],
      [],
      `${page} names files that are not there: ${missing.join(', ')}`,
    )
    const pictures = [...text.matchAll(/ (?:src|srcset)="([^"]+)"/g)].map(([, picture]) => picture!)
    for (const picture of pictures)
      assert.ok(existsSync(path.join(root, path.dirname(page), picture)), `${page} shows ${picture}`)
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = '', heading] = target.split('#')
      const linked = file === '' ? path.join(root, page) : path.join(root, path.dirname(page), file)
      assert.ok(existsSync(linked), `${page} links to ${target}`)
      if (heading !== undefined)
        assert.ok(headingsOf(readFileSync(linked, 'utf8')).has(heading), `${page} links to ${target}`)
    }
  })

/** The parts of an address that lead to the headings of a page. */
const headingsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  )

/** Notes that are longer for now. */
const LONGER = ['2026-11-22-mutation.md', '2026-11-22-remote-engines.md']

test('a decision has thirty lines at most, links that lead somewhere, and a row in the list', () => {
  const folder = path.join(root, 'docs/decisions')
  const list = readFileSync(path.join(folder, 'README.md'), 'utf8')
  for (const note of globSync('2*.md', { cwd: folder })) {
    const text = readFileSync(path.join(folder, note), 'utf8')
    const lines = text.trimEnd().split('\n').length
    assert.ok(lines <= 30 || LONGER.includes(note), `${note} has ${lines} lines: shorten or part it`)
    assert.ok(list.includes(`](${note})`), `docs/decisions/README.md has no row for ${note}`)
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g))
      assert.ok(existsSync(path.join(folder, target)), `${note} links to ${target}`)
  }
})
