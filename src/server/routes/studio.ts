import { fileURLToPath } from 'node:url'
import { loaderParams } from '../../api/document-store.ts'
import { documentParams, idParams, nameParams } from '../../api/params.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type Route, route } from '../route.ts'
import { startPage } from '../docs/html.ts'
import { encodedFile, readStudioFiles, sendPage } from '../studio-files.ts'
import { chatPageRoute } from './chat-page.ts'
import { PAGE_POLICY } from './documentation.ts'

/** The same place from `src/server/routes` of a checkout and from `dist/server/routes` of a package. */
const FOLDER = fileURLToPath(new URL('../../../dist/studio', import.meta.url))

const HTML = 'text/html; charset=utf-8'

/**
 * The studio loads from and calls this server alone, and no text can become script (Trusted Types). The one policy that
 * it may make accepts the address of the PDF worker (studio/screens/flow/documents/pdf-worker.ts).
 */
const STUDIO_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sluice-pdf-worker"

/**
 * The addresses of the studio's screens (`studio/routes.tsx` has the same). Other paths are answered with 404, so that
 * a wrong path of the API is not answered with a page.
 */
const SCREENS = [
  { url: '/', summary: 'The studio: draw flows, load documents' },
  { url: '/flows', summary: 'The studio: all flows' },
  { url: '/flows/:id', summary: 'The studio: the canvas of a flow', params: idParams },
  { url: '/flows/:id/ask', summary: 'The studio: questions to a flow', params: idParams },
  { url: '/flows/:id/documents', summary: 'The studio: the documents of a flow', params: idParams },
  {
    url: '/flows/:id/documents/:source',
    summary: 'The studio: one document of a flow',
    params: documentParams,
  },
  { url: '/flows/:id/compare', summary: 'The studio: variants of a flow side by side', params: idParams },
  { url: '/flows/:id/questions', summary: 'The studio: the questions of a flow', params: idParams },
  { url: '/flows/:id/history', summary: 'The studio: the upserts of a flow', params: idParams },
  { url: '/flows/:id/api', summary: 'The studio: requests to a flow', params: idParams },
  { url: '/flows/:id/configuration', summary: 'The studio: the settings of a flow', params: idParams },
  { url: '/flows/:id/revisions', summary: 'The studio: the revisions of a flow', params: idParams },
  { url: '/document-stores', summary: 'The studio: document stores' },
  { url: '/document-stores/:id', summary: 'The studio: one document store', params: idParams },
  {
    url: '/document-stores/:id/chunks/:loaderId',
    summary: 'The studio: the chunks of a document store',
    params: loaderParams,
  },
  { url: '/guide', summary: 'The studio: the guide' },
  { url: '/jobs', summary: 'The studio: all jobs' },
  { url: '/executions', summary: 'The studio: the runs of agent flows' },
  { url: '/credentials', summary: 'The studio: credentials' },
  { url: '/variables', summary: 'The studio: variables' },
  { url: '/tools', summary: 'The studio: custom tools' },
  { url: '/keys', summary: 'The studio: API keys' },
] as const

/** The web application, as `npm run build:studio` built it; without a build, a page that says how to make one. */
export function studioRoutes(folder: string = FOLDER): Route[] {
  const studio = readStudioFiles(folder)

  const screens = SCREENS.map(({ url, summary, ...more }) =>
    route({
      method: 'GET',
      url,
      summary,
      tag: 'studio',
      access: 'open',
      ...more,
      answer: { description: 'A page', type: HTML },
      async handle({ request, reply }) {
        if (!studio) {
          reply.header('cache-control', 'no-cache')
          reply.header('content-security-policy', PAGE_POLICY)
          return startPage(`${request.protocol}://${request.host}`)
        }
        reply.header('content-security-policy', STUDIO_POLICY)
        return sendPage(studio.page, request, reply)
      },
    }),
  )
  const assets = route({
    method: 'GET',
    url: '/assets/:name',
    summary: 'A file of the studio; its name changes with its content',
    tag: 'studio',
    access: 'open',
    params: nameParams,
    answer: { description: 'A file', type: 'text/javascript; charset=utf-8' },
    also: [
      { description: 'a style sheet', type: 'text/css; charset=utf-8' },
      { description: 'a picture', type: 'image/svg+xml' },
    ],
    async handle({ params: { name }, request, reply }) {
      const file = studio?.assets.get(name)
      if (!file) throw new SluiceError('asset_not_found', { name })
      const { body, encoding } = encodedFile(file, request.headers['accept-encoding'])
      if (encoding) reply.header('content-encoding', encoding)
      return reply
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
          // This is the policy of a worker: it may load nothing.
          'content-security-policy': "default-src 'none'",
          'content-type': file.type,
        })
        .send(body)
    },
  })
  return [...screens, assets, chatPageRoute(studio)]
}
