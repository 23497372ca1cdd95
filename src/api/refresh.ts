import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { count, filePassword } from './json.ts'
import { settingChange } from './setting-change.ts'

export const refreshQuery = z.object({
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  draft: z
    .stringbool()
    .optional()
    .register(
      docs,
      doc('Whether the documents are compared with the draft of the flow; for managers', 'true'),
    ),
})
export const refreshBody = z.looseObject({
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
  password: filePassword.nullish().register(docs, common.password),
})

/** How the documents of a flow differ from its settings, and what brings them up to date. */
export const loadComparison = z.object({
  next: z
    .enum(['refresh', 'send', 'reindex'])
    .nullable()
    .register(
      docs,
      doc(
        'What brings the documents up to date: refresh loads them again, send needs their files, reindex is for another embedder and comes first; null where nothing differs',
        'refresh',
      ),
    ),
  differing: count.meta(doc('How many documents were loaded with other settings than the flow has now', 12)),
  fromKept: count.meta(doc('How many of them have a kept file', 12)),
  fromLoaders: count.meta(doc('How many of them are found by their loaders', 0)),
  filesNeeded: z
    .object({
      count: count.meta(doc('How many documents', 1)),
      names: z.array(z.string()).register(docs, doc('The names of the first 20', ['handbook.pdf'])),
    })
    .register(
      docs,
      doc(
        'Documents that were loaded with other settings and whose files are not kept: their number, and the names of the first 20; send these files again',
        { count: 1, names: ['handbook.pdf'] },
      ),
    ),
  unknownSettings: count.meta(
    doc(
      'How many documents were loaded before it was stored with which settings; a refresh finds out for those with a kept file',
      0,
    ),
  ),
  embedders: z
    .object({
      from: z.string().register(docs, doc('The embedder of the stored vectors', 'sluice-static-256-v1')),
      to: z.string().register(docs, doc('The embedder of the flow', 'openai text-embedding-3-small')),
    })
    .nullable()
    .register(
      docs,
      doc('The embedder of the stored vectors and that of the flow, where they differ', {
        from: 'sluice-static-256-v1',
        to: 'openai text-embedding-3-small',
      }),
    ),
  differences: z
    .array(
      z.object({
        differing: count.meta(doc('How many documents differ so', 12)),
        summary: z
          .string()
          .register(docs, doc('All changes in one line, for people', 'Chunk Size 1000 → 600')),
        changes: z.array(settingChange).register(
          docs,
          doc(
            'Settings of a load and of the flow now. input is null where the node itself is another; from and to are … for long values and addresses',
            [
              {
                nodeId: 'sluiceTextSplitter_0',
                input: 'chunkSize',
                label: 'Chunk Size',
                from: 1000,
                to: 600,
              },
            ],
          ),
        ),
      }),
    )
    .register(
      docs,
      doc('What differs, and for how many documents', [
        {
          differing: 12,
          summary: 'Chunk Size 1000 → 600',
          changes: [
            { nodeId: 'sluiceTextSplitter_0', input: 'chunkSize', label: 'Chunk Size', from: 1000, to: 600 },
          ],
        },
      ]),
    ),
})
export type LoadComparisonAnswer = z.output<typeof loadComparison>
