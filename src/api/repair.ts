import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { asyncQuery } from './job-request.ts'
import { count, jsonObject, warning } from './json.ts'

export const repairQuery = asyncQuery.extend({
  dryRun: z
    .stringbool()
    .optional()
    .register(docs, doc('true: only compares, and tells what a repair would do', 'true')),
})

export const repairBody = z.looseObject({
  overrideConfig: jsonObject.nullish().register(
    docs,
    doc('Values for inputs of the nodes that the flow opens to requests, such as the namespace', {
      namespace: 'handbook',
    }),
  ),
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
})

const ids = (what: string) => z.array(z.string()).register(docs, doc(what, []))

/** What a comparison of a separate engine found, and what its repair did. */
export const repairShape = z.object({
  dryRun: z.boolean().register(docs, doc('Whether the points were only compared')),
  numChunks: count.meta(doc('Chunks that need a point, also those of removed documents', 9110)),
  numPoints: count.meta(doc('Points that the engine had; all were compared', 9105)),
  numMissing: count.meta(doc('Chunks without a point', 5)),
  numSurplus: count.meta(doc('Points without a chunk', 0)),
  numDifferent: count.meta(doc('Points with another text or other metadata than their chunk', 0)),
  numDamaged: count.meta(doc('Points whose vector does not meet its check', 0)),
  numUnchecked: count.meta(
    doc('Points whose vector was not compared: an earlier version has written it, without a check', 0),
  ),
  numToEmbed: count
    .optional()
    .register(
      docs,
      doc('Of a dry run: how many texts a repair would embed at most; absent after a repair', 5),
    ),
  numWritten: count.meta(doc('Points that were written', 5)),
  numEmbedded: count.meta(doc('Texts that were embedded; other points got a vector that the engine has', 5)),
  numRemoved: count.meta(doc('Points without a chunk that were deleted', 0)),
  numLeft: count.meta(doc('Points that still differ; of a dry run all that differ', 0)),
  left: z
    .object({
      missing: count.meta(doc('Chunks without a point', 0)),
      surplus: count.meta(doc('Points without a chunk', 0)),
      different: count.meta(doc('Points with another text or other metadata', 0)),
      damaged: count.meta(doc('Points with a damaged vector', 0)),
    })
    .register(
      docs,
      doc('The same by kind, when the work was over', { missing: 0, surplus: 0, different: 0, damaged: 0 }),
    ),
  why: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'Why points are left, or why their texts cannot be embedded; null where nothing stands in the way',
        null,
      ),
    ),
  first: z
    .object({
      missing: ids('The ids of the first chunks without a point'),
      surplus: ids('The ids of the first points without a chunk'),
      different: ids('The ids of the first points with another text or other metadata'),
      damaged: ids('The ids of the first points with a damaged vector'),
    })
    .register(
      docs,
      doc('The ids of the first five points of each kind that were found', {
        ...{ missing: ['5f6a9c1e-6f0e-4a53-9d7b-0d8f4f6f2b11'], surplus: [], different: [], damaged: [] },
      }),
    ),
  embedder: z.string().register(docs, doc('The embedder of the flow', 'sluice-static-256-v1')),
  warnings: z.array(warning).register(docs, common.warnings),
  jobId: z.string().register(docs, common.jobId),
  timeTaken: z.number().register(docs, common.timeTaken),
})
export type RepairAnswer = z.output<typeof repairShape>
