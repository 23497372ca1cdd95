import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { StatefulSet } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/kit/settings.ts'

const folder = path.join(import.meta.dirname, '../../deploy/kubernetes')

type Manifest = { apiVersion: string; kind: string; metadata: { name: string } }

const manifestOf = (file: string) => parse(readFileSync(path.join(folder, file), 'utf8')) as Manifest
const { resources } = manifestOf('kustomization.yaml') as unknown as { resources: string[] }
const manifests = resources.map(manifestOf)

/** The classes that check a manifest by the published schema of its kind. */
const MODELS: Record<string, new (data: never) => { validate(): void }> = {
  'v1 Namespace': Namespace,
  'v1 ServiceAccount': ServiceAccount,
  'v1 ConfigMap': ConfigMap,
  'v1 Service': Service,
  'apps/v1 StatefulSet': StatefulSet,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
}

const check = (manifest: Manifest) => {
  const Model = MODELS[`${manifest.apiVersion} ${manifest.kind}`]
  assert.ok(Model, `${manifest.apiVersion} ${manifest.kind} has no model`)
  new Model(manifest as never).validate()
}

test('every manifest is listed in kustomization.yaml', () => {
  const files = readdirSync(folder).filter((file) => file !== 'kustomization.yaml')
  assert.deepEqual(resources.toSorted(), files.toSorted())
})

for (const [at, file] of resources.entries())
  test(`${file} has the shape of its kind in Kubernetes`, () => {
    check(manifests[at]!)
    const spoiled = { ...manifests[at]!, metadata: 5 } as unknown as Manifest
    assert.throws(() => check(spoiled))
  })

const named = <T>(kind: string) => manifests.find((manifest) => manifest.kind === kind) as unknown as T

type Container = {
  env: { name: string; value: string }[]
  envFrom: { configMapRef?: { name: string } }[]
  ports: { name: string; containerPort: number }[]
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean }
  volumeMounts: { name: string }[]
  readinessProbe: {
    httpGet: { path: string }
    periodSeconds: number
    timeoutSeconds: number
    failureThreshold: number
  }
  lifecycle: { preStop: { exec: { command: [string, string] } } }
}
type Pods = {
  spec: {
    replicas: number
    selector: { matchLabels: Record<string, string> }
    serviceName: string
    volumeClaimTemplates: { metadata: { name: string } }[]
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        serviceAccountName: string
        terminationGracePeriodSeconds: number
        securityContext: { runAsNonRoot: boolean }
        containers: [Container]
        volumes: { name: string }[]
      }
    }
  }
}

/** How long the server finishes running requests, in seconds. */
const FINISHES = 8

test('a pod is killed only after its drain and its last requests, and its probe tells of the drain while requests are still taken [server:drain]', () => {
  const pod = named<Pods>('StatefulSet').spec.template.spec
  const [{ readinessProbe: probe, lifecycle }] = pod.containers
  const { data } = named<Manifest & { data: Record<string, string> }>('ConfigMap')
  const drain = Number(data.DRAIN_SECONDS)
  const [program, seconds] = lifecycle.preStop.exec.command
  assert.equal(program, 'sleep')
  assert.ok(pod.terminationGracePeriodSeconds > Number(seconds) + drain + FINISHES)
  assert.equal(probe.httpGet.path, '/readyz')
  assert.ok(probe.periodSeconds * probe.failureThreshold + probe.timeoutSeconds <= drain)
})

test('the manifests refer to one another by names that exist', () => {
  const { spec } = named<Pods>('StatefulSet')
  const pod = spec.template.spec
  const [container] = pod.containers
  const service = named<Manifest & { spec: { selector: object; ports: { targetPort: string }[] } }>('Service')
  assert.equal(spec.serviceName, service.metadata.name)
  assert.deepEqual(service.spec.selector, spec.template.metadata.labels)
  assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels)
  assert.equal(service.spec.ports[0]!.targetPort, container.ports[0]!.name)
  assert.equal(pod.serviceAccountName, named<Manifest>('ServiceAccount').metadata.name)
  const settings = named<Manifest & { data: Record<string, string> }>('ConfigMap')
  assert.equal(container.envFrom[0]!.configMapRef!.name, settings.metadata.name)
  for (const name of [...Object.keys(settings.data), ...container.env.map((one) => one.name)])
    assert.ok(name in SETTINGS, name)
  const volumes = [...pod.volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)]
  assert.deepEqual(
    container.volumeMounts.map(({ name }) => name).toSorted(),
    volumes.map(({ name }) => name).toSorted(),
  )
})

test('the pod has one replica, no root user and a read-only root file system', () => {
  const { spec } = named<Pods>('StatefulSet')
  const { securityContext, containers } = spec.template.spec
  assert.equal(spec.replicas, 1)
  assert.equal(securityContext.runAsNonRoot, true)
  assert.equal(containers[0].securityContext.readOnlyRootFilesystem, true)
  assert.equal(containers[0].securityContext.allowPrivilegeEscalation, false)
})
