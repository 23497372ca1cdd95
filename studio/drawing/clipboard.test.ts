import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import { copyText, paste } from './clipboard.ts'
import { addNode, connect } from './commands.ts'
import { edgesOf, findNode, type FlowFile, inputsOf } from './flow-file.ts'
import { drawGraph } from './graph.ts'

function wired(): FlowFile {
  let file: FlowFile = { nodes: [], edges: [] }
  for (const name of ['loader', 'splitter', 'store'])
    file = addNode(file, KINDS.get(name)!, { x: 0, y: 0 }).apply(file)
  const line = (source: string, target: string, plug: string) => {
    const { nodes } = drawGraph(file, KINDS)
    const [from, to] = [source, target].map((id) => nodes.find((node) => node.id === id)!)
    file = connect(from!, to!, to!.plugs.find(({ name }) => name === plug)!).apply(file)
  }
  line('splitter_0', 'loader_0', 'textSplitter')
  line('loader_0', 'store_0', 'document')
  return file
}

test('paste() gives copied nodes ids of their own, with the lines between them and no others', () => {
  const file = wired()
  const command = paste(file, copyText(file, ['loader_0', 'splitter_0']))
  const after = command.apply(file)
  assert.deepEqual(command.ids, ['loader_1', 'splitter_1'])
  assert.equal(inputsOf(findNode(after, 'loader_1')!).textSplitter, '{{splitter_1.data.instance}}')
  assert.deepEqual(
    drawGraph(after, KINDS).connections.map(({ id }) => id),
    ['splitter_0→loader_0:textSplitter', 'loader_0→store_0:document', 'splitter_1→loader_1:textSplitter'],
  )
  assert.equal(edgesOf(after).at(-1)!.targetHandle, 'loader_1-input-textSplitter-TextSplitter')
  assert.deepEqual(findNode(after, 'loader_1')!.position, { x: 40, y: 40 })
})

test('paste() into another flow drops references to nodes that are not there', () => {
  const file = wired()
  const after = paste({ nodes: [], edges: [] }, copyText(file, ['store_0'])).apply({ nodes: [], edges: [] })
  assert.deepEqual(inputsOf(findNode(after, 'store_0')!).document, [])
  assert.deepEqual(edgesOf(after), [])
})

test('paste() says why a text cannot be pasted', () => {
  assert.throws(() => paste({ nodes: [] }, 'hello'), /not JSON/)
  assert.throws(() => paste({ nodes: [] }, '{}'), /no list of nodes/)
  assert.throws(() => paste({ nodes: [] }, '{"nodes":[]}'), /no nodes/)
})
