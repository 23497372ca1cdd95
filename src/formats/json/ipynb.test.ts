import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContent, textsIn } from '../../../test/support/read-content.ts'
import { codeCell, notebook } from '../../../test/support/small-mails.ts'

const markdown = (source: string | string[]) => ({ cell_type: 'markdown', metadata: {}, source })
const printed = (text: string | string[]) => ({ output_type: 'stream', name: 'stdout', text })
const result = (data: object) => ({ output_type: 'execute_result', data, metadata: {} })

const outputOf = async (...outputs: object[]): Promise<string | undefined> => {
  const [text = ''] = textsIn(await readContent('ipynb', notebook([codeCell('x', ...outputs)])))
  return /\n\nOutput:\n\n```\n(.*)\n```$/s.exec(text)?.[1]
}

test('readNotebook() gives the cells in order, with their numbers and kinds [formats:notebook]', async () => {
  const { documents, notes, dropped } = await readContent(
    'ipynb',
    notebook([
      markdown(['# Otters\n', 'They "swim" \\ dive.\u00fc']),
      codeCell('count = 8\nprint(count)', printed(['8\n'])),
      markdown(' '),
      { cell_type: 'raw', metadata: {}, source: 'as it is' },
    ]),
  )
  const about = { language: 'python', kernel: 'Python 3' }
  assert.deepEqual(documents, [
    { text: '# Otters\nThey "swim" \\ dive.ü', metadata: { cell: 1, cellType: 'markdown', ...about } },
    {
      text: '```python\ncount = 8\nprint(count)\n```\n\nOutput:\n\n```\n8\n```',
      metadata: { cell: 2, cellType: 'code', ...about },
    },
    { text: 'as it is', metadata: { cell: 4, cellType: 'raw', ...about } },
  ])
  assert.deepEqual({ notes, dropped }, { notes: [], dropped: [] })
})

test('readNotebook() reads the outputs that are text, as a terminal shows them [formats:notebook]', async () => {
  assert.equal(await outputOf(printed(' 10%\r 50%\r100%\n\u001b[31mred\u001b[0m\r\n')), '100%\nred')
  assert.equal(await outputOf(printed('a'), result({ 'text/plain': ['8.0\n', '9.0'] })), 'a\n8.0\n9.0')
  const failed = {
    output_type: 'error',
    ename: 'E',
    evalue: 'no',
    traceback: ['\u001b[0;31mE\u001b[0m', '  at x'],
  }
  assert.equal(await outputOf(failed), 'E\n  at x')
  assert.equal(await outputOf({ ...failed, traceback: [] }), 'E: no')
  const table = '<table><tr><th>a<th>b<tr><td>1<td>2</table>'
  const object = '<IPython.core.display.HTML object>'
  assert.equal(
    await outputOf(result({ 'text/plain': object, 'text/html': table })),
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  )
  assert.equal(await outputOf(result({ 'text/plain': 'a\n1', 'text/html': table })), 'a\n1')
  assert.equal(await outputOf(result({ 'text/plain': object, 'text/markdown': '**8**' })), '**8**')
  assert.equal(await outputOf(result({ 'text/plain': '<Otter 8>' })), '<Otter 8>')
  assert.equal(await outputOf(result({ 'application/json': { text: 'x' } })), undefined)
})

test('readNotebook() counts pictures [formats:notebook]', async () => {
  const figure = { 'image/png': 'A'.repeat(100_000), 'text/plain': '<Figure size 640x480 with 1 Axes>' }
  const { documents, dropped } = await readContent(
    'ipynb',
    notebook([
      codeCell('plot()', result(figure), result({ 'image/svg+xml': ['<svg>', '</svg>'], 'text/plain': 'x' })),
      { ...markdown('![](attachment:a.png)'), attachments: { 'a.png': { 'image/png': 'AAAA' } } },
    ]),
  )
  assert.equal(documents[0]!.text, '```python\nplot()\n```\n\nOutput:\n\n```\nx\n```')
  assert.deepEqual(dropped, [
    { kind: 'picture', count: 2, place: { part: 'cell 1' } },
    { kind: 'picture', count: 1, place: { part: 'cell 2' } },
  ])
})

test('readNotebook() reads nbformat 3 [formats:notebook]', async () => {
  const cells = [
    { cell_type: 'heading', level: 1, source: ['Otters'] },
    {
      cell_type: 'code',
      language: 'python',
      input: ['count()'],
      outputs: [
        { output_type: 'pyout', text: ['8'], png: 'AAAA' },
        { output_type: 'pyerr', ename: 'E', evalue: 'no', traceback: ['E: no'] },
      ],
    },
  ]
  const content = JSON.stringify({
    metadata: { name: 'old', kernelspec: { name: 'python2' } },
    nbformat: 3,
    worksheets: [{ cells: [cells[0]] }, { cells: [cells[1]] }],
  })
  const { documents, dropped } = await readContent('ipynb', content)
  assert.deepEqual(documents, [
    { text: '# Otters', metadata: { cell: 1, cellType: 'heading', kernel: 'python2' } },
    {
      text: '```\ncount()\n```\n\nOutput:\n\n```\n8\nE: no\n```',
      metadata: { cell: 2, cellType: 'code', kernel: 'python2' },
    },
  ])
  assert.deepEqual(dropped, [{ kind: 'picture', count: 1, place: { part: 'cell 2' } }])
})

test('readNotebook() reads the beginning of a long output, and what comes after it [formats:notebook:limits]', async () => {
  for (const text of ['0123456789'.repeat(500_000), Array<string>(500_000).fill('123456789\n')]) {
    const cells = [codeCell('x', printed(text), printed('more')), markdown('after')]
    const { documents, notes, dropped } = await readContent('ipynb', notebook(cells))
    const cut = 5_000_000 + 'more'.length - 256 * 1024
    assert.equal(documents.length, 2)
    assert.ok(documents[0]!.text.length < 256 * 1024 + 100)
    assert.equal(documents[1]!.text, 'after')
    assert.deepEqual(notes, [`the output of cell 1 is long: ${cut} characters of it were left out`])
    assert.deepEqual(dropped, [{ kind: 'cutText', count: cut, place: { part: 'cell 1' } }])
  }
  const source = await readContent('ipynb', notebook([codeCell('0123456789')]), { notebookSource: 4 })
  assert.equal(source.documents[0]!.text, '```python\n0123\n```')
  assert.match(source.notes.join(), /^the text of cell 1 is long: 6 /)
})

test('readNotebook() puts fences around code with fences', async () => {
  const [text] = textsIn(await readContent('ipynb', notebook([codeCell('"""\n```\n"""')])))
  assert.equal(text, '````python\n"""\n```\n"""\n````')
})

test('readNotebook() refuses what is not a notebook', async () => {
  const cases: [content: string, reason: string][] = [
    ['', 'it is not valid JSON: it ends too early'],
    ['{"cells": [', 'it is not valid JSON: it ends too early'],
    ['{"cells": [{"source": "x', 'it is not valid JSON: it ends too early'],
    ['{"cells": ]}', 'it is not valid JSON'],
    ['{"a": 1}', 'it is not a notebook: it has no list of cells'],
    ['[]', 'it is not a notebook: it has no list of cells'],
    ['"x"', 'it is not a notebook: it has no list of cells'],
    ['words', 'it is not valid JSON: it ends too early'],
  ]
  for (const [content, reason] of cases)
    await assert.rejects(readContent('ipynb', content), {
      code: 'file_unreadable',
      message: `file.ipynb cannot be read: ${reason}`,
    })
  await assert.rejects(readContent('ipynb', `{"cells":${'['.repeat(100_000)}`), { code: 'file_over_limit' })
})
