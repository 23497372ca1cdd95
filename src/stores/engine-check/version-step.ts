import { isObject, type Json } from '../../kit/json.ts'
import type { EngineServer } from '../remote/engine-server.ts'
import { type EngineStep, leftOut } from './run-steps.ts'

/** Where a server tells its version. */
const VERSIONS = {
  chroma: { path: '/api/v2/version', versionIn: (body: Json | undefined) => body },
  qdrant: { path: '/', versionIn: (body: Json | undefined) => (isObject(body) ? body.version : undefined) },
} as const

/** A server that does not tell it may still be used. */
export const versionStep = (
  server: EngineServer,
  product: string,
  kind: keyof typeof VERSIONS,
): EngineStep => ({
  step: 'version',
  async run() {
    const { path, versionIn } = VERSIONS[kind]
    const { body } = await server.call({ method: 'GET', path, expected: [401, 403, 404, 405] })
    const version = versionIn(body)
    return typeof version === 'string' ? `${product} ${version}` : leftOut('it does not tell it')
  },
})
