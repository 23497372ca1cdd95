import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { StatefulSet } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/kit/settings.ts'
import { readBlobUrl } from '../../src/kit/blob-url.ts'
import { composeCheck } from '../support/compose-check.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

type Service = {
  environment: Record<string, string>
  volumes?: string[]
  read_only?: boolean
  cap_drop?: string[]
  depends_on?: Record<string, object> | string[]
  stop_grace_period: string
}
type Compose = {
  services: Record<string, Service>
  networks: { default: { ipam: { config: { subnet: string }[] } } }
}

const compose = parse(read('compose.nodes.yaml'), { merge: true }) as Compose
const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('sluice-'))

test('compose.nodes.yaml has the shape of the Compose specification', () => {
  const { 'x-server': _, ...file } = compose as Compose & { 'x-server': unknown }
  assert.deepEqual(composeCheck(file), [])
  assert.notDeepEqual(composeCheck({ ...file, services: { 'sluice-1': { imaage: 'x' } } }), [])
})

test('compose.nodes.yaml has two equal servers over one database and one bucket, whose keys come from the environment', () => {
  assert.equal(nodes.length, 2)
  for (const [, node] of nodes) assert.deepEqual(node, nodes[0]![1])
  const { environment } = nodes[0]![1]
  for (const name of Object.keys(environment)) assert.ok(name in SETTINGS, name)
  for (const name of ['ADMIN_KEY', 'METRICS_KEY', 'SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'])
    assert.match(environment[name]!, /^\$\{\w+:\?/, name)
  assert.match(
    environment.DATABASE_URL!,
    /^postgres:\/\/sluice:\$\{POSTGRES_PASSWORD:\?[^}]+\}@postgres:5432\/sluice$/,
  )
  const { endpoint, bucket } = readBlobUrl(environment.BLOB_URL!)
  assert.deepEqual([endpoint.origin, bucket], ['http://s3:9000', 'sluice'])
  assert.equal(environment.TRUST_PROXY, compose.networks.default.ipam.config[0]!.subnet)
  // Nothing of a server is shared with another one.
  assert.deepEqual(nodes[0]![1].volumes, ['/data'])
  assert.deepEqual([nodes[0]![1].read_only, nodes[0]![1].cap_drop], [true, ['ALL']])
  for (const { depends_on: needed = {} } of Object.values(compose.services))
    for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
      assert.ok(compose.services[name], name)
})

test('the proxy of compose.nodes.yaml asks each server whether it is ready, and sends requests to all of them; a server that stops takes requests until it knows [server:drain]', () => {
  const mounted = compose.services.proxy!.volumes!.map((volume) => volume.split(':')[0]!)
  for (const file of mounted) assert.ok(existsSync(path.join(root, file)), file)
  const caddy = read('deploy/caddy/Caddyfile')
  assert.deepEqual(
    /reverse_proxy (.+) \{/.exec(caddy)![1]!.split(' '),
    nodes.map(([name]) => `${name}:3000`),
  )
  assert.match(caddy, /health_uri \/readyz\n/)
  const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s\\n`).exec(caddy)![1])
  const { environment, stop_grace_period: grace } = nodes[0]![1]
  const drain = Number(environment.DRAIN_SECONDS)
  assert.ok(seconds('health_interval') + seconds('health_timeout') <= drain)
  // The server finishes running requests for 8 seconds.
  assert.ok(Number.parseInt(grace, 10) > drain + 8)
})

type Patch = { op: 'add' | 'replace'; path: string; value: unknown }
type Kustomization = {
  resources: string[]
  patches: { target: { kind: string; name: string }; patch: string }[]
}
type Tree = Record<string, unknown>

/** Applies a JSON patch (RFC 6902) with `add` and `replace`. */
function patched(document: Tree, patches: readonly Patch[]): Tree {
  const result = structuredClone(document)
  for (const { op, path: pointer, value } of patches) {
    const steps = pointer.split('/').slice(1)
    const last = steps.pop()!
    const place = steps.reduce((at, step) => {
      assert.ok(Object.hasOwn(at, step), `${pointer}: there is no ${step}`)
      return at[step] as Tree
    }, result)
    if (op === 'replace') assert.ok(Object.hasOwn(place, last), pointer)
    if (Array.isArray(place) && last === '-') place.push(value)
    else place[last] = value
  }
  return result
}

test('the manifests of several members have two servers with database, bucket and secret from a secret, and keep one while others move', () => {
  const folder = 'deploy/kubernetes-nodes'
  const { resources, patches } = parse(read(`${folder}/kustomization.yaml`)) as Kustomization
  for (const file of resources) assert.ok(existsSync(path.join(root, folder, file)), file)
  const base = parse(read('deploy/kubernetes/stateful-set.yaml')) as Tree
  const [{ target, patch }] = patches as [Kustomization['patches'][number]]
  assert.deepEqual(target, { kind: base.kind, name: (base.metadata as Tree).name })
  const set = patched(base, parse(patch) as Patch[]) as Tree & {
    spec: {
      replicas: number
      selector: { matchLabels: object }
      template: {
        spec: {
          topologySpreadConstraints: { labelSelector: object }[]
          containers: [
            {
              env: {
                name: string
                valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } }
              }[]
              envFrom: { secretRef?: { name: string } }[]
            },
          ]
        }
      }
    }
  }
  new StatefulSet(set as never).validate()
  assert.throws(() => new StatefulSet({ ...set, spec: { ...set.spec, replicas: 'two' } } as never).validate())
  assert.equal(set.spec.replicas, 2)
  const pod = set.spec.template.spec
  assert.deepEqual(pod.topologySpreadConstraints[0]!.labelSelector, set.spec.selector)
  const [{ env, envFrom }] = pod.containers
  const secret = envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])[0]!
  for (const name of ['DATABASE_URL', 'BLOB_URL', 'SECRET_KEY']) {
    assert.ok(name in SETTINGS)
    const from = env.find((one) => one.name === name)?.valueFrom?.secretKeyRef
    assert.deepEqual(from, { name: secret, key: name }, name)
  }
  const budget = parse(read(`${folder}/disruption-budget.yaml`)) as Tree & { spec: { selector: object } }
  new PodDisruptionBudget(budget as never).validate()
  assert.deepEqual(budget.spec.selector, set.spec.selector)
})
