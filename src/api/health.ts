import { z } from 'zod'
import { DEPENDENCY_STATES } from '../contract/dependency.ts'
import { doc, docs } from './doc.ts'
import { failureShape } from './failure.ts'

export const versionShape = z.object({
  version: z.string().register(docs, doc('The version of the server', '0.1.0')),
})
export const aliveShape = z.object({ status: z.literal('ok').register(docs, doc('Always ok')) })

const dependencies = z
  .array(
    z.object({
      name: z.string().register(docs, doc('What it is: `database`, `disk`, `blob store`', 'database')),
      state: z
        .enum(DEPENDENCY_STATES)
        .register(docs, doc('`ok`; `checking` while it is not known; `away` where it cannot be used', 'ok')),
      reason: z
        .string()
        .exactOptional()
        .register(
          docs,
          doc(
            'Why it cannot be used',
            'The disk of the server is full: it answers queries and accepts no writes',
          ),
        ),
    }),
  )
  .register(
    docs,
    doc('What the server needs, and whether it can be used', [
      { name: 'database', state: 'ok' },
      { name: 'disk', state: 'ok' },
    ]),
  )

export const readyShape = z.object({
  status: z.literal('ready').register(docs, doc('Always ready')),
  database: z
    .literal('being checked')
    .optional()
    .register(docs, doc('Present while the database is still being checked after a start')),
  degraded: z
    .array(z.string())
    .exactOptional()
    .register(
      docs,
      doc(
        'Present while something is away without which the server answers queries: the names of these dependencies. Without the `blob store` it takes no files',
        ['blob store'],
      ),
    ),
  dependencies,
})

export const notReadyShape = failureShape.extend({ dependencies })
