import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { count, jsonObject, moment } from './json.ts'

const keyBody = z.looseObject({
  keyName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .register(docs, doc('The name of the key, at most 200 characters', 'website')),
  scopes: z
    .array(z.string())
    .nullish()
    .register(
      docs,
      doc('What the key allows: upsert, query, predict, manage; the default is the first three', [
        'query',
        'predict',
      ]),
    ),
  /** The name of scopes in Flowise. */
  permissions: z
    .array(z.string())
    .nullish()
    .register(docs, doc('The name of scopes in Flowise', ['query'])),
  flows: z
    .array(z.string())
    .nullish()
    .register(
      docs,
      doc('The flows that the key admits to, by id or slug, in addition to those it is bound to', [
        'quickstart',
      ]),
    ),
  pins: jsonObject
    .nullish()
    .register(
      docs,
      doc(
        'Metadata that every document of the key gets. The key finds and changes only documents with all of its pins; they never change',
        { tenant: 'acme' },
      ),
    ),
  quotas: jsonObject
    .nullish()
    .register(
      docs,
      doc(
        'The most that the key may use; a change replaces all. chunks: how many its documents have, for keys with pins; bytes: of files and bodies that it uploads in a day; questions: queries, questions, texts to embed and searches in chunks in a day. Days are of UTC',
        { chunks: 10_000, questions: 500 },
      ),
    ),
  expiresAt: moment
    .nullish()
    .register(
      docs,
      doc(
        'When the key expires, ISO 8601 in UTC; later calls are refused with 401 and key_expired. null: it does not expire',
        '2030-01-31T00:00:00.000Z',
      ),
    ),
})

export const newKeyBody = keyBody.extend({
  bind: z
    .array(z.string())
    .nullish()
    .register(docs, doc('Flows that need the new key from now on, by id or slug', ['handbook'])),
})
export const keyPatch = keyBody.partial()

export const keyParams = z.object({ key: z.string().register(docs, doc('The API key itself', 'sk-…')) })

const quotaAmounts = z.object({
  chunks: count.optional().register(docs, doc('How many chunks the documents of the key have', 812)),
  bytes: count.optional().register(docs, doc('Bytes of files and bodies in a day', 1000)),
  questions: count
    .optional()
    .register(docs, doc('Queries, questions, texts to embed and searches in chunks, in a day', 3)),
})

/** A key in a list, without the key itself. */
export const keyShape = z.object({
  id: z.string().register(docs, common.keyId),
  keyName: z.string().register(docs, doc('The name of the key, at most 200 characters', 'website')),
  scopes: z
    .array(z.string())
    .register(
      docs,
      doc('What the key allows: upsert, query, predict, manage; the default is the first three', [
        'query',
        'predict',
      ]),
    ),
  flows: z
    .array(z.string())
    .register(
      docs,
      doc('The flows that the key admits to, by id or slug, in addition to those it is bound to', [
        'quickstart',
      ]),
    ),
  pins: z
    .record(z.string(), z.string())
    .optional()
    .register(
      docs,
      doc(
        'Metadata that every document of the key gets. The key finds and changes only documents with all of its pins; they never change',
        { tenant: 'acme' },
      ),
    ),
  quotas: quotaAmounts
    .optional()
    .register(
      docs,
      doc(
        'The most that the key may use; a change replaces all. chunks: how many its documents have, for keys with pins; bytes: of files and bodies that it uploads in a day; questions: queries, questions, texts to embed and searches in chunks in a day. Days are of UTC',
        { chunks: 10_000, questions: 500 },
      ),
    ),
  used: quotaAmounts.optional().register(
    docs,
    doc('How much of its quotas the key has used: of chunks now, of the others today', {
      chunks: 812,
      questions: 3,
    }),
  ),
  chatFlows: z
    .array(
      z.object({
        id: z.string().register(docs, common.flowId),
        flowName: z.string().register(docs, common.flowName),
        slug: z.string().register(docs, common.slug),
      }),
    )
    .optional()
    .register(
      docs,
      doc('The flows that the key is bound to', [{ id: EXAMPLE_ID, flowName: 'Handbook', slug: 'handbook' }]),
    ),
  createdDate: moment.optional().register(docs, common.created),
  expiresAt: moment
    .nullish()
    .register(
      docs,
      doc('When the key expires, ISO 8601 in UTC; null if it does not', '2030-01-31T00:00:00.000Z'),
    ),
  lastUsedAt: moment
    .nullish()
    .register(
      docs,
      doc(
        'When the key was last used, to the minute, ISO 8601 in UTC; null if never',
        '2026-11-21T09:30:00.000Z',
      ),
    ),
})

export const keyList = z.array(keyShape)

/** A new key. No other answer contains the key itself. */
export const newKeyShape = keyShape.extend({
  apiKey: z.string().register(docs, doc('The key itself; no later answer contains it', 'sk-…')),
})

export type KeyAnswer = z.output<typeof keyShape>
