import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectionInStudio } from './studio.ts'

const ALLOWED = [
  ['studio/main.tsx', 'studio/routes.tsx'],
  ['studio/routes.tsx', 'studio/screens/flows/flow-list.tsx'],
  ['studio/screens/flow/canvas.tsx', 'studio/drawing/commands.ts'],
  ['studio/screens/flow/canvas.tsx', 'studio/screens/flow/upsert/upsert-dialog.tsx'],
  ['studio/parts/button.tsx', 'react'],
  ['studio/drawing/layout.ts', '@dagrejs/dagre'],
] as const

for (const [from, to] of ALLOWED)
  test(`objectionInStudio() lets ${from} import ${to}`, () => {
    assert.equal(objectionInStudio(from, to, 'value'), undefined)
  })

const REFUSED = [
  ['studio/screens/flows/flow-list.tsx', 'studio/screens/flow/canvas.tsx', /never imports another screen/],
  ['studio/parts/button.tsx', 'studio/forms/text-input.tsx', /order of folders/],
  ['studio/drawing/commands.ts', 'react', /without React/],
  ['studio/server/flows.ts', 'src/api/flow.ts', /only types/],
  ['studio/server/flows.ts', 'src/kit/json.ts', /only src\/api/],
  ['studio/hooks/use-flow.ts', 'studio/server/flows.ts', /list of folders/],
  ['studio/server/flows.ts', 'test/support/until.ts', /outside studio/],
] as const

for (const [from, to, reason] of REFUSED)
  test(`objectionInStudio() refuses ${from} → ${to}`, () => {
    assert.match(objectionInStudio(from, to, 'value') ?? '', reason)
  })

test('objectionInStudio() lets studio import types of src/api', () => {
  assert.equal(objectionInStudio('studio/server/flows.ts', 'src/api/flow.ts', 'type'), undefined)
})
