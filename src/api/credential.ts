import { z } from 'zod'
import { flowUseShape } from './flow-use.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { moment } from './json.ts'

const scalar = z.union([z.string().max(100_000), z.number(), z.boolean()])

export const credentialBody = z.looseObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .register(docs, doc('The name of the credential', 'OpenAI of the team')),
  credentialName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .register(docs, doc('The kind of the credential', 'openAIApi')),
  /** The inputs of the credential by name, such as `openAIApiKey`. */
  plainDataObj: z
    .record(z.string().max(200), scalar)
    .register(
      docs,
      doc('The fields of the credential by name; stored encrypted, never returned', { openAIApiKey: 'sk-…' }),
    ),
})
export const credentialPatch = credentialBody.partial()

export const credentialListQuery = z.object({
  credentialName: z.string().optional().register(docs, doc('Only credentials of this kind', 'openAIApi')),
  usage: z
    .enum(['true', 'false'])
    .optional()
    .register(docs, doc('true also lists the flows that use each credential', 'true')),
})

const use = flowUseShape('chatOpenAI_0', 'ChatOpenAI', {
  address: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The address that the node calls with it; null for the address of the provider', null),
    ),
})

/** A credential without its secrets. */
export const credentialShape = z.object({
  id: z.string().register(docs, doc('The id of the credential, a UUID', EXAMPLE_ID)),
  name: z.string().register(docs, doc('The name of the credential', 'OpenAI of the team')),
  credentialName: z.string().register(docs, doc('The kind of the credential', 'openAIApi')),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
  lastUsedAt: moment
    .nullable()
    .register(
      docs,
      doc(
        'When it was last used, to five minutes, ISO 8601 in UTC; null if never',
        '2026-11-21T09:30:00.000Z',
      ),
    ),
  usedBy: z
    .array(use)
    .optional()
    .register(
      docs,
      doc('The flows that use it, each with the nodes that do; only with usage=true', [
        { id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook', nodes: [] },
      ]),
    ),
  fieldsSet: z
    .array(z.string())
    .optional()
    .register(docs, doc('The names of the fields that have a value', ['openAIApiKey'])),
})
export const credentialList = z.array(credentialShape)
export type CredentialAnswer = z.output<typeof credentialShape>

/** A kind of credential, in the form of Flowise: a secret input has the type `password`. */
export const credentialKindShape = z.object({
  name: z.string().register(docs, doc('The name of the kind', 'openAIApi')),
  label: z.string().register(docs, doc('The name of the kind as an editor shows it', 'OpenAI API')),
  inputs: z
    .array(
      z.object({
        name: z.string().register(docs, doc('The name of the field', 'openAIApiKey')),
        label: z
          .string()
          .register(docs, doc('The name of the field as an editor shows it', 'OpenAI API Key')),
        type: z.string().register(docs, doc('The type of the field; password for a secret', 'password')),
        optional: z.boolean().register(docs, doc('Whether the field may be empty', false)),
      }),
    )
    .register(
      docs,
      doc('The fields of a credential of this kind', [
        { name: 'openAIApiKey', label: 'OpenAI API Key', type: 'password', optional: false },
      ]),
    ),
  nodes: z
    .array(
      z.object({
        name: z.string().register(docs, doc('The name of the node type', 'chatOpenAI')),
        label: z.string().register(docs, doc('The label of the node type', 'ChatOpenAI')),
      }),
    )
    .register(
      docs,
      doc('The node types that take a credential of this kind', [
        { name: 'chatOpenAI', label: 'ChatOpenAI' },
      ]),
    ),
  test: z
    .object({
      address: z
        .string()
        .nullable()
        .register(
          docs,
          doc('The address that a test calls; null where one must be given', 'https://api.openai.com/v1'),
        ),
    })
    .nullable()
    .register(docs, doc('How the kind can be tested; null where no cheap call is known', { address: null })),
})
export const credentialKindList = z.array(credentialKindShape)
export type CredentialKindAnswer = z.output<typeof credentialKindShape>

/** The values to test: for a stored credential, those that replace stored ones. */
export const credentialTestBody = z.looseObject({
  plainDataObj: z
    .record(z.string().max(200), scalar)
    .optional()
    .register(
      docs,
      doc('The fields of the credential by name; stored encrypted, never returned', { openAIApiKey: 'sk-…' }),
    ),
  address: z
    .string()
    .max(2000)
    .nullish()
    .register(
      docs,
      doc('The base address to call instead of the one of the provider', 'http://localhost:8080/v1'),
    ),
})

/** What the provider answered. */
export const credentialVerdict = z.object({
  ok: z.boolean().register(docs, doc('Whether the provider accepted the credential')),
  status: z
    .number()
    .int()
    .nullable()
    .register(docs, doc('The HTTP status of the answer; null where none came', 200)),
  address: z
    .string()
    .register(docs, doc('The address that was called, without a query', 'https://api.openai.com/v1/models')),
  message: z
    .string()
    .register(docs, doc('What the provider said, in one sentence', 'The provider accepted the key')),
  models: z
    .array(z.string())
    .register(docs, doc('The first 100 models that the provider lists', ['gpt-4o-mini'])),
  timeTaken: z.number().register(docs, common.timeTaken),
})
export type CredentialVerdictAnswer = z.output<typeof credentialVerdict>
