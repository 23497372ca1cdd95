import { isObject } from '../../kit/json.ts'
import type { EngineServer } from '../remote/engine-server.ts'
import { productIn } from '../remote/search-dialects.ts'
import { clockFinding } from './clock.ts'
import { CheckFailure, type EngineStep, failureText, leftOut } from './run-steps.ts'

type Member = { address: string; answer: unknown } | { address: string; failure: string }

/** What OpenSearch and Elasticsearch say of themselves. @param serverAt the server at one of its addresses alone */
export function searchServerSteps(
  server: EngineServer,
  { addresses, serverAt }: { addresses(): Promise<string[]>; serverAt(address: string): EngineServer },
): EngineStep[] {
  const root = { method: 'GET', path: '/' } as const
  const members = async (): Promise<Member[]> =>
    Promise.all(
      (await addresses()).map(async (address) => {
        const { host } = new URL(address)
        try {
          return { address: host, answer: (await serverAt(address).call(root)).body }
        } catch (error) {
          return { address: host, failure: failureText(error) }
        }
      }),
    )

  const ofAddresses: EngineStep = {
    step: 'addresses',
    isFoundation: true,
    async run() {
      const found = await members()
      const away = found.flatMap((one) => ('failure' in one ? `${one.address}: ${one.failure}` : []))
      const clusters = new Set(
        found.flatMap((one) =>
          'answer' in one && isObject(one.answer) ? String(one.answer.cluster_uuid) : [],
        ),
      )
      if (clusters.size > 1) throw new CheckFailure(`they are of ${clusters.size} clusters`)
      if (away.length === found.length) throw new CheckFailure(away.join('; '))
      if (away.length > 0) return { outcome: 'no', found: away.join('; ') }
      return found.length === 1 ? 'one' : `${found.length} of one cluster`
    },
  }

  return [
    ofAddresses,
    {
      step: 'version',
      isFoundation: true,
      async run() {
        const product = productIn((await server.call(root)).body)
        if (!product) throw new CheckFailure('it is neither OpenSearch nor Elasticsearch')
        if (product.fault !== undefined) throw new CheckFailure(product.fault)
        return `${product.dialect.name} ${product.version}`
      },
    },
    {
      step: 'clock',
      async run() {
        const path = '/_nodes/stats/os?filter_path=nodes.*.timestamp'
        const { body, status } = await server.call({ method: 'GET', path, expected: [401, 403, 404] })
        const nodes =
          status === 200 && isObject(body) && isObject(body.nodes) ? Object.values(body.nodes) : []
        const times = nodes.flatMap((node) =>
          isObject(node) && typeof node.timestamp === 'number' ? node.timestamp : [],
        )
        return times.length === 0 ? leftOut('the credential may not ask for it') : clockFinding(times)
      },
    },
  ]
}

/** Whether the index of a collection has its alias. No upsert needs one. @param alias its name */
export const aliasStep = (server: EngineServer, alias: string): EngineStep => ({
  step: 'alias',
  async run() {
    const path = `/${encodeURIComponent(alias)}`
    const { status } = await server.call({ method: 'GET', path, expected: [401, 403, 404] })
    if (status === 200) return alias
    const found =
      'the credential may not make one (indices:admin/aliases): indexes are used by their names, and cannot be moved behind one'
    return { outcome: 'no', found }
  },
})
