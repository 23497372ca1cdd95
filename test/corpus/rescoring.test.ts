import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { assertFeatures } from '../support/rescoring-vectors.ts'

const corpus = process.env.SLUICE_CORPUS
/** Questions about code; their licence keeps them out of the repository. */
const file = corpus && path.join(corpus, '../reference/rescoring/test-vectors-cosqa_code_dev.json')

if (file === undefined) test('rescoring of code', { skip: 'SLUICE_CORPUS is not set' })
else if (!existsSync(file)) test('rescoring of code', { skip: 'the corpus has no test vectors' })
else test('passageFeatures() gives the features of the test vectors: code', () => assertFeatures(file))
