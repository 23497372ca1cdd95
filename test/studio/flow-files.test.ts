import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { NodeKindAnswer } from '../../src/api/node.ts'
import { drawTemplate } from '../../src/flow/templates/draw-template.ts'
import { TEMPLATES } from '../../src/flow/templates/templates.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { referencesOf, readFlowFile } from '../../studio/drawing/flow-file.ts'
import { moveNodes } from '../../studio/drawing/commands.ts'
import { drawGraph } from '../../studio/drawing/graph.ts'
import { openHistory, run, undo } from '../../studio/drawing/history.ts'
import { placeMissing } from '../../studio/drawing/layout.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const kinds = new Map(
  (await platform.manage<NodeKindAnswer[]>('GET', '/api/v1/nodes')).body.map((kind) => [kind.name, kind]),
)

type Sample = { name: string; text: string }
const corpus = process.env.SLUICE_CORPUS
const samples: Sample[] = [
  ...TEMPLATES.map((template) => ({ name: template.title, text: drawTemplate(template, catalog).flowData })),
  ...[...globSync('examples/*.json'), ...(corpus ? globSync(path.join(corpus, 'flows/*.json')) : [])]
    .filter((file) => existsSync(file) && path.basename(file) !== 'questions.json')
    .map((file) => ({ name: path.basename(file), text: readFileSync(file, 'utf8') })),
]

for (const { name, text } of samples) {
  test(`a flow file that was not changed is saved as it was read: ${name}`, () => {
    const original = JSON.parse(text) as { nodes: { position?: object }[] }
    const placed = placeMissing(readFlowFile(text), kinds)
    drawGraph(placed, kinds)
    if (original.nodes.every(({ position }) => position))
      assert.equal(JSON.stringify(placed), JSON.stringify(original))
    // Where a place was missing, the place is all that was added.
    else {
      const bare = {
        ...placed,
        nodes: placed.nodes.map((node) => ({ ...(node as object), position: undefined })),
      }
      const expected = {
        ...original,
        nodes: original.nodes.map((node) => ({ ...node, position: undefined })),
      }
      assert.deepEqual(bare, expected)
    }
  })

  test(`every connection of a flow file is drawn, and undo restores the file: ${name}`, () => {
    const file = placeMissing(readFlowFile(text), kinds)
    const graph = drawGraph(file, kinds)
    for (const node of graph.nodes)
      for (const plug of node.plugs)
        for (const source of referencesOf(node.values[plug.name]))
          assert.ok(plug.plugged.includes(source), `${source} → ${node.id}.${plug.name}`)
    const first = graph.nodes[0]!
    const changed = run(openHistory(file), moveNodes(new Map([[first.id, { x: 1, y: 2 }]])))
    assert.notEqual(changed.file, file)
    assert.equal(undo(changed).file, file)
  })
}
