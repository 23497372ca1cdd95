import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../../../test/support/studio-kinds.ts'
import { drawGraph } from '../../../drawing/graph.ts'
import { pickerEndings, reasonToWait, storesToLoad } from './participants.ts'

const node = (id: string, name: string, inputs: object = {}) => ({ id, data: { name, inputs } })
const file = (stored: string) => ({
  nodes: [
    node('s', 'store', { document: ['{{l.data.instance}}'], embeddings: '{{e.data.instance}}' }),
    node('l', 'loader', { textSplitter: '{{t.data.instance}}', file: stored }),
    node('t', 'splitter'),
    node('e', 'embeddings'),
    node('other', 'splitter'),
  ],
})
const storeOf = (stored: string) => storesToLoad(drawGraph(file(stored) as never, KINDS))[0]!

test('storesToLoad() names the nodes that take part, and no others', () => {
  const store = storeOf('')
  assert.deepEqual(
    store.nodes.map(({ id }) => id),
    ['t', 'l', 'e', 's'],
  )
  assert.deepEqual([store.takes, store.stored, store.fetches], ['*', [], false])
})

test('reasonToWait() wants files, chosen or stored in the flow', () => {
  assert.equal(reasonToWait(storeOf(''), 0), 'Choose files first')
  assert.equal(reasonToWait(storeOf(''), 1), undefined)
  assert.equal(reasonToWait(storeOf('data:;base64,AA==,filename:a.txt'), 0), undefined)
})

test('pickerEndings() limits the picker only where every type has an ending', () => {
  assert.equal(pickerEndings('.csv, .tsv'), '.csv,.tsv')
  assert.equal(pickerEndings('.csv, other text'), undefined)
  assert.equal(pickerEndings('*'), undefined)
})
