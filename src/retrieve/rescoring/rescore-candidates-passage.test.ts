import { test } from 'node:test'
import { assertFeatures } from '../../../test/support/rescoring-vectors.ts'

for (const name of ['anthropic_docs', 'xquad_hi'])
  test(`passageFeatures() gives the features of the test vectors: ${name}`, () =>
    assertFeatures(new URL(`../../../test/fixtures/rescoring/${name}.json`, import.meta.url)))
